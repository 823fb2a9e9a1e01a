/**
 * What a script changed outside of its step's scope. Never undone on its own, since it may be the person's:
 * held until it is put back or allowed.
 */
import { isInScope } from '../../kernel/policy/policy.ts';
import { sha256 } from '../../kernel/base/hash.ts';
import type { PlanStep } from '../documents/plan-model.ts';
import { keepPatch } from '../evidence/keep-patch.ts';
import { type Run, saveTask, type TaskChange, type TaskOutcome } from '../save-task.ts';
import type { Task } from '../tasks/tasks-file.ts';
import { scopeOf } from './step-scope.ts';

const EDIT = 'cc ralplan --edit';

export interface AfterScript {
  readonly task: Task;
  readonly scope: readonly string[];
  /** The tree before the script. */
  readonly before: string;
}

/** What goes into the task, and in words; `undefined` when the script stayed inside. */
export async function holdDelta(
  run: Run,
  { task, scope, before: tree }: AfterScript,
): Promise<{ readonly change: TaskChange; readonly message: string } | undefined> {
  const { trees } = run.ports;
  const after = await trees.hash(run.signal);
  const changes = await trees.diff(tree, after.tree);
  const paths = changes.map(({ path }) => path).filter((path) => !isInScope(path, scope));
  if (paths.length === 0) return undefined;
  const patch = await keepPatch(run, { from: tree, to: after.tree, paths, name: task.id });
  await trees.keep(tree, `${run.session.id}+held-${sha256(task.id).slice(0, 16)}`);
  const what = `The script changed files outside of the step's scope: ${paths.join(', ')}. They are held, not undone.`;
  return {
    change: {
      shownTree: after.hash,
      held: { tree, paths, ...(patch === undefined ? {} : { patch }) },
      needsPlan: true,
    },
    message: inWords(run, what, patch),
  };
}

/** The task as it may go on, or why it may not: a held file is not as before, and still not allowed. */
export async function releaseHeld(
  run: Run,
  task: Task,
  step: PlanStep,
): Promise<{ readonly task: Task } | { readonly outcome: TaskOutcome }> {
  const { held } = task;
  if (held === undefined) return { task };
  const scope = await scopeOf(run.ports.root, step);
  const outside = held.paths.filter((path) => !isInScope(path, scope));
  const left = outside.length === 0 ? [] : await stillChanged(run, held.tree, outside);
  if (left.length > 0) {
    const what = `Still outside of the step's scope, and not as before its script: ${left.join(', ')}.`;
    return { outcome: heldOutcome(task, step, inWords(run, what, held.patch)) };
  }
  const change = { held: undefined, needsPlan: undefined, shownTree: undefined };
  const saved = await saveTask(run, task.id, change);
  if (!saved.allowed) return { outcome: { kind: 'refused', decision: saved } };
  const { held: _held, needsPlan: _needs, shownTree: _shown, ...free } = task;
  return { task: free };
}

/** Waits for the person, who puts the files back or changes the plan. */
export function heldOutcome(task: Task, step: PlanStep, message: string): TaskOutcome {
  const { id: taskId, title } = task;
  return { kind: 'waiting', taskId, title, message, step, checks: [], next: EDIT };
}

/** Without the tree of before nobody can say that a file is as it was. */
async function stillChanged(
  { ports, signal }: Run,
  before: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const now = await ports.trees.hash(signal);
  const changes = await ports.trees.diff(before, now.tree).catch(() => undefined);
  if (changes === undefined) return paths;
  return paths.filter((path) => changes.some((change) => change.path === path));
}

function inWords({ session }: Run, what: string, patch: string | undefined): string {
  const file = `.chainlesschain/sessions/${session.id}/${patch ?? ''}`;
  const how = patch === undefined ? 'too large to be kept as a patch' : `\`git apply -R ${file}\``;
  return (
    `${what} Put them back (${how}), then \`cc ralph\`; ` +
    'or add them to the scope in plan.md and approve it again'
  );
}
