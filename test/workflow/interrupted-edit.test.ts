import { expect, test } from 'vitest';
import { nodeFiles } from '../../src/kernel/base/node-files.ts';
import { countedFiles } from '../support/counted-files.ts';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const named = (...words: string[]) => [...words, '--session', ID];

/** Ends a command before plan.md is replaced, with the journal written: what a kill leaves there. */
async function interrupt(project: TempProject, ...argv: string[]): Promise<void> {
  project.io = {
    files: countedFiles(nodeFiles, {
      before({ name, path }) {
        if (name === 'rename' && path.endsWith('/plan.md')) throw new Error('killed here');
      },
    }),
  };
  expect((await project.cc(...named(...argv))).exitCode).toBe(1);
  project.io = {};
  expect(await project.read(`${FOLDER}/.transition.json`)).toContain('plan.md');
}

const planState = async (project: TempProject) => {
  const { value } = await project.ccJson(...named('status'));
  return (value['plan'] as { readonly state: string }).state;
};

test('whoever only looks sees an interrupted change as it will be', async () => {
  await using project = await sessionAt('plan');
  await interrupt(project, 'ralplan', '--approve');
  const before = await project.snapshot(FOLDER);
  expect(await planState(project)).toBe('approved');
  expect(await project.snapshot(FOLDER)).toEqual(before);
});

test('an edit made after an interrupted approval stays, is not approved, and can be', async () => {
  await using project = await sessionAt('plan');
  await interrupt(project, 'ralplan', '--approve');
  const edited = `${(await project.read(`${FOLDER}/plan.md`)).trimEnd()}\n\n9. Tell Ben\n`;
  await project.write(`${FOLDER}/plan.md`, edited);
  expect(await planState(project)).toBe('draft');

  const refused = await project.cc(...named('ralph'));
  expect(refused.exitCode).toBe(7);
  expect(refused.stderr).toMatch(
    /^! plan\.md was edited while a change of it was under way: the edit stays, and what cc had written is in artifacts\/plan\.md\..{8}\.unapplied$/m,
  );
  expect(await project.read(`${FOLDER}/plan.md`)).toBe(edited);
  const [copy = ''] = /artifacts\/plan\.md\..{8}\.unapplied/.exec(refused.stderr) ?? [];
  expect(await project.read(`${FOLDER}/${copy}`)).toContain('approved: true');

  expect((await project.cc(...named('ralplan', '--approve'))).exitCode).toBe(0);
  expect(await project.read(`${FOLDER}/plan.md`)).toContain('Tell Ben');
  expect(await planState(project)).toBe('approved');
});
