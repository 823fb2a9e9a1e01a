/** Links that stay inside of the project, where they may lead into git's own files; and how one gets out of them. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FOLDER, ID, PLAN, type Reached, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const run = promisify(execFile);
const NAMED = ['--session', ID];
const YES = ['--no-input', '--yes'];
const GOAL = ['deep-interview', 'say 42', '--criterion', 'says 42', ...YES, ...NAMED];

interface ErrorValue {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

/** Puts a link in the place of whatever is at `path`, which is kept beside it. */
async function linkTo(project: TempProject, path: string, target: string): Promise<void> {
  const link = join(project.root, path);
  await mkdir(dirname(link), { recursive: true });
  await rm(link, { recursive: true, force: true });
  await symlink(target, link);
}

const INTO_GIT: readonly (readonly [string, string, Reached, readonly string[]])[] = [
  ['.chainlesschain', '.git', 'plan', ['init']],
  ['.chainlesschain', '.git', 'plan', GOAL],
  ['.chainlesschain', '.git', 'plan', ['status']],
  ['.chainlesschain/sessions', '../.git', 'plan', GOAL],
  ['.chainlesschain/sessions', '../.git', 'plan', ['status']],
  [FOLDER, '../../.git', 'plan', GOAL],
  [`${FOLDER}/artifacts`, '../../../.git/hooks', 'plan', ['ralplan', '--approve', ...NAMED]],
  [`${FOLDER}/artifacts`, '../../../.git/hooks', 'approved', ['ralph', ...NAMED]],
  [`${FOLDER}/artifacts`, '../../../.git/hooks', 'executed', ['verify', '--fresh', ...NAMED]],
  [`${FOLDER}/runs`, '../../../.git/hooks', 'plan', ['ralplan', '--reject', ...NAMED]],
  ['.chainlesschain/hooks', '../.git/hooks', 'plan', ['init']],
  ['.chainlesschain/config.yaml', '../.git/new', 'plan', ['config', 'set', 'retries.max', '2']],
];

test.each(INTO_GIT)('%s is a link to %s, at %s, %j', async (path, target, at, argv) => {
  const line = argv[0] === 'config' ? [...argv, '--project'] : argv;
  await using project = await sessionAt(at);
  await linkTo(project, path, target);
  const before = await project.snapshot('.git');

  const { exitCode, value } = await project.ccJson(...line);
  const { error } = value as unknown as ErrorValue;
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 7, code: 'PATH_OUTSIDE_WORKSPACE' });
  expect(await project.snapshot('.git')).toEqual(before);

  await follow(project, error.hint);
  const again = await project.ccJson(...line);
  expect(JSON.stringify(again.value)).not.toContain('PATH_OUTSIDE_WORKSPACE');
  expect(await readFile(join(project.root, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
});

/** Types the remedy. */
async function follow(project: TempProject, hint: string): Promise<void> {
  const [program, ...words] = hint.split(' ');
  if (program !== 'cc') return void (await run('sh', ['-c', hint], { cwd: project.root }));
  const options = words.includes('--session') ? [] : NAMED;
  expect(await project.cc(...words, ...options)).toMatchObject({ exitCode: 0 });
}

test('the output of a check takes the place of a link', async () => {
  await using project = await sessionAt('executed', { files: { victim: 'mine\n' } });
  const log = `${FOLDER}/artifacts/check-1.log`;
  await linkTo(project, log, '../../../../victim');
  expect((await project.cc('verify', '--fresh', ...NAMED)).exitCode).toBe(0);
  expect(await project.read('victim')).toBe('mine\n');
  const written = await project.snapshot(`${FOLDER}/artifacts`);
  expect(written[log]).toMatch(/^100644 /);
});

const DOCUMENTS: readonly (readonly [string, Reached, readonly string[]])[] = [
  ['intent.md', 'plan', ['ralplan']],
  ['plan.md', 'plan', ['ralplan', '--approve']],
  ['mode.json', 'approved', ['ralph']],
  ['tasks.json', 'approved', ['ralph']],
  ['verify.json', 'executed', ['verify']],
  ['progress.log', 'executed', ['verify']],
  ['summary.md', 'verified', ['complete']],
];

const TARGETS = { 'out of the project': '../../../../outside', 'to nothing': '../../../absent' };

test.each(
  DOCUMENTS.flatMap((row) => Object.entries(TARGETS).map((target) => [...row, ...target] as const)),
)('%s is a link, at %s, %j, %s', async (name, at, argv, _where, target) => {
  await using project = await sessionAt(at);
  const outside = join(dirname(project.root), 'outside');
  await writeFile(outside, 'theirs\n');
  await linkTo(project, `${FOLDER}/${name}`, target);

  const { exitCode, value } = await project.ccJson(...argv, ...NAMED);
  if (exitCode !== 0) {
    const { error } = value as unknown as ErrorValue;
    if (error.code === 'PATH_OUTSIDE_WORKSPACE') expect(error.hint).toContain('cc repair');
  }
  await follow(project, 'cc repair');
  const after = await project.snapshot(FOLDER);
  expect(after[`${FOLDER}/${name}`] ?? '').not.toMatch(/^link/);
  expect(Object.values(after)).toContain(`link ${target}`);
  const status = await project.ccJson('status', ...NAMED);
  expect(status.exitCode).toBe(0);
  const again = await project.ccJson(...argv, ...NAMED);
  expect(JSON.stringify(again.value)).not.toContain('PATH_OUTSIDE_WORKSPACE');
  expect(await readFile(outside, 'utf8')).toBe('theirs\n');
});

test('a folder for sessions that is a link out of the project', async () => {
  await using project = await sessionAt('plan');
  const outside = join(dirname(project.root), 'outside');
  await rename(join(project.root, '.chainlesschain'), outside);
  await linkTo(project, '.chainlesschain', outside);
  const doctor = await project.ccJson('doctor');
  expect(doctor.exitCode).toBe(1);
  expect(JSON.stringify(doctor.value)).toContain('is a link');
  const { value } = await project.ccJson('status');
  await follow(project, (value as unknown as ErrorValue).error.hint);
  expect((await project.cc('status')).exitCode).toBe(0);
});

test.each([
  ['a link out of the project', 'leads', 'PATH_OUTSIDE_WORKSPACE', 7],
  ['a name that no disk takes', 'n'.repeat(300), 'SESSION_PERSISTENCE_FAILED', 1],
])('a plan is not approved whose target is %s', async (_title, path, code, status) => {
  const plan = PLAN.replace('file=answer.txt', `file=${path}`).replace(
    '`answer.txt`',
    `\`${path}\``,
  );
  await using project = await sessionAt('plan', { plan });
  await linkTo(project, 'leads', '../outside');
  await writeFile(join(dirname(project.root), 'outside'), 'secret\n');
  const before = await project.snapshot();
  const { exitCode, value } = await project.ccJson('ralplan', '--approve', ...NAMED);
  const { error } = value as unknown as ErrorValue;
  expect({ exitCode, code: error.code }).toEqual({ exitCode: status, code });
  expect(error.hint).toBe(`cc ralplan --edit --session ${ID}`);
  expect(await project.snapshot()).toEqual(before);

  project.env = { EDITOR: 'sh edit.sh' };
  project.io = {
    handOver: async () => {
      await project.write(`${FOLDER}/plan.md`, PLAN);
      return 0;
    },
  };
  expect((await project.cc('ralplan', '--edit', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
});
