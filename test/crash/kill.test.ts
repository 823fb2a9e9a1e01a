import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc } from '../support/crash-lab.ts';
import { CrashProof } from '../support/crash-proof.ts';
import { VERBS } from '../support/crash-verbs.ts';

const TIMEOUT_MS = 600_000;

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(async () => {
  await cc[Symbol.asyncDispose]();
});

describe.concurrent('stopped before every operation of', () => {
  test.each(VERBS.map((verb) => ({ title: verb.title, verb })))(
    '$title: before or after, never between',
    async ({ verb }) => {
      const { operations, moments, remedies, problems } = await CrashProof.byImages(verb, cc);
      console.log(
        `${verb.title}: ${operations} operations, ${moments} states, ${remedies} remedies`,
      );
      expect(problems).toEqual([]);
      expect(operations).toBeGreaterThan(1);
      expect(moments).toBeGreaterThan(1);
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
