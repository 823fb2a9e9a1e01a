import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CrashLab } from '../support/crash-lab.ts';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';

const run = promisify(execFile);

test('a disk that is really full: an error, the state before, and nothing left behind', async () => {
  await using project = await sessionAt('plan');
  const { program, cache } = { program: '', cache: '' };
  const lab = await CrashLab.open(project, { program, cache, async [Symbol.asyncDispose]() {} });
  const sessions = dirname(join(project.root, FOLDER));
  const aside = await mkdtemp(join(tmpdir(), 'cc-aside-'));
  await cp(sessions, aside, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', sessions]);
  try {
    await cp(aside, sessions, { recursive: true });
    await mkdir(join(sessions, 's2'));
    const before = await lab.documents();
    const filled = await writeFile(join(sessions, 's2', 'ballast'), Buffer.alloc(1 << 20)).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(filled).toBe('ENOSPC');
    const full = await project.ccJson('ralplan', '--approve', '--session', ID);
    expect(full).toMatchObject({
      exitCode: 1,
      value: { error: { code: 'SESSION_PERSISTENCE_FAILED', retryable: true } },
    });
    expect(await lab.leftovers()).toEqual([]);
    expect((await project.cc('status', '--session', ID)).exitCode).toBe(0);
    await rm(join(sessions, 's2'), { recursive: true });
    expect(await lab.documents()).toEqual(before);
    expect((await project.cc('ralplan', '--approve', '--session', ID)).exitCode).toBe(0);
  } finally {
    await run('umount', [sessions]);
    await rm(aside, { recursive: true });
  }
});
