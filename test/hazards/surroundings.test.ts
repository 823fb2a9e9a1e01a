/** What a shell may hand to `cc`: a PATH, a home, a limit, a folder that is gone. */
import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ID, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/cc.cjs');
const NAMED = ['--session', ID];

/** Runs a script in the project's folder; in it `cc` is the built program. */
function shell(project: TempProject, script: string) {
  const env = { PATH: process.env['PATH'], HOME: project.home, NODE: process.execPath, PROGRAM };
  const full = `cc() { "$NODE" "$PROGRAM" "$@"; }\n${script}`;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile('sh', ['-c', full], { cwd: project.root, env }, (_error, out, err) => {
      resolve({ code: child.exitCode ?? -1, stdout: out, stderr: err });
    });
  });
}

const EVIL = '#!/bin/sh\necho evil >> "$HOME/evil"\nexec /usr/bin/env PATH="${PATH#*:}" git "$@"\n';

test.each(['.', '', 'bin', './bin', 'ROOT', 'ROOT/bin'])(
  'a git of the repository is not run, with %j in PATH',
  async (entry) => {
    await using project = await sessionAt('executed', { files: { git: EVIL, 'bin/git': EVIL } });
    for (const path of ['git', 'bin/git']) await chmod(join(project.root, path), 0o755);
    const first = entry.replace('ROOT', project.root);
    const commands = [
      'cc doctor',
      `cc verify --fresh --session ${ID}`,
      `cc complete --session ${ID}`,
    ];
    // The checks run with the PATH as it is: they are the project's own.
    const run = await shell(project, `PATH="${first}:$PATH"; set -e; ${commands.join('\n')}`);
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Error') });
    expect(existsSync(join(project.home, 'evil'))).toBe(false);
  },
);

test.each([
  ['HOME', 'here'],
  ['HOME', '.'],
  ['CHAINLESSCHAIN_HOME', 'here'],
  ['CHAINLESSCHAIN_HOME', './here'],
  ['CHAINLESSCHAIN_HOME', '../project/here'],
  ['CHAINLESSCHAIN_HOME', 'ROOT/here'],
  ['HOME', 'ROOT/here'],
])('no key comes into the project, with %s=%s', async (name, value) => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  const path = value.replace('ROOT', project.root);
  const approve = `cc ralplan --approve --session ${ID}`;
  const { code, stderr } = await shell(project, `export ${name}=${path}; ${approve}`);
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(new RegExp(`^CONFIG_INVALID: [^\\n]+\\nNext: unset ${name}\\n$`)),
  });
  expect(await project.snapshot()).toEqual(before);
  // In the shell of a test the home of the system is not to be touched: another seal key stands for it.
  const again = await shell(
    project,
    `export ${name}=${path}; unset ${name}; export CHAINLESSCHAIN_HOME="\${HOME:-${project.home}}/own"; ${approve}`,
  );
  expect(again.code).toBe(0);
});

test('a limit of open files that leaves no room for a program', async () => {
  await using project = await sessionAt('executed');
  const seen = new Set<string>();
  for (const limit of [20, 22, 24, 26, 28, 30]) {
    const verify = `(ulimit -n ${limit}; cc verify --fresh ${NAMED.join(' ')})`;
    const { code, stderr } = await shell(project, verify);
    if (code !== 0) seen.add(stderr.replace(/^ +.*\n/gm, ''));
    const doctor = await shell(project, `ulimit -n ${limit}; cc doctor`);
    expect(doctor.stderr).not.toMatch(/\n {4}at /);
    if (doctor.code !== 0) expect(doctor.stdout).toMatch(/\nNext: ulimit -n 1024\n$/);
  }
  expect([...seen].join('')).toMatch(/^TOOL_EXECUTION_FAILED: .*too many files are open/);
  expect([...seen].join('')).not.toMatch(/\n {4}at /);
  const { code } = await shell(project, `ulimit -n 1024; cc verify --fresh ${NAMED.join(' ')}`);
  expect(code).toBe(0);
});

test('a folder that is gone', async () => {
  await using project = await sessionAt('plan');
  const gone = 'mkdir gone; cd gone; rmdir ../gone';
  expect(await shell(project, `${gone}; cc status`)).toEqual({
    code: 6,
    stdout: '',
    stderr: 'REQUEST_INVALID: The folder you are in is gone, or may not be read\nNext: cd ..\n',
  });
  expect((await shell(project, `${gone}; cc --help`)).code).toBe(0);
  expect((await shell(project, `${gone}; cd ..; cc status`)).code).toBe(0);
});
