import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc } from '../support/crash-lab.ts';
import { CrashProof } from '../support/crash-proof.ts';
import { type CrashVerb, VERBS } from '../support/crash-verbs.ts';

const TIMEOUT_MS = 600_000;

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(async () => {
  await cc[Symbol.asyncDispose]();
});

const row = (verb: CrashVerb) => ({ title: verb.title, verb });

describe.concurrent('stopped before every operation of', () => {
  test.each(VERBS.filter(({ isLong }) => isLong !== true).map(row))(
    '$title: before or after, never between',
    async ({ verb }) => {
      const { operations, moments, remedies, problems } = await CrashProof.byImages(verb, cc);
      console.log(
        `${verb.title}: ${operations} operations, ${moments} states, ${remedies} remedies`,
      );
      expect(problems).toEqual([]);
      expect(operations).toBeGreaterThan(1);
      expect(remedies).toBe(0);
    },
    TIMEOUT_MS,
  );
});

/** Where one file takes the place of another: what a long command leaves for others to see. */
const isVisible = (operation: string) =>
  /^\d+ (?:rename|append|link) .*\/project\//.test(operation);

describe.concurrent('stopped before every visible change of', () => {
  test.each(VERBS.filter(({ isLong }) => isLong === true).map(row))(
    '$title: before or after, never between',
    async ({ verb }) => {
      const proof = await CrashProof.byImages(verb, cc, isVisible);
      const { operations, moments, remedies, problems } = proof;
      console.log(
        `${verb.title}: ${operations} operations, ${moments} states, ${remedies} remedies`,
      );
      expect(problems).toEqual([]);
      expect(moments).toBeGreaterThan(2);
    },
    TIMEOUT_MS,
  );
});

test('a process that really kills itself leaves the same', { timeout: TIMEOUT_MS }, async () => {
  const [verb] = VERBS.filter(({ title }) => title === 'ralplan --approve');
  if (verb === undefined) throw new Error('There is no such command');
  const everyThird = (all: readonly string[]) => all.filter((_, index) => index % 3 === 0);
  const { problems, moments } = await CrashProof.byKills(verb, cc, everyThird);
  expect(problems).toEqual([]);
  expect(moments).toBeGreaterThan(5);
});
