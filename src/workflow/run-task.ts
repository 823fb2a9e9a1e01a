/** One task: its literal actions or the person's work, then its checks. */
import type { PlanStep } from './documents/plan-model.ts';
import { checkTask } from './check-task.ts';
import { checksOfTask } from './evidence/checks.ts';
import { releaseHeld } from './executors/held-changes.ts';
import { runActions } from './executors/run-actions.ts';
import { goOn, printNow, type Run, saveTask, type TaskOutcome } from './save-task.ts';
import { afterFailure, inWords, isExhausted, refuseExhausted } from './tasks/attempts.ts';
import { dependantsOf } from './tasks/task-graph.ts';
import { targetsChangedSince } from './written-targets.ts';
import type { Task } from './tasks/tasks-file.ts';
import { type Decision, refuse } from './transitions.ts';

/**
 * Carries out one task of the session as its files stand now.
 *
 * @param isDone The person says that their part of this very task is done.
 */
export async function runTask(run: Run, taskId: string, isDone: boolean): Promise<TaskOutcome> {
  const now = await run.session.read();
  const task = now.tasks?.tasks.find(({ id }) => id === taskId);
  const step = now.plan?.steps.find(({ id }) => id === taskId);
  if (now.plan === undefined || task === undefined || step === undefined) {
    const message = `The plan has no step "${taskId}" any more`;
    return {
      kind: 'refused',
      decision: refuse('PLAN_CHANGED_SINCE_APPROVAL', message, 'cc ralplan --approve'),
    };
  }
  const isLiteral = run.request.executor !== 'me' && isOffline(step, task);
  const isNamed = run.request.task !== undefined;
  if (isLiteral && !isNamed && isExhausted(task, now.facts.maxRetries)) {
    return { kind: 'refused', decision: refuseExhausted(task) };
  }
  const executor = isLiteral ? 'offline' : 'me';
  const { title } = task;
  run.ports.emit({ type: 'workflow.task.started', payload: { taskId, title, executor } });
  const released = await releaseHeld(run, task, step);
  if ('outcome' in released) return ended(run, { task, isLiteral: false }, released.outcome);
  const { task: free } = released;
  const hasChecks = checksOfTask(now.plan, taskId).length > 0;
  const outcome = isLiteral
    ? await runLiteral(run, free, step)
    : await runByHand(run, free, { step, isDone, hasChecks });
  return ended(run, { task: free, isLiteral }, outcome);
}

/** Also when every action is done, and the run ended before the checks had spoken, or was held before them. */
function isOffline({ actions }: PlanStep, task: Task): boolean {
  const { actionsDone = 0, status, shownTree, held } = task;
  if (actions.length > actionsDone || held !== undefined) return true;
  return actions.length > 0 && status === 'running' && shownTree === undefined;
}

async function runLiteral(run: Run, task: Task, step: PlanStep): Promise<TaskOutcome> {
  return (await runActions(run, task, step)) ?? checkTask(run, task);
}

interface ByHand {
  readonly step: PlanStep;
  readonly isDone: boolean;
  readonly hasChecks: boolean;
}

/** Shown once, then checked when the tree changed, the box is ticked or the person says so. */
async function runByHand(run: Run, task: Task, byHand: ByHand): Promise<TaskOutcome> {
  const { step, isDone } = byHand;
  const tree = await run.ports.trees.hash(run.signal);
  const isChanged = task.shownTree !== undefined && task.shownTree !== tree.hash;
  if (isDone || step.ticked || isChanged) {
    const { mode } = await run.session.read();
    return checkTask(run, task, await targetsChangedSince(run, task.startTree ?? mode.baseTree));
  }
  const shown = await saveTask(run, task.id, {
    status: 'running',
    shownTree: tree.hash,
    startTree: task.startTree ?? tree.tree,
  });
  return shown.allowed ? yours(run, task, byHand) : { kind: 'refused', decision: shown };
}

function yours(run: Run, task: Task, { step, hasChecks }: ByHand): TaskOutcome {
  const { id: taskId, title, verifyCommands: checks, error } = task;
  const next = goOn(run, taskId);
  const why = step.actions.length > 0 ? 'its literal actions are done' : 'no model configured';
  const isAgain = task.shownTree !== undefined;
  const first = isAgain
    ? 'Nothing changed since this step was shown'
    : `This step is yours (${why})`;
  const failure =
    isAgain && typeof error === 'string' && error !== '' ? [`It failed: ${error}`] : [];
  const advice = `${first}: do it, then \`${next}\`; if it needs no change, \`${next} --done\``;
  const message = [...failure, advice].join('\n');
  return { kind: 'waiting', taskId, title, message, step, checks, hasChecks, next };
}

interface Tried {
  readonly task: Task;
  /** It was run, not done by a person: only such attempts are counted. */
  readonly isLiteral: boolean;
}

/** Every start has one end, and the files say the same as the events. */
async function ended(run: Run, tried: Tried, outcome: TaskOutcome): Promise<TaskOutcome> {
  const { id: taskId, title } = tried.task;
  const named = { taskId, title };
  switch (outcome.kind) {
    case 'completed':
      run.ports.emit({
        type: 'workflow.task.completed',
        payload: { ...named, status: 'completed' },
      });
      return outcome;
    case 'failed': {
      const saved = await saveFailure(run, tried, outcome.message);
      run.ports.emit({
        type: 'workflow.task.failed',
        payload: { ...named, message: outcome.message },
      });
      if (!saved.allowed) return { kind: 'refused', decision: saved };
      return tried.isLiteral ? withAdvice(run, taskId, outcome) : outcome;
    }
    case 'waiting':
      run.ports.emit({
        type: 'workflow.task.blocked',
        payload: { ...named, message: outcome.message },
      });
      return outcome;
    case 'cancelled':
    case 'refused':
      run.ports.emit({
        type: 'workflow.task.failed',
        payload: { ...named, message: outcome.kind },
      });
      return outcome;
  }
}

/** Those who wait for a failed task are blocked until it is completed. */
async function saveFailure(
  run: Run,
  { task: { id: taskId }, isLiteral }: Tried,
  message: string,
): Promise<Decision> {
  const tree = await run.ports.trees.hash(run.signal);
  return run.session.transact({
    action: 'execute',
    lease: run.lease,
    change(now) {
      const tasks = now.tasks?.tasks ?? [];
      const waiting = dependantsOf(tasks, [taskId]).map(({ id }) => id);
      const next = tasks.map((task) => {
        if (task.id === taskId) {
          const counted = isLiteral ? afterFailure(task, now.facts.maxRetries) : task;
          return { ...counted, status: 'failed' as const, error: message, shownTree: tree.hash };
        }
        const isBlocked = waiting.includes(task.id) && task.status !== 'completed';
        return isBlocked ? { ...task, status: 'blocked' as const } : task;
      });
      return {
        files: { 'tasks.json': printNow(run, now, next) },
        progress: [
          `[ralph] ${taskId} fail: ${message}`,
          ...waiting.map((id) => `[ralph] ${id} blocked: by failed ${taskId}`),
        ],
      };
    },
  });
}

/** The last attempt says that it was the last, and what helps instead. */
async function withAdvice(
  run: Run,
  taskId: string,
  outcome: Extract<TaskOutcome, { kind: 'failed' }>,
): Promise<TaskOutcome> {
  const { tasks, plan, facts } = await run.session.read();
  const task = tasks?.tasks.find(({ id }) => id === taskId);
  const step = plan?.steps.find(({ id }) => id === taskId);
  if (task === undefined || step === undefined || !isOffline(step, task)) return outcome;
  if (!isExhausted(task, facts.maxRetries)) return outcome;
  const { text, next } = inWords(task);
  return { ...outcome, message: `${outcome.message}\n${text}`, next };
}
