/** Lets a plan be carried out. The same call amends a plan under way and takes over somebody else's. */
import { canonicalJson } from '../kernel/base/hash.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { keepBaseTree } from './base-tree.ts';
import { renderApproval } from './approval-screen.ts';
import { setKeys } from './documents/front-matter.ts';
import { parsePlan } from './documents/plan.ts';
import { planHashOf } from './documents/plan-hash.ts';
import { findDoomed } from './executors/doomed.ts';
import { impliedScope } from './executors/step-scope.ts';
import type { Plan } from './documents/plan-model.ts';
import { openSlots } from './intake/open-questions.ts';
import type { ProjectSurvey } from './intake/survey-model.ts';
import type { AskConsent, WorkflowPorts } from './ports.ts';
import { openQuestionsNote, projectChecks } from './project-checks.ts';
import {
  assertExists,
  type Change,
  type ModeChange,
  openSession,
  sealApproval,
  type Snapshot,
} from './session-dir.ts';
import { forgetFailures } from './tasks/attempts.ts';
import { hashTargets } from './tasks/targets.ts';
import { carryOver, compileTasks, digestOf, knownTasks } from './tasks/task-graph.ts';
import { isLossy } from './tasks/lossy.ts';
import { printTasks, type Target, type TasksFile } from './tasks/tasks-file.ts';
import { approvalIn, type Decision, decide, refuse } from './transitions.ts';

export const APPROVED_COPY = 'artifacts/approved-plan.md';

export interface Approval {
  readonly id: SessionId;
  readonly ask: AskConsent;
  /** What the project is. Looked at only when the plan says nothing of checks. */
  survey(): Promise<ProjectSurvey>;
}

/** A refusal, a no or a veto leaves every file as it was. */
export async function approvePlan(ports: WorkflowPorts, request: Approval): Promise<Decision> {
  const { id } = request;
  const session = openSession(ports, id);
  await assertExists(session);
  const shown = await session.read();
  const action = approvalIn(shown.facts.stage);
  const decision = decide(shown.facts, action);
  if (!decision.allowed) return decision;
  const planText = shown.texts['plan.md'];
  if (planText === undefined) return refuse('PLAN_REQUIRED', 'There is no plan.md', 'cc ralplan');
  // What is shown and hashed is the text as it will stand.
  const checks = await projectChecks(shown, () => request.survey());
  const plan = parsePlan(checks.addTo(planText));
  const planHash = planHashOf(shown.intent, plan);
  const open = openQuestionsNote(openSlots(shown.intent.openQuestions));

  const targets = await hashTargets(ports.root, plan);
  const implied = new Map<string, readonly string[]>();
  for (const step of plan.steps) implied.set(step.id, await impliedScope(ports.root, step));
  const consent = await request.ask({
    text: renderApproval(shown, plan, {
      targets,
      implied,
      doomed: await findDoomed(ports.root, plan),
      added: checks.note,
      open,
    }),
    hash: planHash,
  });
  if (!consent.given) return { allowed: false, refusal: consent.refusal };

  const { title, tradeoffs } = plan;
  const steps = plan.steps.map((step) => step.title);
  const verdict = await ports.hooks.before('plan', id, {
    mode: 'approve',
    title,
    steps,
    tradeoffs,
  });
  if (!verdict.ok) return refuse(verdict.code, verdict.message, verdict.remedy);

  // Nobody approves bytes that were not shown: the targets are looked at once more, as the plan is.
  if (canonicalJson(await hashTargets(ports.root, plan)) !== canonicalJson(targets)) {
    const message = 'A file that the plan writes to changed while the plan was shown';
    return refuse('PLAN_CHANGED_SINCE_APPROVAL', message, 'cc ralplan --approve');
  }
  const at = ports.clock.now().toISOString();
  // What is changed from now on is the session's, whoever does it.
  const baseTree = shown.mode.baseTree ?? (await keepBaseTree(ports, id));
  const written = await session.transact({
    action,
    planHash: shown.planHash,
    besideRun: action === 'amend',
    change(now) {
      const { by } = consent;
      return recordApproval(now, plan, {
        targets,
        baseTree,
        at,
        by,
        to: decision.to,
        notes: verdict.notes,
        text: checks.addTo(now.texts['plan.md'] ?? planText),
        planHash,
      });
    },
  });
  if (!written.allowed) return written;

  const type = action === 'amend' ? 'workflow.plan.amended' : 'workflow.plan.approved';
  const files = ['plan.md', 'tasks.json', APPROVED_COPY, 'mode.json'];
  ports.emit({ type, payload: { planHash, approvedBy: consent.by, files } });
  if (shown.facts.stage !== written.to) {
    const payload = { from: shown.facts.stage, to: written.to, action };
    ports.emit({ type: 'workflow.stage.changed', payload });
  }
  await ports.hooks.after('plan', id, { mode: 'approve', planFile: 'plan.md', approved: true });
  return written;
}

interface Recorded {
  readonly targets: readonly Target[];
  readonly baseTree: string;
  readonly at: string;
  readonly by: string;
  readonly to: Snapshot['facts']['stage'];
  readonly notes: readonly string[] | undefined;
  /** Of plan.md, as it was shown. */
  readonly text: string;
  readonly planHash: string;
}

/** Everything that makes the plan this person's, in one transition. */
function recordApproval(now: Snapshot, plan: Plan, recorded: Recorded): Change {
  const { targets, at, by, text, planHash, notes = [] } = recorded;
  const { id, sealKey } = now;
  const serial = now.mode.approvalSerial + 1;
  const seal = sealApproval({ id, planHash, sealKey }, { serial, targets: [...targets] });
  const session = now.head?.ok && now.head.data['session'] !== undefined ? {} : { session: id };
  const stamp = { approved: true, updated: at, approvedAt: at, approvedBy: by, planHash, seal };
  const approved = setKeys(text, { ...session, ...stamp });

  const carried = carryOver(compileTasks(plan), knownTasks(now.tasks));
  const tasks = forgetFailures(carried) ?? carried;
  const oldTasks = now.texts['tasks.json'];
  const isReplaced = now.tasks !== undefined && isLossy(now.tasks, tasks, plan);
  const copy =
    isReplaced && oldTasks !== undefined ? { [keptName('tasks.json', at)]: oldTasks } : {};
  const digest = digestOf(tasks);
  const { aside: _, ...before } = now.tasks ?? {};
  const file: TasksFile = { version: 1, ...before, tasks, digest, targets: [...targets] };
  const stage = { sessionId: id, stage: recorded.to, updatedAt: at };
  return {
    files: {
      ...copy,
      [APPROVED_COPY]: approved,
      'tasks.json': printTasks(file, stage, oldTasks),
      'plan.md': approved,
    },
    approval: seal,
    mode: {
      approvalSerial: serial,
      baseTree: now.mode.baseTree ?? recorded.baseTree,
      retries: 0,
      failureReason: undefined,
      failing: undefined,
      shownTree: undefined,
    },
    progress: [
      ...notes,
      ...Object.keys(copy).map((name) => `[ralplan] plan.md wins; tasks.json is kept in ${name}`),
      `[ralplan] approved by ${by}, ${planHash}`,
    ],
  };
}

/** What `mode.json` gets with a plan whose approval is dropped, so that setting the flag does not bring it back. */
export function endApproval({ head, mode }: Pick<Snapshot, 'head' | 'mode'>): ModeChange {
  const isRecorded = head?.ok === true && head.data['seal'] !== undefined;
  return isRecorded ? { approvalSerial: mode.approvalSerial + 1 } : {};
}

/** Where a copy of a document goes that is about to be replaced. */
export function keptName(document: string, at: string): string {
  return `artifacts/${document}.${at.replaceAll(/[:.]/g, '-')}.bak`;
}
