import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const COMMIT = ['complete', '--commit', '--session', ID];
const sh = promisify(execFile);

const lockOf = ({ root }: TempProject) => join(root, '.git/index.lock');

/** Another git takes the index just when the commit is made. */
async function lockAfterCommit(project: TempProject): Promise<void> {
  const path = join(project.root, '.git/hooks/post-commit');
  await mkdir(join(project.root, '.git/hooks'), { recursive: true });
  await writeFile(path, '#!/bin/sh\n: > "$(git rev-parse --git-dir)/index.lock"\n');
  await chmod(path, 0o755);
}

test('a lock on the index is seen before the commit is made', async () => {
  await using project = await sessionAt('complete');
  await writeFile(lockOf(project), '');
  const head = await project.git('rev-parse', 'HEAD');
  const before = await project.snapshot();
  const { exitCode, value } = await project.ccJson(...COMMIT);
  expect({ exitCode, value }).toMatchObject({
    exitCode: 7,
    value: { error: { code: 'STAGE_MISMATCH', message: expect.stringContaining('index.lock') } },
  });
  expect(await project.snapshot()).toEqual(before);
  expect(await project.git('rev-parse', 'HEAD')).toBe(head);

  const { hint } = value['error'] as { readonly hint: string };
  await sh('sh', ['-c', hint], { cwd: project.root });
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
  expect(await project.git('status', '--porcelain')).not.toMatch(/^[AMD]/m);
});

const CURES: Readonly<Record<string, (project: TempProject, next: string) => Promise<unknown>>> = {
  'the command that is named': ({ root }, next) =>
    sh('sh', ['-c', next], { cwd: join(root, 'src') }),
  'the same call again': async (project) => {
    const { exitCode, value } = await project.ccJson(...COMMIT);
    expect(exitCode).toBe(0);
    return value;
  },
};

test.each(Object.keys(CURES))(
  'a commit whose index could not follow is told as made; %s takes the index along',
  async (cure) => {
    await using project = await sessionAt('complete', { files: { 'src/a.js': '' } });
    await lockAfterCommit(project);
    const { exitCode, value } = await project.ccJson(...COMMIT);
    expect({ exitCode, value }).toMatchObject({
      exitCode: 0,
      value: { next: expect.stringMatching(/^git reset -- /) },
    });
    const head = (await project.git('rev-parse', 'HEAD')).trim();
    expect(value['commit']).toBe(head);
    await rm(lockOf(project));
    expect(await project.git('status', '--porcelain')).toContain(`D  ${FOLDER}/intent.md`);

    await rm(join(project.root, '.git/hooks/post-commit'));
    await CURES[cure]?.(project, String(value['next']));
    expect(await project.git('status', '--porcelain')).not.toMatch(/^[AMD]/m);
    expect((await project.git('rev-parse', 'HEAD')).trim()).toBe(head);
  },
);

test('what a person staged after the commit is not taken for an index that is behind', async () => {
  await using project = await sessionAt('complete');
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
  await project.write(`${FOLDER}/intent.md`, 'staged by hand\n');
  await project.git('add', `${FOLDER}/intent.md`);
  await project.git('checkout', 'HEAD', '--', 'answer.txt');
  await project.cc(...COMMIT);
  expect(await project.git('diff', '--cached', '--name-only')).toContain(`${FOLDER}/intent.md`);
});

test.each(['missing', 'a folder'])('a summary that is %s keeps no commit back', async (how) => {
  await using project = await sessionAt('complete');
  await rm(join(project.root, FOLDER, 'summary.md'));
  if (how === 'a folder') await project.write(`${FOLDER}/summary.md/other.txt`, 'mine\n');
  const { exitCode, value } = await project.ccJson(...COMMIT);
  expect({ exitCode, value }).toMatchObject({ exitCode: 0, value: { stage: 'complete' } });
  const names = await project.git('show', '--name-only', '--format=', 'HEAD');
  expect(names).toContain('answer.txt');
  expect(names).not.toContain('summary.md');
});
