import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc } from '../support/crash-lab.ts';
import { CrashProof } from '../support/crash-proof.ts';
import { VERBS } from '../support/crash-verbs.ts';

const TIMEOUT_MS = 3_600_000;

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(() => cc[Symbol.asyncDispose]());

test.concurrent.each(VERBS.map((verb) => ({ title: verb.title, verb })))(
  'killed before and after every operation of $title: before or after, never between',
  async ({ verb }) => {
    const { operations, moments, remedies, problems } = await CrashProof.byKills(
      verb,
      cc,
      (all) => all,
    );
    console.log(`${verb.title}: ${operations} operations, ${moments} states, ${remedies} remedies`);
    expect(problems).toEqual([]);
  },
  TIMEOUT_MS,
);
