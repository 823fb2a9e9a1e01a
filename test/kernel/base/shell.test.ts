import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findShell, shellArguments } from '../../../src/kernel/base/shell.ts';

let folder = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'cc-shell-')));
  const programs = ['both/bash', 'both/sh', 'posix/sh', 'windows/pwsh', 'plain/bash'];
  for (const program of programs) {
    await mkdir(join(folder, program, '..'), { recursive: true });
    await writeFile(join(folder, program), '#!/bin/false\n', { mode: 0o755 });
  }
  await chmod(join(folder, 'plain/bash'), 0o644);
  await mkdir(join(folder, 'odd/bash'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['bash before sh', 'both', 'bash', 'both/bash'],
  ['bash of a later folder before sh of an earlier one', 'posix:both', 'bash', 'both/bash'],
  ['sh where there is no bash', 'posix', 'sh', 'posix/sh'],
  ['PowerShell where there is neither', 'windows', 'powershell', 'windows/pwsh'],
  ['no file that cannot be run, and no folder', 'plain:odd:posix', 'sh', 'posix/sh'],
])('finds %s', async (_title, path, kind, program) => {
  const PATH = path
    .split(':')
    .map((part) => join(folder, part))
    .join(':');

  expect(await findShell({ PATH })).toMatchObject({ kind, path: join(folder, program) });
});

test.each([
  ['nothing is there', '/nowhere'],
  ['PATH is empty', ''],
  ['only the current folder is on PATH', '.:bin'],
])('finds none when %s', async (_title, PATH) => {
  expect(await findShell({ PATH })).toBeUndefined();
});

test('looks once for each PATH', async () => {
  const late = join(folder, 'late');
  expect(await findShell({ PATH: late })).toBeUndefined();
  await mkdir(late);
  await writeFile(join(late, 'sh'), '', { mode: 0o755 });

  expect(await findShell({ PATH: late })).toBeUndefined();
  expect(await findShell({ PATH: `${late}:/nowhere` })).toMatchObject({ kind: 'sh' });
});

test.each([
  ['bash', false, ['--noprofile', '--norc', '-c', 'ls']],
  ['bash', true, ['--noprofile', '--norc', '-o', 'pipefail', '-c', 'ls']],
  ['sh', true, ['-c', 'ls']],
  ['powershell', true, ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', 'ls']],
] as const)('calls %s, pipefail %s', (kind, pipefail, args) => {
  expect(shellArguments({ kind, label: kind, path: '/x' }, 'ls', pipefail)).toEqual(args);
});
