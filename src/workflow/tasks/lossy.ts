/** What a compile would lose of a `tasks.json` that a person edited. Pure. */
import type { Plan } from '../documents/plan-model.ts';
import { isEdited } from './task-graph.ts';
import { type Task, TASK_KEYS, type TasksFile } from './tasks-file.ts';

/**
 * Whether compiling these tasks anew would lose something that a person typed: an edit, or a key of their
 * own at a task whose step is gone. What `cc` noted at such a task goes with it.
 */
export function isLossy(before: TasksFile, tasks: readonly Task[], plan: Plan): boolean {
  const ids = new Set(tasks.map(({ id }) => id));
  const gone = before.tasks.filter(({ id }) => !ids.has(id));
  return isEdited(before, plan) || gone.some(hasOwnKeys);
}

function hasOwnKeys(task: Task): boolean {
  return Object.keys(task).some((key) => !TASK_KEYS.includes(key));
}
