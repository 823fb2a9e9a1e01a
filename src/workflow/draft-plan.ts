/** `ralplan` before an approval: draft, read again, take steps in, revise, reject. */
import { CcError } from '../kernel/base/errors.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { endApproval, keptName } from './approve-plan.ts';
import { setKeys } from './documents/front-matter.ts';
import { parsePlan } from './documents/plan.ts';
import type { Finding, Plan } from './documents/plan-model.ts';
import { addSteps, printPlan } from './documents/print-plan.ts';
import { findDoomed } from './executors/doomed.ts';
import type { ProjectSurvey } from './intake/survey-model.ts';
import { openSlots } from './intake/open-questions.ts';
import { skeletonOf } from './plan-skeleton.ts';
import { openQuestionsNote, type ProjectChecks, projectChecks } from './project-checks.ts';
import type { WorkflowPorts } from './ports.ts';
import { assertExists, type Change, openSession, type Snapshot } from './session-dir.ts';
import { findingsOf } from './session-facts.ts';
import {
  asideOf,
  carryOver,
  compileTasks,
  differenceFrom,
  digestOf,
  isEdited,
  knownTasks,
} from './tasks/task-graph.ts';
import { isLossy } from './tasks/lossy.ts';
import { printTasks } from './tasks/tasks-file.ts';
import { type Action, type Decision, decide, refuse } from './transitions.ts';

export interface PlanRequest {
  readonly id: SessionId;
  /** What a new draft should aim at, and the command that asks for one where a plan is there. */
  readonly direction: { readonly text: string; readonly command: string } | undefined;
  /** Titles of steps to add; drops the approval. */
  readonly steps: readonly string[];
  /** Draft anew, keeping the old plan aside. */
  readonly revise: boolean;
  /** What the project is, for the skeleton. Looked at only when one is drafted. */
  survey(): Promise<ProjectSurvey>;
}

export type PlanResult =
  | Extract<Decision, { allowed: false }>
  | {
      readonly allowed: true;
      readonly to: Extract<Decision, { allowed: true }>['to'];
      readonly findings: readonly Finding[];
      readonly steps: number;
      readonly planHash: string;
      readonly approved: boolean;
      readonly files: readonly string[];
      /** Copies of what was replaced, relative to the session folder. */
      readonly copies: readonly string[];
      /** What a person should be told, such as an edit that did not count. */
      readonly notes: readonly string[];
    };

/** Never writes over a plan that a person made: a bare call reads it, `--revise` keeps a copy. */
export async function draftPlan(ports: WorkflowPorts, request: PlanRequest): Promise<PlanResult> {
  const { id } = request;
  const session = openSession(ports, id);
  await assertExists(session);
  const shown = await session.read();
  const action = actionOf(shown, request);
  const decision = decide(shown.facts, action);
  if (!decision.allowed) return decision;
  if (action !== 'draft' && request.direction !== undefined && !request.revise) {
    const message = 'There is a plan already, and words behind ralplan are for a new one';
    return refuse('STAGE_MISMATCH', message, request.direction.command);
  }

  const survey = action === 'compile' ? undefined : await request.survey();
  const checks = await projectChecks(shown, () => request.survey());
  const preview = planText(shown, request, { action, survey, checks, at: '' });
  const plan = planIn(shown, preview);
  const { title, tradeoffs } = plan;
  const steps = plan.steps.map((step) => step.title);
  const verdict = await ports.hooks.before('plan', id, { mode: 'write', title, steps, tradeoffs });
  if (!verdict.ok) return refuse(verdict.code, verdict.message, verdict.remedy);

  const at = ports.clock.now().toISOString();
  let made: Made | undefined;
  const written = await session.transact({
    action,
    change(now) {
      const text = planText(now, request, { action, survey, checks, at });
      made = make(now, { text, at, to: decision.to, action, notes: verdict.notes });
      return made.change;
    },
  });
  if (!written.allowed || made === undefined) return refuseOr(written);

  const after = await session.read();
  const { files, copies } = made;
  const isAdded = checks.note !== '' && files.includes('plan.md') && action === 'compile';
  const open = openQuestionsNote(openSlots(after.intent.openQuestions));
  const notes = [
    ...made.notes,
    ...(isAdded ? [checks.note] : []),
    ...(open === undefined ? [] : [`  ! ${open}`]),
  ];
  const [backup] = copies;
  const payload = { files: [...files], steps: after.plan?.steps.length ?? 0 };
  ports.emit({
    type: 'workflow.plan.written',
    payload: backup === undefined ? payload : { ...payload, backup },
  });
  const { stage: from } = shown.facts;
  if (from !== written.to) {
    ports.emit({ type: 'workflow.stage.changed', payload: { from, to: written.to, action } });
  }
  const approved = after.facts.plan.state === 'approved';
  await ports.hooks.after('plan', id, { mode: 'write', planFile: 'plan.md', approved });
  const findings =
    after.plan === undefined
      ? []
      : [...findingsOf(after.plan, after.intent), ...(await findDoomed(ports.root, after.plan))];
  const { planHash } = after;
  return {
    allowed: true,
    to: written.to,
    findings,
    steps: payload.steps,
    planHash,
    approved,
    files,
    copies,
    notes,
  };
}

function actionOf(shown: Snapshot, request: PlanRequest): Action {
  if (shown.texts['plan.md'] === undefined) return 'draft';
  const isChange = request.revise || request.steps.length > 0;
  return isChange ? 'revise' : 'compile';
}

interface Drafting {
  readonly action: Action;
  readonly survey: ProjectSurvey | undefined;
  readonly checks: ProjectChecks;
  readonly at: string;
}

/** The new text of plan.md; the one that is there, when it is only read, with the project's checks where it has none. */
function planText(now: Snapshot, request: PlanRequest, drafting: Drafting): string {
  const { action, survey, checks, at } = drafting;
  const text = now.texts['plan.md'];
  if (action === 'compile' && text !== undefined) return checks.addTo(text);
  const steps = request.steps.map((title) => ({ title }));
  if (text !== undefined && !request.revise) return dropApproval(addSteps(text, steps), at);
  if (survey === undefined) throw new CcError('RUNTIME_INTERNAL_ERROR', 'No survey to draft from');
  const direction = request.direction?.text;
  const skeleton = skeletonOf({ intent: now.intent, survey, direction, steps });
  return printPlan({ sessionId: now.id, updatedAt: at, ...skeleton });
}

function dropApproval(text: string, at: string): string {
  return setKeys(text, { approved: false, updated: at });
}

interface Made {
  readonly change: Change;
  readonly files: readonly string[];
  readonly copies: readonly string[];
  readonly notes: readonly string[];
}

interface Making {
  readonly text: string;
  readonly at: string;
  readonly to: Snapshot['facts']['stage'];
  readonly action: Action;
  readonly notes: readonly string[] | undefined;
}

/** A text that is the session's own was parsed already. */
function planIn(now: Snapshot, text: string): Plan {
  return now.plan !== undefined && text === now.texts['plan.md'] ? now.plan : parsePlan(text);
}

/** plan.md wins over tasks.json; whatever is replaced is kept aside and said. */
function make(now: Snapshot, { text, at, to, action, notes: said = [] }: Making): Made {
  const plan = planIn(now, text);
  const before = knownTasks(now.tasks);
  const tasks = carryOver(compileTasks(plan), before);
  const stamp = { sessionId: now.id, stage: to, updatedAt: at };
  const digest = digestOf(tasks);
  const file = {
    version: 1 as const,
    targets: [],
    ...now.tasks,
    tasks,
    digest,
    aside: asideOf(tasks, before),
  };
  const oldPlan = now.texts['plan.md'];
  const oldTasks = now.texts['tasks.json'];
  // Unchanged files are not written again: their dates are the person's.
  const isStale = now.tasks === undefined || differenceFrom(plan, now.tasks) !== undefined;
  // A plan that is broken for a moment takes no task with it: which steps it has is not known.
  const isBroken = findingsOf(plan, now.intent).some(({ level }) => level === 'error');
  const replaced = isBroken ? undefined : now.tasks;
  const isCompiled = isStale && (now.tasks === undefined || !isBroken);
  const isTasksEdited = replaced !== undefined && isEdited(replaced, plan);
  const isTasksKept = replaced !== undefined && isLossy(replaced, tasks, plan);
  const copies: Record<string, string> = {
    // A compile only adds to it.
    ...(oldPlan !== undefined && oldPlan !== text && action !== 'compile'
      ? { [keptName('plan.md', at)]: oldPlan }
      : {}),
    ...(oldTasks !== undefined && isTasksKept ? { [keptName('tasks.json', at)]: oldTasks } : {}),
  };
  const written = {
    ...(isCompiled ? { 'tasks.json': printTasks(file, stamp, oldTasks) } : {}),
    ...(oldPlan === text ? {} : { 'plan.md': text }),
  };
  const notes = isTasksEdited
    ? [`tasks.json was edited; plan.md wins, and the edit is kept in ${keptName('tasks.json', at)}`]
    : [];
  return {
    change: {
      files: { ...copies, ...written },
      mode: action === 'revise' ? endApproval(now) : {},
      progress: said,
    },
    files: Object.keys(written),
    copies: Object.keys(copies),
    notes,
  };
}

/** Takes a plan's approval away and says why. A person's no. */
export async function rejectPlan(
  ports: WorkflowPorts,
  request: { readonly id: SessionId; readonly reason: string },
): Promise<Decision> {
  const session = openSession(ports, request.id);
  await assertExists(session);
  const shown = await session.read();
  const decision = decide(shown.facts, 'reject');
  if (!decision.allowed) return decision;
  const { planHash } = shown;
  const at = ports.clock.now().toISOString();
  const written = await session.transact({
    action: 'reject',
    planHash,
    change: (now) => ({
      files: { 'plan.md': dropApproval(now.texts['plan.md'] ?? '', at) },
      mode: endApproval(now),
      progress: [`[ralplan] rejected: ${request.reason}`],
    }),
  });
  if (!written.allowed) return written;
  ports.emit({ type: 'workflow.plan.rejected', payload: { planHash, reason: request.reason } });
  return written;
}

function refuseOr(written: Decision): Extract<Decision, { allowed: false }> {
  if (!written.allowed) return written;
  throw new CcError('RUNTIME_INTERNAL_ERROR', 'The plan was written, but nothing was made');
}
