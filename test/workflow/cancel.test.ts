import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc } from '../support/crash-lab.ts';
import { foreignHolder } from '../support/holders.ts';
import { LEASE, LOCK, sleepingSession, startRun, until } from '../support/live-run.ts';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';

const LIMIT_MS = 2_000;

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(() => cc[Symbol.asyncDispose]());

const CANCEL = ['cancel', '--session', ID];
const gone = async (check: () => boolean) => !check();

test('wins over a loop in another process, and stays: nothing more is written', async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  expect(await project.ccJson('status')).toMatchObject({ value: { running: { pid: run.pid } } });

  expect(await project.ccJson(...CANCEL)).toMatchObject({
    exitCode: 0,
    value: { cancelled: true, pid: run.pid },
  });
  expect(await project.read(`${FOLDER}/progress.log`)).toContain(
    `[cancel] ended cc ralph (process ${run.pid})\n`,
  );
  const before = await project.snapshot(FOLDER);
  const { exitCode, signal } = await run.ended;
  expect(exitCode ?? signal).toBe(143);
  expect(run.isCheckAlive()).toBe(false);
  expect(await project.snapshot(FOLDER)).toEqual(before);
  expect(Object.keys(before)).not.toContain(LEASE);

  const again = await project.ccJson(...CANCEL);
  expect(again).toMatchObject({ exitCode: 0, value: { cancelled: false } });
  const { value } = await project.ccJson('status');
  expect(value['running']).toBeUndefined();
});

test('ends a run that is stopped and hears no polite signal, in two seconds', async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  run.signal('SIGSTOP');
  const startedAt = performance.now();
  expect(await project.ccJson(...CANCEL)).toMatchObject({ value: { cancelled: true } });
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  expect(await run.ended).toMatchObject({ signal: 'SIGKILL' });
  expect(run.isCheckAlive()).toBe(false);
});

test('ends a stopped run that holds the lock as well', async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  run.signal('SIGSTOP');
  await project.write(LOCK, await project.read(LEASE));
  const startedAt = performance.now();
  expect(await project.ccJson(...CANCEL)).toMatchObject({ value: { cancelled: true } });
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  // The lock of the dead is taken over like any other.
  expect((await project.cc('ralplan', '--reject', '--session', ID)).exitCode).toBe(0);
  expect(Object.keys(await project.snapshot(FOLDER))).not.toContain(LOCK);
});

test('ends what a killed run left running', async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  run.signal('SIGKILL');
  await run.ended;
  expect(run.isCheckAlive()).toBe(true);
  const { value } = await project.ccJson('status');
  expect(value['running']).toBeUndefined();

  expect((await project.cc(...CANCEL)).exitCode).toBe(0);
  expect(await until(() => gone(() => run.isCheckAlive()))).toBe(true);
});

test('works on a session that cannot be read', async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  await project.write(`${FOLDER}/mode.json`, '{"stage":');
  await project.write(`${FOLDER}/.transition.json`, '[');
  expect((await project.cc(...CANCEL)).exitCode).toBe(0);
  await run.ended;
  expect(run.isCheckAlive()).toBe(false);
  expect(await project.read(`${FOLDER}/mode.json`)).toBe('{"stage":');
});

test('signals nobody for a lease that came with a clone', async () => {
  await using project = await sessionAt('approved');
  const at = new Date().toISOString();
  const lease = { command: 'cc ralph', startedAt: at, heartbeatAt: at };
  // A real process of ours, as another machine, another boot and another container would name it.
  const { pid } = process;
  for (const holder of [
    foreignHolder({ pid }),
    foreignHolder({ host: (await readFile('/etc/hostname', 'utf8')).trim(), bootId: '', pid }),
    foreignHolder({ pid: 1, startTime: '' }),
  ]) {
    await project.write(LEASE, JSON.stringify({ ...holder, ...lease }));
    let heard = 0;
    const hear = () => heard++;
    process.on('SIGTERM', hear);
    const { exitCode } = await project.cc(...CANCEL);
    await sleep(50);
    process.off('SIGTERM', hear);
    expect({ exitCode, heard }).toEqual({ exitCode: 0, heard: 0 });
    expect(Object.keys(await project.snapshot(FOLDER))).not.toContain(LEASE);
  }
});
