/** Carries an approved plan out, one task after the other, until it is done or a person is needed. */
import { CcError } from '../kernel/base/errors.ts';
import type { RunEnding, SessionId } from '../kernel/protocol/vocabulary.ts';
import { keepBaseTree } from './base-tree.ts';
import { fixChecks } from './fix-checks.ts';
import { takeLease } from './lease.ts';
import type { WorkflowPorts } from './ports.ts';
import { runTask } from './run-task.ts';
import type { Run, TaskOutcome } from './save-task.ts';
import { assertExists, openSession } from './session-dir.ts';
import { isExhausted, refuseExhausted } from './tasks/attempts.ts';
import { assertGraph, nextReady } from './tasks/task-graph.ts';
import type { Task } from './tasks/tasks-file.ts';
import { type Decision, decide, refuse } from './transitions.ts';
import { PROGRESS_FILE } from './write-change.ts';

export interface RalphRequest {
  readonly id: SessionId;
  readonly note: string | undefined;
  /** Only this task, by id or by its number in the plan. */
  readonly task: string | undefined;
  /** The person says that what was shown last is done: check it although nothing changed. */
  readonly done: boolean;
  /** `undefined`: literal actions run offline, the rest is the person's. */
  readonly executor: 'offline' | 'me' | undefined;
  /** Ends the run as `budget` once this much time went by, between two tasks. */
  readonly maxTimeMs: number | undefined;
  readonly signal: AbortSignal;
}

export type RalphResult =
  | Extract<Decision, { allowed: false }>
  | {
      readonly allowed: true;
      readonly ending: RunEnding;
      /** Titles of the tasks completed in this run. */
      readonly completed: readonly string[];
      /** Why the run stopped before the end of the plan. */
      readonly stop: Exclude<TaskOutcome, { kind: 'completed' }> | undefined;
      /** Of the plan, not of this run. */
      readonly doneTasks: number;
      readonly openTasks: number;
    };

/** A run that is killed at any moment goes on where it stood when `ralph` is called again. */
export async function ralph(ports: WorkflowPorts, request: RalphRequest): Promise<RalphResult> {
  const { id } = request;
  const session = openSession(ports, id);
  await assertExists(session);
  const shown = await session.read();
  const decision = decide(shown.facts, 'execute');
  const tasks = shown.tasks?.tasks ?? [];
  // A hand-made graph that nobody can walk is named as such; one of the plan's own is the lint's.
  if (shown.facts.planErrors.length === 0) assertGraph(tasks);
  if (!decision.allowed) return decision;
  assertTask(tasks, request.task);
  const due = shown.facts.stage === 'execute' && request.task === undefined && nextReady(tasks);
  // Before anything is written: the run would only find the same.
  if (due && request.executor !== 'me' && isExhausted(due, shown.facts.maxRetries)) {
    return refuseExhausted(due);
  }

  const verdict = await ports.hooks.before('execute', id, { mode: 'ralph', note: request.note });
  if (!verdict.ok) return refuse(verdict.code, verdict.message, verdict.remedy);

  await using lease = await takeLease(session.folder, ports.leases, 'cc ralph');
  const signal = AbortSignal.any([request.signal, lease.lost]);
  const run = startRun({ ports, session, lease: lease.nonce, signal, request });
  const begun = await begin(run, shown.mode.baseTree, verdict.notes);
  if (!begun.allowed) return begun;
  if (shown.facts.stage !== begun.to) {
    const payload = { from: shown.facts.stage, to: begun.to, action: 'execute' };
    ports.emit({ type: 'workflow.stage.changed', payload });
  }

  const result = await loop(run);
  const payload = { mode: 'ralph', progressFile: PROGRESS_FILE };
  await ports.hooks.after('execute', id, payload);
  return result;
}

function startRun(parts: Omit<Run, 'noteStart'>): Run {
  const { session, lease, request } = parts;
  let isNoted = request.note !== undefined;
  return {
    ...parts,
    async noteStart() {
      if (isNoted) return;
      isNoted = true;
      const progress = ['[ralph] ralph loop started'];
      await session.transact({ action: 'execute', lease, change: () => ({ progress }) });
    },
  };
}

/** A session approved before approvals remembered the tree begins with the one that is there now. */
async function begin(
  { ports, session, lease, signal, request }: Run,
  base: string | undefined,
  notes: readonly string[] = [],
) {
  const baseTree = base ?? (await keepBaseTree(ports, session.id, signal));
  const note = request.note === undefined ? [] : [`[ralph] ${request.note}`];
  return session.transact({
    action: 'execute',
    lease,
    change: () => ({ mode: { baseTree }, progress: [...notes, ...note] }),
  });
}

async function loop(run: Run): Promise<RalphResult> {
  const completed: string[] = [];
  const startedAt = run.ports.clock.now().getTime();
  const end = async (ending: RunEnding, stop?: Exclude<TaskOutcome, { kind: 'completed' }>) => {
    const { facts, tasks } = await run.session.read();
    const doneTasks = tasks?.tasks.filter(({ status }) => status === 'completed').length ?? 0;
    const openTasks = facts.openTasks.length;
    return { allowed: true as const, ending, completed, stop, doneTasks, openTasks };
  };

  const fixed = await fixChecks(run);
  if (fixed !== undefined && fixed.kind !== 'completed') {
    return fixed.kind === 'refused' ? fixed.decision : end(ENDINGS[fixed.kind], fixed);
  }
  // One yes is for one thing: what failed, or one step.
  let isDone = run.request.done && fixed === undefined;
  for (;;) {
    if (run.signal.aborted) return end('cancelled');
    const { maxTimeMs } = run.request;
    const spentMs = run.ports.clock.now().getTime() - startedAt;
    if (maxTimeMs !== undefined && spentMs >= maxTimeMs) return end('budget');

    const now = await run.session.read();
    const tasks = now.tasks?.tasks ?? [];
    const task =
      (isDone ? waitingTask(tasks, run.request.task) : undefined) ??
      chooseTask(tasks, run.request.task, completed);
    if (task === undefined) return end('done');
    const outcome = await runTask(run, task.id, isDone);
    isDone = false;
    if (outcome.kind === 'refused') return outcome.decision;
    if (outcome.kind !== 'completed') return end(ENDINGS[outcome.kind], outcome);
    completed.push(outcome.title);
  }
}

const ENDINGS = {
  failed: 'failed',
  waiting: 'blocked-on-human',
  cancelled: 'cancelled',
} as const satisfies Record<string, RunEnding>;

/** The step that was shown to the person and waits for their word. */
function waitingTask(tasks: readonly Task[], named: string | undefined): Task | undefined {
  if (named !== undefined) return undefined;
  const shown = tasks.filter(({ shownTree }) => shownTree !== undefined);
  return shown.find(
    ({ status, dependsOn }) => status !== 'completed' && unmet(tasks, dependsOn) === undefined,
  );
}

function chooseTask(
  tasks: readonly Task[],
  named: string | undefined,
  completed: readonly string[],
): Task | undefined {
  if (named === undefined) return nextReady(tasks);
  const task = findTask(tasks, named);
  return task === undefined || completed.includes(task.title) || task.status === 'completed'
    ? undefined
    : task;
}

function findTask(tasks: readonly Task[], named: string): Task | undefined {
  return tasks.find(({ id }) => id === named) ?? tasks[Number(named) - 1];
}

/** @throws {CcError} `REQUEST_INVALID` when there is no such task, or it waits for another. */
function assertTask(tasks: readonly Task[], named: string | undefined): void {
  if (named === undefined) return;
  const task = findTask(tasks, named);
  if (task === undefined) {
    const list = tasks.map(({ id }) => id).join(', ');
    throw new CcError('REQUEST_INVALID', `There is no task "${named}"; the plan has ${list}`, {
      hint: 'cc session show',
    });
  }
  const missing = unmet(tasks, task.dependsOn);
  if (missing === undefined) return;
  const message = `Task "${task.id}" comes after "${missing}", which is not completed`;
  throw new CcError('REQUEST_INVALID', message, { hint: 'cc ralph' });
}

/** The first of these that is not completed. */
function unmet(tasks: readonly Task[], ids: readonly string[]): string | undefined {
  return ids.find((id) => tasks.find((other) => other.id === id)?.status !== 'completed');
}
