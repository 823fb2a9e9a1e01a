import { expect, test } from 'vitest';
import { assertGraph, dependantsOf, nextReady } from '../../../src/workflow/tasks/task-graph.ts';
import type { Task } from '../../../src/workflow/tasks/tasks-file.ts';

const LONG = 5_000;

function task(
  id: string,
  dependsOn: readonly string[] = [],
  status: Task['status'] = 'pending',
): Task {
  return {
    id,
    title: id,
    ownerRole: 'executor/main',
    scopePaths: [],
    dependsOn: [...dependsOn],
    verifyCommands: [],
    doneWhen: [],
    status,
  };
}

const chain = (count: number) =>
  Array.from({ length: count }, (_, at) => task(`t${at}`, at === 0 ? [] : [`t${at - 1}`]));

test.each<[string, readonly Task[], string, string]>([
  [
    'two that wait for each other',
    [task('A', ['B']), task('B', ['A'])],
    'INVALID_DEPENDENCY',
    'A → B → A',
  ],
  ['one that waits for itself', [task('A', ['A'])], 'INVALID_DEPENDENCY', 'A → A'],
  [
    'a circle behind a start',
    [task('A', ['B']), task('B', ['C']), task('C', ['B'])],
    'INVALID_DEPENDENCY',
    'B → C → B',
  ],
  ['an id that nobody has', [task('A', ['zzz'])], 'INVALID_DEPENDENCY', '"A" depends on "zzz"'],
  ['an id that two have', [task('A'), task('A')], 'DUPLICATE_NODE', 'the id "A"'],
])('refuses %s', (_title, tasks, code, message) => {
  expect(() => assertGraph(tasks)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

test('a long chain is walked, in either order, and a long circle is found', () => {
  const tasks = chain(LONG);
  expect(() => assertGraph(tasks)).not.toThrow();
  expect(() => assertGraph(tasks.toReversed())).not.toThrow();
  expect(dependantsOf(tasks, ['t0'])).toHaveLength(LONG - 1);
  const [first, ...rest] = tasks;
  const circle = [{ ...task('t0', [`t${LONG - 1}`]), title: first?.title ?? '' }, ...rest];
  expect(() => assertGraph(circle)).toThrow(
    expect.objectContaining({ code: 'INVALID_DEPENDENCY' }),
  );
});

test('the next task is the first in the order of the plan that waits for nobody', () => {
  expect(nextReady([task('A', ['B']), task('B')])?.id).toBe('B');
  expect(nextReady([task('A', ['B']), task('B', [], 'completed')])?.id).toBe('A');
  expect(nextReady([task('A', [], 'running'), task('B')])?.id).toBe('A');
  expect(nextReady([task('A', [], 'completed')])).toBeUndefined();
  expect(nextReady([task('A', ['B'], 'blocked'), task('B', [], 'failed')])?.id).toBe('B');
});

test('who waits for a task, directly or not', () => {
  const tasks = [task('A'), task('B', ['A']), task('C', ['B']), task('D'), task('E', ['C', 'D'])];
  expect(dependantsOf(tasks, ['A']).map(({ id }) => id)).toEqual(['B', 'C', 'E']);
  expect(dependantsOf(tasks, ['E'])).toEqual([]);
});
