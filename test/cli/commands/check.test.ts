import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, sessionAt } from '../../support/sessions.ts';

test.each(['plan', 'execute', 'verify', 'fix-loop', 'complete', 'failed'])(
  'a plan that was edited after its approval, at stage %s',
  async (stage) => {
    await using project = await sessionAt('verified');
    const mode = await project.json(`${FOLDER}/mode.json`);
    await project.write(`${FOLDER}/mode.json`, JSON.stringify({ ...mode, stage }));
    expect((await project.ccJson('check')).value['ok']).toBe(true);
    const plan = await project.read(`${FOLDER}/plan.md`);
    await project.write(`${FOLDER}/plan.md`, plan.replace('`sh check.sh`', '`true`'));
    const { exitCode, stdout } = await project.cc('check');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ plan.md: changed after it was approved');
  },
);

test('a draft that never was approved is no fault', async () => {
  await using project = await sessionAt('plan');
  expect(await project.cc('check')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 session, nothing wrong\n'),
  });
});

test('a completed session whose verify.json is gone is told so once', async () => {
  await using project = await sessionAt('complete');
  await rm(join(project.root, FOLDER, 'verify.json'));
  const { stdout } = await project.cc('check');
  expect(stdout).toContain('stage "complete", but verify.json is absent');
  expect(stdout).not.toContain('it is about another plan');
});
