import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findShell } from '../../../../src/kernel/base/shell.ts';
import { createRunShell } from '../../../../src/kernel/tool/builtin/run-shell.ts';
import type { ToolContext } from '../../../../src/kernel/tool/tool.ts';
import { call, TempWorkspace } from '../temp-workspace.ts';

async function run(input: object, context: ToolContext) {
  const shell = await findShell(context.env);
  if (shell === undefined) throw new Error('This test needs a shell');
  return call(createRunShell(shell), input, context);
}

test('a command that works, in a folder of its own', async () => {
  await using ws = await TempWorkspace.create({ 'sub/a.txt': '' });
  const command = 'ls; echo warned >&2';
  const outcome = await run({ command, cwd: './sub' }, ws.context());
  expect(outcome).toEqual({
    ok: true,
    truncated: false,
    text: expect.stringMatching(
      /^exit code 0 in sub, \d+\.\d s\nstdout:\na\.txt\nstderr:\nwarned$/,
    ),
    details: {
      shell: { kind: 'bash', label: 'Bash' },
      cwd: 'sub',
      exitCode: 0,
      durationMs: expect.any(Number),
      stdout: 'a.txt\n',
      stderr: 'warned\n',
      stdoutTruncated: false,
      stderrTruncated: false,
      stdoutBytes: 6,
      stderrBytes: 7,
      leftovers: 0,
    },
  });
  expect(JSON.stringify(outcome)).not.toContain(ws.root);
});

test('a command that fails is a result', async () => {
  await using ws = await TempWorkspace.create();
  const outcome = await run({ command: 'exit 3' }, ws.context());
  expect(outcome).toMatchObject({ ok: true, details: { exitCode: 3, cwd: '.' } });
  expect(outcome.text).toMatch(/^exit code 3, \d+\.\d s\nno output$/);
});

test('a command that is killed has no exit code', async () => {
  await using ws = await TempWorkspace.create();
  const outcome = await run({ command: 'kill -9 $$' }, ws.context());
  expect(outcome).toMatchObject({ ok: true, details: { exitCode: null, signal: 'SIGKILL' } });
  expect(outcome.text).toMatch(/^ended by SIGKILL/);
});

test('time that is up is a result, and nothing goes on behind it', async () => {
  await using ws = await TempWorkspace.create();
  const command = 'echo begun; (while :; do echo x >> ticks; sleep 0.05; done) & wait';
  const startedAt = performance.now();
  const outcome = await run({ command, timeoutMs: 1_000 }, ws.context());
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  expect(outcome).toMatchObject({
    ok: true,
    details: { terminationReason: 'timeout', stdout: 'begun\n' },
  });
  expect(outcome.text).toMatch(/^timed out/);
  const ticks = await ws.read('ticks');
  await sleep(200);
  expect(await ws.read('ticks')).toBe(ticks);
});

test('a child that keeps the pipe open does not hold the call', async () => {
  await using ws = await TempWorkspace.create();
  const startedAt = performance.now();
  const outcome = await run({ command: 'sleep 300 & echo hi' }, ws.context());
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  expect(outcome).toMatchObject({ ok: true, details: { stdout: 'hi\n', leftovers: 1 } });
  expect(outcome.text).toContain('processes left in the background, now ended: 1');
});

test('a command that wants input finds its end', async () => {
  await using ws = await TempWorkspace.create();
  expect(await run({ command: 'read x' }, ws.context())).toMatchObject({
    details: { exitCode: 1 },
  });
});

test('much output keeps its ends and stays below the cap of a result', async () => {
  await using ws = await TempWorkspace.create();
  const command =
    'echo first; yes 😀 | head -c 3000000; echo; echo last; yes | head -c 3000000 >&2';
  const outcome = await run({ command }, ws.context());
  expect(outcome).toMatchObject({ ok: true, truncated: true });
  expect(outcome).toMatchObject({ details: { stdoutTruncated: true, stdoutBytes: 3_000_012 } });
  expect(Buffer.byteLength(outcome.text)).toBeLessThan(256 * 1024);
  expect(outcome.text).toContain('stdout:\nfirst\n');
  expect(outcome.text).toContain('\nlast\n');
});

test('bytes of another code page become replacement marks, and are counted', async () => {
  await using ws = await TempWorkspace.create();
  const outcome = await run({ command: "printf '\\xc4\\xe3\\n'" }, ws.context());
  expect(outcome).toMatchObject({ details: { stdoutBytes: 3 } });
  expect(outcome.text).toContain('\uFFFD');
  expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
});

test('the environment is the one that was given, and no more', async () => {
  await using ws = await TempWorkspace.create();
  process.env['OPENAI_API_KEY'] = 'secret-of-this-process';
  try {
    const context = ws.context({ env: { PATH: process.env['PATH'] ?? '', GIVEN: 'yes' } });
    const outcome = await run({ command: 'env' }, context);
    expect(outcome.text).toContain('GIVEN=yes');
    expect(outcome.text).not.toContain('secret-of-this-process');
  } finally {
    delete process.env['OPENAI_API_KEY'];
  }
});

test('cancelled: ends, and is no result', async () => {
  await using ws = await TempWorkspace.create();
  const abort = new AbortController();
  const running = run(
    { command: 'echo x > begun; sleep 60' },
    ws.context({ signal: abort.signal }),
  );
  while ((await readFile(join(ws.root, 'begun')).catch(() => undefined)) === undefined)
    await sleep(10);
  abort.abort();
  expect(await running).toMatchObject({ ok: false, code: 'REQUEST_CANCELLED' });
});

test.each([
  ['no command', { command: '  ' }, 'REQUEST_INVALID'],
  ['a NUL', { command: 'echo \0 > x' }, 'REQUEST_INVALID'],
  ['too little time', { command: 'touch x', timeoutMs: 999 }, 'REQUEST_INVALID'],
  ['too much time', { command: 'touch x', timeoutMs: 600_001 }, 'REQUEST_INVALID'],
  ['background work', { command: 'touch x', run_in_background: true }, 'REQUEST_INVALID'],
  ['an absolute cwd', { command: 'touch x', cwd: '/tmp' }, 'REQUEST_INVALID'],
  ['a cwd that is a file', { command: 'touch x', cwd: 'file' }, 'REQUEST_INVALID'],
  ['a cwd that is not there', { command: 'touch x', cwd: 'nope' }, 'REQUEST_INVALID'],
])('refuses %s and starts nothing', async (_title, input, code) => {
  await using ws = await TempWorkspace.create({ file: '' });
  const before = await ws.snapshot();
  expect(await run(input, ws.context())).toMatchObject({ ok: false, code });
  expect(await ws.snapshot()).toEqual(before);
});

test.each(['..', 'out', 'inner/../..', '../ws-evil'])('a cwd that leads out: %s', async (cwd) => {
  await using ws = await TempWorkspace.create({ 'inner/a': '' });
  await mkdir(join(ws.outside, 'ws-evil'));
  await symlink('../ws-evil', join(ws.root, 'out'));
  const before = await ws.snapshot();
  const running = run({ command: 'touch x', cwd }, ws.context());
  await expect(running).rejects.toMatchObject({ code: 'PATH_OUTSIDE_WORKSPACE' });
  expect(await ws.snapshot()).toEqual(before);
});
