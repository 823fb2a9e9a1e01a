/** One task: its literal actions or the person's work, then its checks. */
import type { PlanStep } from './documents/plan-model.ts';
import { checksOfTask } from './evidence/checks.ts';
import { runChecks } from './evidence/run-checks.ts';
import { runActions } from './executors/run-actions.ts';
import { printNow, type Run, saveTask, type TaskOutcome } from './save-task.ts';
import { hashFile, pathsOf } from './tasks/targets.ts';
import { dependantsOf } from './tasks/task-graph.ts';
import type { Task } from './tasks/tasks-file.ts';
import { type Decision, refuse } from './transitions.ts';

/** Carries out one task of the session as its files stand now. */
export async function runTask(run: Run, taskId: string): Promise<TaskOutcome> {
  const now = await run.session.read();
  const task = now.tasks?.tasks.find(({ id }) => id === taskId);
  const step = now.plan?.steps.find(({ id }) => id === taskId);
  if (task === undefined || step === undefined) {
    const message = `The plan has no step "${taskId}" any more`;
    return {
      kind: 'refused',
      decision: refuse('PLAN_CHANGED_SINCE_APPROVAL', message, 'cc ralplan --approve'),
    };
  }
  const isLiteral = run.request.executor !== 'me' && isOffline(step, task);
  return isLiteral ? runLiteral(run, task, step) : runByHand(run, task, step);
}

/** Also when every action is done, and the run ended before the checks had spoken. */
function isOffline({ actions }: PlanStep, { actionsDone = 0, status, shownTree }: Task): boolean {
  if (actions.length > actionsDone) return true;
  return actions.length > 0 && status === 'running' && shownTree === undefined;
}

async function runLiteral(run: Run, task: Task, step: PlanStep): Promise<TaskOutcome> {
  const { id: taskId, title } = task;
  run.ports.emit({
    type: 'workflow.task.started',
    payload: { taskId, title, executor: 'offline' },
  });
  const outcome = await runActions(run, task, step);
  if (outcome !== undefined) return ended(run, task, outcome);
  return ended(run, task, await checkTask(run, task, step));
}

/** Shown once, then checked when the tree changed, the box is ticked or the person says so. */
async function runByHand(run: Run, task: Task, step: PlanStep): Promise<TaskOutcome> {
  const { id: taskId, title } = task;
  const tree = await run.ports.trees.hash(run.signal);
  const isForced = run.request.done || step.ticked;
  run.ports.emit({ type: 'workflow.task.started', payload: { taskId, title, executor: 'me' } });
  if (!isForced && (task.shownTree === undefined || task.shownTree === tree.hash)) {
    const shown = await saveTask(run, taskId, {
      status: 'running',
      shownTree: tree.hash,
      startTree: task.startTree ?? tree.tree,
    });
    if (!shown.allowed) return { kind: 'refused', decision: shown };
    return ended(run, task, byHand(run, task, step));
  }
  return ended(run, task, await checkTask(run, task, step));
}

function byHand(run: Run, task: Task, step: PlanStep): TaskOutcome {
  const checks = task.verifyCommands;
  const why = step.actions.length > 0 ? 'its literal actions are done' : 'no model configured';
  const message = `This step is yours (${why}): do it, then \`cc ralph\``;
  const next = task.shownTree === undefined ? 'cc ralph' : 'cc ralph --done';
  return { kind: 'waiting', taskId: task.id, title: task.title, message, step, checks, next };
}

/** Runs the task's checks and writes what they say of it. */
async function checkTask(run: Run, task: Task, step: PlanStep): Promise<TaskOutcome> {
  const { plan } = await run.session.read();
  const { folder, id: session } = run.session;
  const checks = plan === undefined ? [] : checksOfTask(plan, task.id);
  const { lease: marker, signal, ports } = run;
  const checked = await runChecks(ports, { session, folder, checks, marker, signal, fresh: false });
  if (signal.aborted) return { kind: 'cancelled' };

  const { records } = checked;
  const failed = records.filter(({ status }) => status === 'failed');
  const { title } = task;
  if (failed.length > 0) {
    const message = failed.map(({ command, summary }) => `\`${command}\` failed: ${summary}`);
    return { kind: 'failed', taskId: task.id, title, message: message.join('\n'), records };
  }
  const written = await writtenTargets(run, task, step);
  const saved = await saveTask(
    run,
    task.id,
    {
      status: 'completed',
      error: undefined,
      shownTree: undefined,
      written,
    },
    [`[ralph] ${task.id} ok${checks.length === 0 ? ' (no check)' : ''}`],
  );
  if (!saved.allowed) return { kind: 'refused', decision: saved };
  return { kind: 'completed', title };
}

/** What this task left where later literal actions write: their approval expects it. */
async function writtenTargets(run: Run, task: Task, step: PlanStep) {
  const { plan } = await run.session.read();
  const steps = plan?.steps ?? [step];
  const paths = [...new Set(steps.flatMap(({ actions }) => actions.flatMap(pathsOf)))];
  const known = { ...task.written };
  for (const path of paths) known[path] = await hashFile(run.ports.root, path);
  return known;
}

/** Every start has one end, and the files say the same as the events. */
async function ended(run: Run, task: Task, outcome: TaskOutcome): Promise<TaskOutcome> {
  const { id: taskId, title } = task;
  const named = { taskId, title };
  switch (outcome.kind) {
    case 'completed':
      run.ports.emit({
        type: 'workflow.task.completed',
        payload: { ...named, status: 'completed' },
      });
      return outcome;
    case 'failed': {
      const saved = await saveFailure(run, taskId, outcome.message);
      run.ports.emit({
        type: 'workflow.task.failed',
        payload: { ...named, message: outcome.message },
      });
      return saved.allowed ? outcome : { kind: 'refused', decision: saved };
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
async function saveFailure(run: Run, taskId: string, message: string): Promise<Decision> {
  const tree = await run.ports.trees.hash(run.signal);
  return run.session.transact({
    action: 'execute',
    lease: run.lease,
    change(now) {
      const tasks = now.tasks?.tasks ?? [];
      const waiting = dependantsOf(tasks, [taskId]).map(({ id }) => id);
      const next = tasks.map((task) => {
        if (task.id === taskId) {
          return { ...task, status: 'failed' as const, error: message, shownTree: tree.hash };
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
