import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc } from '../support/crash-lab.ts';
import { foreignHolder } from '../support/holders.ts';
import { LEASE, SLEEPING_PLAN, sleepingSession, startRun, until } from '../support/live-run.ts';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(() => cc[Symbol.asyncDispose]());

const RALPH = ['ralph', '--session', ID];

function leaseOf(holder: object, heartbeatAt: Date): string {
  const at = heartbeatAt.toISOString();
  return JSON.stringify({ ...holder, command: 'cc ralph', startedAt: at, heartbeatAt: at });
}

const ELSEWHERE = {
  'another machine': foreignHolder({ pid: 4711 }),
  'another pid namespace': { ...foreignHolder({ pid: 4711 }), pidNamespace: 'pid:[1]' },
};

test.each([
  ['another machine', 119, 9],
  ['another pid namespace', 119, 9],
  ['another machine', 121, 0],
  ['another pid namespace', 121, 0],
  ['another machine', -3_600, 0],
] as const)('a lease of %s, last heard of %i s ago: exit %i', async (place, seconds, exitCode) => {
  await using project = await sessionAt('approved');
  const now = new Date();
  project.io = { clock: { now: () => now, every: () => () => undefined } };
  const lease = leaseOf(ELSEWHERE[place], new Date(now.getTime() - seconds * 1_000));
  await project.write(LEASE, lease);
  const run = await project.cc(...RALPH);
  expect(run.exitCode).toBe(exitCode);
  if (exitCode === 0) return;
  expect(run.stderr).toContain('Process 4711 on elsewhere.example (cc ralph)');
  expect(await project.read(LEASE)).toBe(lease);
});

test('the next run ends what a killed one left running, and goes on', async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  run.signal('SIGKILL');
  await run.ended;
  expect(run.isCheckAlive()).toBe(true);
  const next = await startRun(cc, project);
  expect(next.check).not.toBe(run.check);
  expect(run.isCheckAlive()).toBe(false);
  next.signal('SIGTERM');
  await next.ended;
  expect(await project.json(`${FOLDER}/tasks.json`)).toMatchObject({
    tasks: [
      { id: 'write', actionsDone: 1 },
      { id: 'tell', status: 'pending' },
    ],
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a run with %i: no process, no lease, and the next one goes on',
  async (name, status) => {
    await using project = await sleepingSession();
    const run = await startRun(cc, project);
    run.signal(name);
    expect(await run.ended).toMatchObject({ exitCode: status });
    expect(run.isCheckAlive()).toBe(false);
    const names = Object.keys(await project.snapshot(FOLDER)).map((path) => path.split('/').at(-1));
    expect(names.filter((left) => left?.startsWith('.') || left?.endsWith('.tmp'))).toEqual([]);
    expect(await project.json(`${FOLDER}/tasks.json`)).toMatchObject({
      tasks: [
        { id: 'write', status: 'running' },
        { id: 'tell', status: 'pending' },
      ],
    });
    const next = await startRun(cc, project);
    expect(next.check).not.toBe(run.check);
    next.signal('SIGKILL');
    await next.ended;
    await project.cc('cancel', '--session', ID);
  },
);

test('a run that lost its lease stops with 130 at its next write', async () => {
  await using project = await sessionAt('approved', {
    plan: SLEEPING_PLAN.replace('sleep 60', 'sleep 2'),
  });
  const run = await startRun(cc, project);
  const before = await project.read(`${FOLDER}/progress.log`);
  // As `cc unlock` does it from where the process cannot be seen.
  await project.write(LEASE, leaseOf(foreignHolder(), new Date()));
  expect(await run.ended).toMatchObject({
    exitCode: 130,
    stderr: expect.stringContaining('REQUEST_CANCELLED'),
  });
  expect(await project.read(`${FOLDER}/progress.log`)).toBe(before);
  // What is there now is not its own, so it stays.
  expect(await project.read(LEASE)).toContain('elsewhere.example');
});

test('a live lease shows in status, and is gone with its process', async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  const running = async () => (await project.ccJson('status')).value['running'];
  expect(await running()).toMatchObject({ pid: run.pid, command: 'cc ralph' });
  run.signal('SIGKILL');
  await run.ended;
  expect(await until(async () => (await running()) === undefined)).toBe(true);
  await project.cc('cancel', '--session', ID);
});
