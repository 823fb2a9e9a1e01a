/** Which task may run when. Pure. */
import { CcError } from '../../kernel/base/errors.ts';
import { canonicalJson, sha256 } from '../../kernel/base/hash.ts';
import type { Plan, PlanStep } from '../documents/plan-model.ts';
import type { Task, TasksFile } from './tasks-file.ts';

/** The keys of a task that come from the plan; a difference in one of them is a changed plan. */
const PLANNED = [
  'id',
  'title',
  'ownerRole',
  'scopePaths',
  'dependsOn',
  'verifyCommands',
  'doneWhen',
] as const;

/** The tasks of a plan, all pending, in the order of its steps. A plan with errors has none to offer. */
export function compileTasks(plan: Plan): Task[] {
  return plan.steps.map((step, index) => ({
    id: step.id,
    title: step.title,
    ownerRole: step.role,
    scopePaths: [...step.scope],
    dependsOn: dependenciesOf(step, plan.steps[index - 1]),
    verifyCommands: step.verify.map(({ command }) => command),
    doneWhen: [...step.doneWhen],
    status: 'pending' as const,
    stepHash: stepHashOf(step),
  }));
}

/**
 * Keeps what is known of tasks whose step means the same, and unknown keys of the others.
 *
 * @param before Those of the plan before, then those that were put aside.
 */
export function carryOver(tasks: readonly Task[], before: readonly Task[]): Task[] {
  const known = new Map<string, Task[]>();
  for (const old of before) known.set(old.id, [...(known.get(old.id) ?? []), old]);
  return tasks.map((task) => {
    const ofThatId = known.get(task.id) ?? [];
    const same = ofThatId.find((old) => isSameStep(old, task));
    if (same !== undefined) return { ...same, ...task, status: same.status };
    const [old] = ofThatId;
    if (old === undefined) return task;
    const { status, error, failures, needsPlan, actionsDone, actionBegun, ...notRun } = old;
    // What its script changed elsewhere stays held: another text of the step does not put it back.
    const { shownTree, startTree, written, ...kept } = notRun;
    return { ...kept, ...task };
  });
}

/** Those that were begun and are not among the new ones. `undefined` for none. */
export function asideOf(tasks: readonly Task[], before: readonly Task[]): Task[] | undefined {
  const wanted = new Map(tasks.map((task) => [task.id, task]));
  const left = before.filter((old) => {
    const task = wanted.get(old.id);
    return old.status !== 'pending' && (task === undefined || !isSameStep(old, task));
  });
  return left.length === 0 ? undefined : left;
}

/** All that is known of tasks, those of the plan first. */
export function knownTasks(file: TasksFile | undefined): readonly Task[] {
  return [...(file?.tasks ?? []), ...(file?.aside ?? [])];
}

/** Another program's tasks have no hash of their step: what can be compared is. */
function isSameStep(old: Task, task: Task): boolean {
  return old.stepHash === undefined ? sameKeys(old, task) : old.stepHash === task.stepHash;
}

function sameKeys(one: Task, other: Task): boolean {
  return PLANNED.every((key) => isSame(one[key], other[key]));
}

/** Every decision compares every task: without making texts of them. */
function isSame(one: string | readonly string[], other: string | readonly string[] | undefined) {
  if (typeof one === 'string' || typeof other === 'string' || other === undefined) {
    return one === other;
  }
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** In words, where `tasks.json` differs from the plan in more than status; `undefined` when it does not. */
export function differenceFrom(plan: Plan, file: TasksFile): string | undefined {
  const wanted = compileTasks(plan);
  if (wanted.length !== file.tasks.length) {
    return `tasks.json has ${file.tasks.length} tasks, the plan has ${wanted.length} steps`;
  }
  for (const [index, task] of wanted.entries()) {
    const found = file.tasks[index];
    const key = PLANNED.find((name) => !isSame(task[name], found?.[name]));
    if (key !== undefined) return `tasks.json: ${key} of task "${found?.id}" is not as in the plan`;
  }
  return undefined;
}

/** Equal while nobody touched what the plan says of the tasks. */
export function digestOf(tasks: readonly Task[]): string {
  const planned = tasks.map((task) => PLANNED.map((key) => task[key]));
  return sha256(canonicalJson(planned)).slice(0, 16);
}

/**
 * Whether a person changed more than status in this file since it was written. One without a digest was
 * never written by `cc`: whatever in it is not as the plan says is theirs.
 */
export function isEdited({ tasks, digest }: TasksFile, plan: Plan): boolean {
  return digestOf(tasks) !== (digest ?? digestOf(compileTasks(plan)));
}

/**
 * Refuses a graph that could never be walked.
 *
 * @throws {CcError} `DUPLICATE_NODE` or `INVALID_DEPENDENCY` naming the id or the path of the cycle.
 */
export function assertGraph(tasks: readonly Task[]): void {
  const ids = new Set<string>();
  for (const { id } of tasks) {
    if (ids.has(id)) throw invalid('DUPLICATE_NODE', `two tasks have the id "${id}"`);
    ids.add(id);
  }
  for (const { id, dependsOn } of tasks) {
    const unknown = dependsOn.find((other) => !ids.has(other));
    if (unknown === undefined) continue;
    throw invalid('INVALID_DEPENDENCY', `task "${id}" depends on "${unknown}", which is not there`);
  }
  const cycle = findCycle(tasks);
  if (cycle === undefined) return;
  throw invalid('INVALID_DEPENDENCY', `tasks wait for each other: ${cycle.join(' → ')}`);
}

/** Ids along a cycle, the first one repeated at the end. Walks without recursion: chains can be long. */
function findCycle(
  nodes: readonly { readonly id: string; readonly dependsOn: readonly string[] }[],
): readonly string[] | undefined {
  const edges = new Map(nodes.map(({ id, dependsOn }) => [id, dependsOn]));
  const settled = new Set<string>();
  for (const { id } of nodes) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack: { id: string; next: number }[] = [];
    const enter = (node: string) => {
      path.push(node);
      onPath.add(node);
      stack.push({ id: node, next: 0 });
    };
    if (!settled.has(id)) enter(id);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const target = edges.get(top.id)?.[top.next++];
      if (target === undefined) {
        settled.add(top.id);
        onPath.delete(top.id);
        path.pop();
        stack.pop();
      } else if (onPath.has(target)) {
        return [...path.slice(path.indexOf(target)), target];
      } else if (!settled.has(target) && edges.has(target)) {
        enter(target);
      }
    }
  }
  return undefined;
}

/**
 * The first task, in the order of the plan, that is not completed and waits for nobody. A task that is
 * marked running counts as pending here: the caller holds the lease, so nobody else runs it.
 */
export function nextReady(tasks: readonly Task[]): Task | undefined {
  const done = completedIds(tasks);
  return tasks.find(
    ({ status, dependsOn }) => status !== 'completed' && dependsOn.every((id) => done.has(id)),
  );
}

/** Tasks that wait, directly or not, for one of these; in the order of the plan. */
export function dependantsOf(tasks: readonly Task[], ids: readonly string[]): readonly Task[] {
  const reached = new Set(ids);
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { id, dependsOn } of tasks) {
      if (dependsOn.some((other) => reached.has(other))) reached.add(id);
    }
  }
  return tasks.filter(({ id }) => reached.has(id) && !ids.includes(id));
}

function completedIds(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.filter(({ status }) => status === 'completed').map(({ id }) => id));
}

function dependenciesOf(step: PlanStep, above: PlanStep | undefined): string[] {
  if (step.after !== undefined) return [...step.after];
  return above === undefined ? [] : [above.id];
}

/** Lines and ticks do not count: they are no part of what the step means. */
function stepHashOf(step: PlanStep): string {
  const known = stepHashes.get(step);
  if (known !== undefined) return known;
  const { line, ticked, verify, actions, ...meaning } = step;
  const commands = verify.map(({ command, onlyInCi }) => ({ command, onlyInCi }));
  const literal = actions.map(({ line: _, ...action }) => action);
  const hash = sha256(canonicalJson({ ...meaning, commands, literal })).slice(0, 16);
  stepHashes.set(step, hash);
  return hash;
}

/** A run compiles the same steps again at each of them. */
const stepHashes = new WeakMap<PlanStep, string>();

function invalid(code: 'DUPLICATE_NODE' | 'INVALID_DEPENDENCY', problem: string): CcError {
  return new CcError(code, `tasks.json: ${problem}`, { hint: 'cc ralplan' });
}
