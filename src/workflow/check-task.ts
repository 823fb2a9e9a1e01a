/** Whether a step is done: its checks say so. */
import { checksOfTask } from './evidence/checks.ts';
import { failureInWords } from './evidence/failure-words.ts';
import { runChecks } from './evidence/run-checks.ts';
import { goOn, type Run, saveTask, type TaskOutcome } from './save-task.ts';
import type { Task } from './tasks/tasks-file.ts';

/**
 * Runs the task's checks and writes what they say of it.
 *
 * @param written What it left where literal actions write, besides what is noted already.
 */
export async function checkTask(
  run: Run,
  task: Task,
  written: NonNullable<Task['written']> = {},
): Promise<TaskOutcome> {
  await run.noteStart();
  const { plan } = await run.session.read();
  const { folder, id: session } = run.session;
  const checks = plan === undefined ? [] : checksOfTask(plan, task.id);
  const { lease: marker, signal, ports } = run;
  const checked = await runChecks(ports, { session, folder, checks, marker, signal, fresh: false });
  if (signal.aborted) return { kind: 'cancelled' };

  const { records } = checked;
  const failed = records.filter(({ status }) => status === 'failed');
  const { id: taskId, title } = task;
  if (failed.length > 0) {
    const words = failed.map((record) => `\`${record.command}\`: ${failureInWords(record)}`);
    const message = words.join('\n');
    return { kind: 'failed', taskId, title, message, records, next: goOn(run, taskId) };
  }
  const left =
    Object.keys(written).length === 0 ? {} : { written: { ...task.written, ...written } };
  const none = { error: undefined, shownTree: undefined, failures: undefined };
  const change = { status: 'completed', ...none, ...left } as const;
  const line = `[ralph] ${taskId} ok${checks.length === 0 ? ' (no check)' : ''}`;
  const saved = await saveTask(run, taskId, change, [line]);
  if (!saved.allowed) return { kind: 'refused', decision: saved };
  return { kind: 'completed', title };
}
