import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc } from '../support/crash-lab.ts';
import { CrashProof } from '../support/crash-proof.ts';
import { VERBS } from '../support/crash-verbs.ts';

const TIMEOUT_MS = 300_000;

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(async () => {
  await cc[Symbol.asyncDispose]();
});

describe.concurrent('killed around every operation of', () => {
  test.each(VERBS.map((verb) => ({ ...verb, verb })))(
    '$title: before or after, never between',
    async ({ verb }) => {
      const proof = await CrashProof.byImages(verb, cc);
      const { operations, moments, remedies } = proof;
      console.log(
        `${verb.title}: ${operations} operations, ${moments} states, ${remedies} remedies`,
      );
      expect(proof.problems).toEqual([]);
      expect(operations).toBeGreaterThan(1);
    },
    TIMEOUT_MS,
  );
});
