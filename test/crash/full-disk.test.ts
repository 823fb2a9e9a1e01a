import { expect, test } from 'vitest';
import { nodeFiles } from '../../src/kernel/base/node-files.ts';
import { fullFrom } from '../support/counted-files.ts';
import { type CrashingCc, CrashLab } from '../support/crash-lab.ts';
import { VERBS } from '../support/crash-verbs.ts';

const TIMEOUT_MS = 600_000;
/** No process is started here. */
const NO_PROGRAM: CrashingCc = { program: '', cache: '', async [Symbol.asyncDispose]() {} };

const CASES = VERBS.filter(({ isSequence }) => isSequence !== true);

test.concurrent.each(CASES.map((verb) => ({ title: verb.title, verb })))(
  '$title on a full disk: an error, the state before, and nothing left behind',
  async ({ title, verb }) => {
    await using project = await verb.prepare();
    const lab = await CrashLab.open(project, NO_PROGRAM);
    const before = await lab.documents();
    // What a damaged session was given to be repaired.
    const planted = await lab.leftovers();
    let tried = 0;
    for (let first = 1; ; first++) {
      await lab.reset();
      const seen = { failed: 0 };
      project.io = { files: fullFrom(nodeFiles, first, seen) };
      const { exitCode, stderr } = await project.cc(...verb.argv);
      if (seen.failed === 0) break;
      tried++;
      const at = `from operation ${first}: ${stderr}`;
      // What comes after the transition, such as the commit, may fail by itself.
      const after = await lab.documents();
      const isDone = exitCode === 0 || JSON.stringify(after) !== JSON.stringify(before);
      expect(stderr, at).toContain(isDone ? '' : 'the disk is full');
      if (!isDone) expect([1, verb.exit], at).toContain(exitCode);
      const left = await lab.leftovers();
      expect(
        left.filter((path) => !path.includes('cc-index') && !planted.includes(path)),
        at,
      ).toEqual([]);
      project.io = {};
      const again = await project.cc(...verb.argv);
      expect([0, verb.exit, ...(verb.again ?? [])], `${at} ${again.stderr}`).toContain(
        again.exitCode,
      );
    }
    console.log(`${title}: a disk that is full from each of ${tried} operations on`);
    expect(tried).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
