/** How often a literal step may fail before only the person moves it on. Pure. */
import { type Decision, refuse } from '../transitions.ts';
import type { Task } from './tasks-file.ts';

const CHANGE_IT = 'cc ralplan --edit';

/** Whether the step is not run again by itself; the first attempt is always allowed. */
export function isExhausted({ failures = 0 }: Task, maxRetries: number): boolean {
  return failures >= Math.max(1, maxRetries);
}

/** The task with one failed attempt more. */
export function afterFailure(task: Task, maxRetries: number): Task {
  const counted = { ...task, failures: (task.failures ?? 0) + 1 };
  return isExhausted(counted, maxRetries) ? { ...counted, needsPlan: true } : counted;
}

/** What a person is told, and the command that helps. */
export function inWords({ id, failures = 0 }: Task): {
  readonly text: string;
  readonly next: string;
} {
  const times = failures === 1 ? 'once' : `${failures} times`;
  const text =
    `It failed ${times} and is not run again by itself: change the step, ` +
    `or \`cc ralph --task ${id}\` tries it once more`;
  return { text, next: CHANGE_IT };
}

export function refuseExhausted(task: Task): Extract<Decision, { allowed: false }> {
  const { text, next } = inWords(task);
  const why = typeof task.error === 'string' && task.error !== '' ? `\n${task.error}` : '';
  return refuse('RETRIES_EXHAUSTED', `${task.title}: ${text}${why}`, next);
}

/** The tasks as if none had failed so far; `undefined` when none had. */
export function forgetFailures(tasks: readonly Task[]): Task[] | undefined {
  if (tasks.every(({ failures }) => failures === undefined)) return undefined;
  return tasks.map(({ failures, needsPlan, ...task }) => {
    const isOwn = failures === undefined && needsPlan !== undefined;
    return isOwn ? { ...task, needsPlan } : task;
  });
}
