/** The person's repository around a session: its index, and the programs that its config names. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ID, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const run = promisify(execFile);
const NAMED = ['--session', ID];

/** What the person has under way in files that are not the session's. */
async function underWay(project: TempProject): Promise<readonly string[]> {
  const files = ['other.txt', 'stashed.txt', 'intended.txt'];
  return Promise.all([
    project.git('status', '--porcelain=v2', '-z', '--', ...files),
    project.git('diff', '--cached', '--', ...files),
    project.git('diff', '--', ...files),
    project.git('ls-files', '--stage', '--', ...files),
    project.git('stash', 'list', '--format=%H'),
    project.git('branch', '--all'),
  ]);
}

test('a commit leaves alone what is partly staged, intended or stashed', async () => {
  await using project = await sessionAt('approved', {
    files: { 'other.txt': '1\n2\n3\n', 'stashed.txt': 'a\n' },
  });
  await project.write('stashed.txt', 'for later\n');
  await project.git('stash');
  await project.write('other.txt', '1\n2, staged\n3\n');
  await project.git('add', 'other.txt');
  await project.write('other.txt', '1\n2, staged\n3, not\n');
  await project.write('intended.txt', 'x\n');
  await project.git('add', '--intent-to-add', 'intended.txt');
  await project.git('config', 'core.ignoreStat', 'true');
  const before = await underWay(project);
  expect(before[1]).toContain('+2, staged');

  for (const verb of [['ralph'], ['verify'], ['complete', '--commit']]) {
    expect((await project.cc(...verb, ...NAMED)).exitCode, verb.join(' ')).toBe(0);
    expect(await underWay(project), verb.join(' ')).toEqual(before);
  }
  expect(await project.git('show', '--name-only', '--format=', 'HEAD')).not.toMatch(
    /other|stashed|intended/,
  );
});

test('a commit holds nothing that was changed beside the scope while the session ran', async () => {
  await using project = await sessionAt('executed', { files: { 'foreign.txt': 'a\n' } });
  await project.write('foreign.txt', 'changed by hand\n');
  await project.write('.env', 'SECRET=1\n');
  await project.write('.chainlesschain/sessions/s2/intent.md', '# Intent\n');
  expect((await project.cc('verify', ...NAMED)).exitCode).toBe(0);
  const { exitCode, stdout } = await project.cc('complete', '--commit', ...NAMED);
  expect(exitCode).toBe(0);
  // Whoever wonders where their change is, is told.
  for (const path of ['foreign.txt', '.env']) expect(stdout).toContain(path);
  expect(await project.git('show', '--name-only', '--format=', 'HEAD')).not.toMatch(
    /foreign|\.env|s2/,
  );
  expect(await project.git('status', '--porcelain', 'foreign.txt', '.env')).toBe(
    ' M foreign.txt\n?? .env\n',
  );
});

const KEYS =
  'core.fsmonitor core.pager core.editor core.askPass core.sshCommand diff.external pager.diff ' +
  'pager.log filter.trip.clean filter.trip.smudge filter.trip.process diff.trip.command ' +
  'diff.trip.textconv gpg.program credential.helper uploadpack.packObjectsHook ' +
  'core.alternateRefsCommand sequence.editor';
const HOOKS = ['post-index-change', 'reference-transaction', 'pre-commit', 'prepare-commit-msg'];

/** Every command but a commit, which is the person's own git with all that belongs to it. */
const LINES: readonly (readonly string[])[] = [
  [],
  ['log'],
  ['session', 'list'],
  ['session', 'show'],
  ['check'],
  ['check', '--since', 'HEAD'],
  ['doctor'],
  ['config'],
  ['init'],
  ['deep-interview', 'another thing', '--session', 's9', '--yes', '--scope', '.'],
  ['ralplan', '--session', 's9'],
  ['ralplan', ...NAMED],
  ['ralplan', '--approve', ...NAMED],
  ['ralph', ...NAMED],
  ['verify', ...NAMED],
  ['verify', '--ci', ...NAMED],
  ['complete', ...NAMED],
];

test('no command but a commit runs a program that the config of a repository names', async () => {
  await using project = await sessionAt('plan', {
    files: { '.gitattributes': '* filter=trip diff=trip\n' },
  });
  const trip = join(project.home, 'tripped');
  const program = join(project.home, 'trip.sh');
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${trip}'\ncat\n`);
  await chmod(program, 0o755);
  for (const key of KEYS.split(' ')) await project.git('config', key, program);
  await project.git('config', 'log.showSignature', 'true');
  await project.git('config', 'core.hooksPath', join(project.home, 'hooks'));
  await mkdir(join(project.home, 'hooks'));
  for (const name of HOOKS) {
    const path = join(project.home, 'hooks', name);
    await writeFile(path, `#!/bin/sh\necho ${name} >> '${trip}'\n`);
    await chmod(path, 0o755);
  }
  // The trip-wire works: git itself steps on it.
  await project.write('check.sh', `${await project.read('check.sh')}# touched\n`);
  await run('sh', ['-c', 'git status < /dev/null || :'], { cwd: project.root });
  expect(await readFile(trip, 'utf8')).not.toBe('');
  await rm(trip);

  const tripped: string[] = [];
  for (const line of LINES) {
    const { exitCode, stderr } = await project.cc(...line);
    expect(exitCode, `${line.join(' ')}: ${stderr}`).toBeLessThan(9);
    const told = await readFile(trip, 'utf8').catch(() => '');
    if (told !== '') tripped.push(`${line.join(' ')}: ${told}`);
    await rm(trip, { force: true });
  }
  expect(tripped).toEqual([]);
  expect(await project.json('.chainlesschain/sessions/s1/mode.json')).toMatchObject({
    stage: 'complete',
  });
});
