import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { type ProgramOptions, runProgram } from '../../../src/kernel/base/processes.ts';

const PATH = process.env['PATH'] ?? '';

function sh(script: string, options: Partial<ProgramOptions> = {}) {
  return runProgram('sh', ['-c', script], { cwd: tmpdir(), env: { PATH }, ...options });
}

test('returns bytes, text and exit code', async () => {
  const result = await sh("printf '\\377\\000'; echo oops >&2; exit 4");

  expect(result).toEqual({ exitCode: 4, stdout: Buffer.from([0xff, 0]), stderr: 'oops\n' });
});

test('gives its input, and the end of it', async () => {
  expect((await sh('cat; cat', { input: Buffer.from([1, 2, 255]) })).stdout).toEqual(
    Buffer.from([1, 2, 255]),
  );
  expect((await sh('cat; echo end')).stdout.toString()).toBe('end\n');
});

test('passes exactly the given environment', async () => {
  const { stdout } = await sh('env', { env: { PATH, ONE: '1' } });

  const names = stdout
    .toString()
    .split('\n')
    .map((line) => line.split('=')[0]);
  expect(names.filter((name) => !['', 'PWD', 'OLDPWD', '_', 'SHLVL'].includes(name ?? ''))).toEqual(
    expect.arrayContaining(['PATH', 'ONE']),
  );
  expect(names).not.toContain('HOME');
});

test.each([
  ['a missing program', 'no-such-program', tmpdir()],
  ['a missing folder', 'sh', '/no/such/folder'],
])('%s has no exit code', async (_title, file, cwd) => {
  const result = await runProgram(file, ['-c', 'true'], { cwd, env: { PATH } });

  expect(result.exitCode).toBeUndefined();
  expect(result.stderr).toContain(file);
});

test('a timeout ends it, with what it started', async () => {
  const before = performance.now();
  const result = await sh('trap "" TERM; echo some; sleep 60 & sleep 60; sleep 60', {
    timeoutMs: 200,
  });

  expect(result).toMatchObject({ exitCode: undefined, stdout: Buffer.from('some\n') });
  expect(result.stderr).toMatch(/timeout$/);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('does not wait for a child that holds the pipe', async () => {
  const before = performance.now();

  expect(await sh('sleep 3 & echo done')).toMatchObject({
    exitCode: 0,
    stdout: Buffer.from('done\n'),
  });
  expect(performance.now() - before).toBeLessThan(1_500);
});

test('cancel ends it, or keeps it from starting', async () => {
  const controller = new AbortController();
  const running = sh('sleep 60', { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);

  expect(await running).toMatchObject({ exitCode: undefined });
  expect(await sh('echo x', { signal: controller.signal })).toMatchObject({
    exitCode: undefined,
    stdout: Buffer.alloc(0),
  });
});

test('too much output ends it', async () => {
  const result = await sh('yes', { maxBytes: 100_000 });

  expect(result.exitCode).toBeUndefined();
  expect(result.stdout.length).toBeLessThanOrEqual(100_000);
  expect(result.stderr).toMatch(/too much output$/);
});
