/** Folders and files that may not be read or written, for a user who is not root. */
import { execFile, execFileSync } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { NOBODY } from '../kernel/worktree/as-person.ts';
import { FOLDER, ID, type Reached, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/cc.cjs');
const NAMED = ['--session', ID];

async function owned(at: Reached = 'approved'): Promise<TempProject> {
  const project = await sessionAt(at);
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, dirname(project.root)]);
  return project;
}

/** As a user who owns all of it. */
function run(project: TempProject, file: string, ...argv: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: project.home };
  const options = { cwd: project.root, env, uid: NOBODY, gid: NOBODY };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(file, argv, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
const cc = (project: TempProject, ...argv: readonly string[]) =>
  run(project, process.execPath, PROGRAM, ...argv);

const nextOf = (text: string) => /^Next: (.+)$/m.exec(text)?.[1] ?? '';

const CLOSED: readonly (readonly [path: string, argv: readonly string[]])[] = [
  ['project/.chainlesschain', ['status']],
  ['project/.chainlesschain/sessions', ['status']],
  [`project/${FOLDER}`, ['status']],
  [`project/${FOLDER}`, ['ralph', ...NAMED]],
  ...['intent.md', 'plan.md', 'mode.json', 'tasks.json'].map(
    (name) => [`project/${FOLDER}/${name}`, ['ralph', ...NAMED]] as const,
  ),
  ['project/answer.txt', ['ralplan', '--approve', ...NAMED]],
  ['home', ['ralph', ...NAMED]],
  ['home/.chainlesschain', ['ralph', ...NAMED]],
  ['home/.chainlesschain/seal.key', ['ralph', ...NAMED]],
];

test.each(CLOSED)('%s may not be read: cc %j, and the remedy', async (path, argv) => {
  await using project = await owned(argv[0] === 'ralplan' ? 'plan' : 'approved');
  const closed = join(dirname(project.root), path);
  await chmod(closed, 0);
  const before = await project.snapshot();

  const { code, stderr } = await cc(project, ...argv);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^SESSION_PERSISTENCE_FAILED: Cannot read [^\n]+: permission denied\nNext: chmod /m,
    ),
  });
  const doctor = await cc(project, 'doctor');
  expect(doctor.stderr).toBe('');
  if (path !== 'project/answer.txt') {
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(closed);
  }
  expect(await project.snapshot()).toEqual(before);

  expect((await run(project, 'sh', '-c', nextOf(stderr))).code).toBe(0);
  expect(await cc(project, ...argv)).toMatchObject({ code: 0 });
});

test.each(['.chainlesschain', '.chainlesschain/sessions', FOLDER, `${FOLDER}/progress.log`])(
  '%s may not be written: doctor names it, and its remedy helps',
  async (path) => {
    await using project = await owned();
    const closed = join(project.root, path);
    const { mode } = await stat(closed);
    await chmod(closed, mode & 0o555);
    if (path.startsWith(FOLDER)) {
      const { code, stderr } = await cc(project, 'ralph', ...NAMED);
      expect({ code, next: nextOf(stderr) }).toEqual({ code: 1, next: 'cc doctor' });
    }
    const doctor = await cc(project, 'doctor');
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(closed) });
    expect((await run(project, 'sh', '-c', nextOf(doctor.stdout))).code).toBe(0);
    expect((await cc(project, 'doctor')).code).toBe(0);
    expect((await cc(project, 'ralph', ...NAMED)).code).toBe(0);
  },
);

test('a home that is a file', async () => {
  await using project = await owned();
  const { code, stderr } = await run(
    project,
    'sh',
    '-c',
    `HOME=/etc/passwd exec "${process.execPath}" "${PROGRAM}" ralph ${NAMED.join(' ')}`,
  );
  expect({ code, next: nextOf(stderr) }).toEqual({ code: 1, next: 'cc doctor' });
  expect(stderr).toMatch(/^SESSION_PERSISTENCE_FAILED: Cannot write \/etc\/passwd/m);
});
