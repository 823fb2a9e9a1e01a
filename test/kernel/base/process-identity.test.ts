import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { stateOf } from '../../../src/kernel/base/process-identity.ts';
import { parseStat, readProcess } from '../../../src/kernel/base/process-table.ts';
import { endProcess, isAlive, isDead, selfHolder } from '../../../src/kernel/base/processes.ts';

const started: ChildProcess[] = [];

/** A process that says when it is ready. */
async function start(command: string): Promise<number> {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  await once(child.stdout, 'data');
  if (child.pid === undefined) throw new Error('not started');
  return child.pid;
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

test('names this process', () => {
  expect(selfHolder('n')).toMatchObject({ nonce: 'n', pid: process.pid, host: hostname() });
  expect(isAlive(selfHolder('n'))).toBe(true);
  expect(isDead(selfHolder('n'))).toBe(false);
});

test('reads the fields behind a name with brackets and spaces', () => {
  const rest = 'S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 999';

  expect(parseStat(5, `5 (a) b) (c d) ${rest}`)).toEqual({
    pid: 5,
    state: 'S',
    parent: 7,
    group: 8,
    session: 9,
    startTime: '12345',
  });
});

describe('with a process table', () => {
  test('knows where and when a process began', () => {
    const { startTime, bootId, pidNamespace } = selfHolder('n');

    expect(startTime).toMatch(/^\d+$/);
    expect(bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(pidNamespace).toMatch(/^pid:\[\d+\]$/);
  });

  test('a process that ended is dead', async () => {
    const pid = await start('echo ready; exec sleep 60');
    const holder = selfHolder('n', pid);
    expect([isAlive(holder), isDead(holder)]).toEqual([true, false]);

    started[0]?.kill('SIGKILL');
    await once(started[0] as ChildProcess, 'exit');

    expect([isAlive(holder), isDead(holder)]).toEqual([false, true]);
  });

  test('a number that went to another process is dead', () => {
    const reused = { ...selfHolder('n'), startTime: '1' };

    expect([isAlive(reused), isDead(reused)]).toEqual([false, true]);
  });

  test('a process that ended but was not collected is dead', async () => {
    // It ends when its parent is a program that collects nobody: a shell might still collect it.
    const zombie = 'sleep 0.3 & echo $!; exec sleep 60';
    const child = spawn('sh', ['-c', zombie], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    const [line] = await once(child.stdout, 'data');
    const pid = Number(String(line));
    for (let tries = 0; readProcess(pid)?.state !== 'Z' && tries < 100; tries++) await sleep(20);
    expect(readProcess(pid)?.state).toBe('Z');

    expect([isAlive(selfHolder('n', pid)), isDead(selfHolder('n', pid))]).toEqual([false, true]);
  });
});

const PLACE = { host: 'box', bootId: 'b1', pidNamespace: 'pid:[1]' };
const HOLDER = { nonce: 'n', pid: 999_999_999, startTime: '5', ...PLACE };

test.each([
  ['on another host', { host: 'other' }, 'unknown'],
  ['in another pid namespace', { pidNamespace: 'pid:[2]' }, 'unknown'],
  ['of an earlier boot', { bootId: 'b0', pidNamespace: 'pid:[9]' }, 'dead'],
  ['of an earlier boot that nobody recorded', { bootId: '' }, 'unknown'],
  ['here', {}, 'dead'],
] as const)('a missing number %s is %s', (_title, changes, state) => {
  expect(stateOf({ ...HOLDER, ...changes }, () => false, PLACE)).toBe(state);
});

test('a machine that is called like every machine is never judged by its boot', () => {
  const place = { ...PLACE, host: 'localhost' };

  expect(stateOf({ ...HOLDER, ...place, bootId: 'b0' }, () => false, place)).toBe('unknown');
});

test('a process that the table hides is alive', () => {
  expect(stateOf(HOLDER, () => true, PLACE)).toBe('alive');
});

test('ends a process that listens', async () => {
  const holder = selfHolder('n', await start('echo ready; exec sleep 60'));
  const exit = once(started[0] as ChildProcess, 'exit');

  expect(await endProcess(holder, 2_000)).toBe(true);
  expect(await exit).toEqual([null, 'SIGTERM']);
});

test('ends a process that does not listen, after the grace', async () => {
  const holder = selfHolder(
    'n',
    await start('trap "" TERM; echo ready; while :; do sleep 0.1; done'),
  );
  const exit = once(started[0] as ChildProcess, 'exit');

  expect(await endProcess(holder, 150)).toBe(true);
  expect(await exit).toEqual([null, 'SIGKILL']);
});

test('leaves a process alone that only has the number', async () => {
  const pid = await start('echo ready; exec sleep 60');

  expect(await endProcess({ ...selfHolder('n', pid), startTime: '1' }, 100)).toBe(true);
  expect(isAlive(selfHolder('n', pid))).toBe(true);
});

test('says so when a process is elsewhere', async () => {
  expect(await endProcess({ ...selfHolder('n'), host: 'elsewhere' }, 100)).toBe(false);
});
