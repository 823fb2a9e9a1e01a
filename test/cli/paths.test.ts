import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { literalFile, planOf, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const FILES = { 'src/deep/a.txt': 'a\n' };
const PATH = /\S*\.chainlesschain\/sessions\/\S+/g;

/** Paths of session files on the screen; each must open from where the person stands. */
async function pathsOn(project: TempProject, folder: string, ...argv: string[]) {
  const cwd = join(project.root, folder);
  project.io = { cwd };
  const { stdout } = await project.cc(...argv);
  const paths = stdout.match(PATH) ?? [];
  for (const path of paths) await access(join(cwd, path));
  return paths;
}

test.each([
  ['', '.chainlesschain/sessions/s1/plan.md'],
  ['src/deep', '../../.chainlesschain/sessions/s1/plan.md'],
])('the plan of a draft, from "%s"', async (folder, path) => {
  await using project = await sessionAt('plan', { files: FILES });
  expect(await pathsOn(project, folder, 'ralplan')).toEqual([path]);
});

test('the intent, from a folder below the project', async () => {
  await using project = await sessionAt('intent', { files: FILES });
  const argv = ['deep-interview', '--criterion', 'it is short'];
  expect(await pathsOn(project, 'src', ...argv)).toEqual([
    '../.chainlesschain/sessions/s1/intent.md',
  ]);
});

test('the output of a failed check, from a folder below the project', async () => {
  const plan = planOf([
    { title: 'One', lines: ['- verify: `sh check.sh`', ...literalFile('a', '1')] },
  ]);
  await using project = await sessionAt('approved', { plan, files: FILES });
  const paths = await pathsOn(project, 'src', 'ralph');
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths)
    expect(path).toMatch(/^\.\.\/\.chainlesschain\/sessions\/s1\/artifacts\//);
});
