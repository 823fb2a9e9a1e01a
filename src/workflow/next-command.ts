/** What is due in a session, in one command. Pure. */
import { unreachable } from '../kernel/base/errors.ts';
import { decide, isPossible, proofRemedy, type SessionFacts, TRANSITIONS } from './transitions.ts';

/**
 * The command that moves a session on, as every screen proposes it; `undefined` when nothing is left to do.
 * Evidence counts as fresh here: whether it is, costs a look at the whole tree, and `complete` takes that look.
 */
export function nextCommand(facts: SessionFacts): string | undefined {
  if (facts.stage === 'complete') return undefined;
  const talk = intentCommand(facts);
  if (talk !== undefined) return talk;
  const { evidence } = facts;
  const hopeful = evidence.status === 'absent' ? evidence : { ...evidence, fresh: true };
  const seen = { ...facts, evidence: hopeful };
  const found = FORWARD.find((action) => isUseful(seen, action) && isPossible(seen, action));
  if (found === 'execute' && facts.needsPlan === true) return TRANSITIONS.edit.command;
  if (found !== undefined) return TRANSITIONS[found].command;
  const isFixing = facts.stage === 'fix-loop' && facts.plan.state === 'approved';
  if (isFixing) return proofRemedy(seen) ?? TRANSITIONS.verify.command;
  const wanted = decide(seen, 'execute');
  return wanted.allowed ? TRANSITIONS.execute.command : wanted.refusal.remedy;
}

/** While somebody carries the session out, there is nothing to do but to look. */
export const WATCH_IT = 'cc log --follow';

/**
 * While the intent is due: first what is open in it, then a new draft for one that was gone back to. A plan
 * that a person wrote beside it is theirs to approve.
 */
function intentCommand({ stage, hasGoal, openQuestions, plan, hasTasks }: SessionFacts) {
  const isBack = plan.state !== 'absent' && hasTasks;
  if (stage !== 'intent' || !hasGoal || (plan.state !== 'absent' && !isBack)) return undefined;
  if (openQuestions > 0) return TRANSITIONS.interview.command;
  return isBack ? TRANSITIONS.revise.command : undefined;
}

const FORWARD = [
  'complete',
  'verify',
  'execute',
  'approve',
  'amend',
  'reopen',
  'edit',
  'draft',
  'interview',
] as const;

/** Allowed is not enough: verifying half-done work or drafting over a draft moves nothing on. */
function isUseful(facts: SessionFacts, action: (typeof FORWARD)[number]): boolean {
  const { stage, evidence } = facts;
  const isApproved = facts.plan.state === 'approved';
  const isOpen = facts.openTasks.length > 0;
  // Shown by `ralph`, which runs exactly these again.
  const isFixing = stage === 'execute' && facts.failing.length > 0;
  switch (action) {
    case 'verify':
      return isApproved && stage !== 'fix-loop' && (!isOpen || stage === 'verify') && !isFixing;
    case 'execute':
      return (
        stage !== 'fix-loop' || isOpen || (evidence.status !== 'absent' && evidence.failed > 0)
      );
    case 'approve':
    case 'amend':
      return !isApproved;
    case 'reopen':
      return !isApproved || isOpen;
    case 'edit':
      return facts.planErrors.length > 0;
    case 'draft':
      return facts.plan.state === 'absent';
    case 'interview':
      return !facts.hasGoal || stage === 'none';
    case 'complete':
      return true;
    default:
      return unreachable(action);
  }
}
