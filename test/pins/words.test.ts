import { expect, test } from 'vitest';
import { HOOK_EVENTS } from '../../src/hooks/lifecycle.ts';
import { STAGES, storedStageSchema, TASK_STATUSES } from '../../src/kernel/protocol/vocabulary.ts';
import { CONFIG_KEYS } from '../../src/workflow/config.ts';
import { CHECK_REASONS } from '../../src/workflow/evidence/verify-file.ts';

test('stages of a session', () => {
  expect(STAGES).toEqual([
    'none',
    'intent',
    'plan',
    'execute',
    'verify',
    'fix-loop',
    'complete',
    'failed',
  ]);
});

test.each([
  ['done', 'complete'],
  ['intake', 'none'],
  ['fix-loop', 'fix-loop'],
])('the stored stage %s is read as %s', (word, stage) => {
  expect(storedStageSchema.parse(word)).toBe(stage);
});

test('a stage that nobody knows is not guessed', () => {
  expect(storedStageSchema.safeParse('finished').success).toBe(false);
  expect(storedStageSchema.safeParse(null).success).toBe(false);
});

test('statuses of a task', () => {
  expect(TASK_STATUSES).toEqual(['pending', 'running', 'completed', 'failed', 'blocked']);
});

test('reasons of a check that did not pass', () => {
  expect(CHECK_REASONS).toEqual([
    'exit-code',
    'timeout',
    'not-found',
    'not-executable',
    'signal',
    'cancelled',
    'vacuous',
    'no-tests',
  ]);
});

test('names of hooks', () => {
  expect(HOOK_EVENTS).toEqual([
    'pre-intent',
    'post-intent',
    'pre-plan',
    'post-plan',
    'pre-execute',
    'post-execute',
    'pre-verify',
    'post-verify',
    'pre-complete',
    'post-complete',
    'pre-done',
    'post-done',
  ]);
});

test('settings, their defaults, and which of them a project may set', () => {
  const table = Object.entries(CONFIG_KEYS).map(
    ([name, { fallback, inProject }]) =>
      `${name} ${JSON.stringify(fallback)}${inProject ? ' project' : ''}`,
  );
  expect(table).toEqual(['retries.max 3 project', 'session.private false', 'editor ""']);
});
