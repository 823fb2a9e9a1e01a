import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { secretsAmong } from '../../src/workflow/evidence/secret-files.ts';
import { FOLDER, ID, planOf, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const COMMIT = ['complete', '--commit', ...NAMED];

/** A step by hand, done in these files, and verified. */
async function done(scope: string | undefined, files: readonly string[]): Promise<TempProject> {
  const lines = scope === undefined ? [] : [`- scope: ${scope}`];
  const project = await sessionAt('approved', { plan: planOf([{ title: 'Say 42', lines }]) });
  await project.write('answer.txt', '42\n');
  for (const path of files) await project.write(path, 'made\n');
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(8);
  expect((await project.cc('ralph', '--done', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc('verify', ...NAMED)).exitCode).toBe(0);
  return project;
}

async function committed(project: TempProject): Promise<readonly string[]> {
  const names = await project.git('show', '--name-only', '--format=', 'HEAD');
  return names.split('\n').filter((name) => name !== '' && !name.startsWith('.chainlesschain/'));
}

test.each([
  ['.env'],
  ['.env.local'],
  ['app/.env.production'],
  ['server.pem'],
  ['certs/Server.KEY'],
  ['id_rsa'],
  ['id_rsa.pub'],
  ['.npmrc'],
  ['credentials.json'],
])('%s looks like a secret', (path) => {
  expect(secretsAmong(undefined, [path])).toEqual([path]);
});

test.each([
  ['env.ts'],
  ['src/key.ts'],
  ['keys/a.txt'],
  ['environment'],
  ['.environment'],
  ['my-credentials.ts'],
])('%s does not look like a secret', (path) => {
  expect(secretsAmong(undefined, [path])).toEqual([]);
});

test.each([
  ['without a scope', undefined],
  ['in the scope of a folder', '`**`'],
])(
  'a new secret %s is left out, and named with the command that adds it',
  async (_title, scope) => {
    await using project = await done(scope, ['.env', 'keys/a b.pem', 'other.txt']);
    const { exitCode, stdout } = await project.cc(...COMMIT);
    expect(exitCode).toBe(0);
    expect(await committed(project)).toEqual(['answer.txt', 'other.txt']);
    expect(stdout).toContain('  answer.txt\n');
    const [, command = ''] =
      /not in the commit: keys\/a b\.pem \(.*: (git add -- .*)\)$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(
      /not in the commit: \.env \(it looks like a secret; .*: git add -- \.env\)$/m,
    );
    await promisify(execFile)('sh', ['-c', command], { cwd: project.root });
    expect(await project.git('diff', '--cached', '--name-only')).toBe('keys/a b.pem\n');
  },
);

test('the command is right where the person stands', async () => {
  await using project = await done(undefined, ['keys/.env']);
  project.io = { cwd: join(project.root, 'keys') };
  expect((await project.cc(...COMMIT)).stdout).toContain(': git add -- .env)');
});

test('one that a scope names is committed', async () => {
  await using project = await done('`answer.txt`, `.env`', ['.env']);
  const { value } = await project.ccJson(...COMMIT);
  expect(value['left']).toEqual([]);
  expect(await committed(project)).toEqual(['.env', 'answer.txt']);
});

test('one that git knows already is no secret any more', async () => {
  const plan = planOf([{ title: 'Say 42' }]);
  await using project = await sessionAt('approved', { plan, files: { '.npmrc': 'a=1\n' } });
  await project.write('answer.txt', '42\n');
  await project.write('.npmrc', 'a=2\n');
  for (const verb of ['ralph', 'ralph --done', 'verify']) {
    await project.cc(...verb.split(' '), ...NAMED);
  }
  expect((await project.ccJson(...COMMIT)).value['left']).toEqual([]);
  expect(await committed(project)).toEqual(['.npmrc', 'answer.txt']);
});

test('programs get every file, people twenty and the count', async () => {
  const many = Array.from({ length: 30 }, (_, at) => `made/${String(at).padStart(2, '0')}.txt`);
  await using project = await done(undefined, [...many, '.env']);
  await using other = await project.clone();
  const { value } = await project.ccJson(...COMMIT);
  const files = value['files'] as readonly string[];
  expect(files).toEqual(expect.arrayContaining([...many, 'answer.txt', `${FOLDER}/plan.md`]));
  expect(files).not.toContain('.env');
  expect(value['left']).toEqual(['.env']);

  const { stdout } = await other.cc(...COMMIT);
  const [, told = ''] = /^Committed \w+\n((?: {2}.*\n)*)/m.exec(stdout) ?? [];
  const lines = told.split('\n').filter((line) => !/^$|not in the commit/.test(line));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe(`  and ${files.length - 20} more, ${files.length} files in all`);
});
