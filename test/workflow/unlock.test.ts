import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfHolder } from '../../src/kernel/base/processes.ts';
import { bundleCrashingCc, type CrashingCc } from '../support/crash-lab.ts';
import { deadHolder, foreignHolder } from '../support/holders.ts';
import { LEASE, LOCK, sleepingSession, startRun } from '../support/live-run.ts';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';
import { answering, type TempProject } from '../support/temp-project.ts';

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(() => cc[Symbol.asyncDispose]());

const UNLOCK = ['unlock', '--session', ID];
const REJECT = ['ralplan', '--reject', '--session', ID];
const at = new Date().toISOString();
const run = { command: 'cc ralph', startedAt: at, heartbeatAt: at };

async function hidden(project: TempProject): Promise<readonly string[]> {
  const names = Object.keys(await project.snapshot(FOLDER));
  return names.map((path) => path.slice(FOLDER.length + 1)).filter((name) => name.startsWith('.'));
}

test('what dead processes left is cleared without a question', async () => {
  await using project = await sessionAt('approved');
  using held = await deadHolder();
  await project.write(LOCK, JSON.stringify(held.holder));
  await project.write(`${LOCK}.${held.holder.nonce}`, JSON.stringify(held.holder));
  await project.write(LEASE, JSON.stringify({ ...held.holder, ...run }));
  project.io = { prompter: answering() };
  expect(await project.ccJson(...UNLOCK)).toMatchObject({ exitCode: 0, value: { removed: 2 } });
  expect(await hidden(project)).toEqual([]);
});

test('a lock of another machine goes only with a yes', { timeout: 40_000 }, async () => {
  await using project = await sessionAt('approved');
  await project.write(LOCK, JSON.stringify(foreignHolder({ pid: 4711 })));
  const busy = await project.ccJson(...REJECT);
  expect(busy).toMatchObject({
    exitCode: 9,
    value: { error: { message: 'Process 4711 on elsewhere.example is writing this session' } },
  });
  const before = await project.snapshot();
  project.io = { prompter: answering(false) };
  expect((await project.cc(...UNLOCK)).exitCode).toBe(7);
  expect(await project.snapshot()).toEqual(before);
  project.io = { prompter: answering(true) };
  const { exitCode, stderr } = await project.cc(...UNLOCK);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('process 4711 on elsewhere.example may still be writing s1'),
  });
  project.io = {};
  expect((await project.cc(...REJECT)).exitCode).toBe(0);
});

test('a live lease of another machine goes only with a yes', async () => {
  await using project = await sessionAt('approved');
  await project.write(LEASE, JSON.stringify({ ...foreignHolder({ pid: 4711 }), ...run }));
  expect((await project.cc('ralph', '--session', ID)).exitCode).toBe(9);
  project.io = { prompter: answering(true) };
  expect((await project.cc(...UNLOCK)).exitCode).toBe(0);
  expect((await project.cc('ralph', '--session', ID)).exitCode).toBe(0);
});

test('a live run on this machine keeps its lease, and the remedy ends it', async () => {
  await using project = await sleepingSession();
  const live = await startRun(cc, project);
  const before = await project.snapshot();
  project.io = { prompter: answering(true) };
  expect(await project.ccJson(...UNLOCK)).toMatchObject({
    exitCode: 9,
    value: {
      error: {
        code: 'SESSION_BUSY',
        message: expect.stringContaining(`Process ${live.pid} on `),
        hint: `cc cancel --session ${ID}`,
      },
    },
  });
  expect(await project.snapshot()).toEqual(before);
  expect(live.isCheckAlive()).toBe(true);
  expect((await project.cc('cancel', '--session', ID)).exitCode).toBe(0);
  await live.ended;
  expect(await project.ccJson(...UNLOCK)).toMatchObject({ exitCode: 0, value: { removed: 0 } });
});

test('a writer that hangs on this machine keeps its lock until it is ended', async () => {
  await using project = await sessionAt('approved');
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  await project.write(LOCK, JSON.stringify(selfHolder(randomUUID(), child.pid)));
  const before = await project.snapshot();
  project.io = { prompter: answering(true) };
  expect(await project.ccJson(...UNLOCK)).toMatchObject({
    exitCode: 9,
    value: { error: { code: 'SESSION_BUSY', hint: `kill -9 ${child.pid}` } },
  });
  expect(await project.snapshot()).toEqual(before);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await project.ccJson(...UNLOCK)).toMatchObject({ exitCode: 0, value: { removed: 1 } });
});

const evil = (project: TempProject) => join(dirname(project.root), 'outside');

test.each<[string, (project: TempProject) => Promise<void>]>([
  ['empty', (project) => project.write(LOCK, '')],
  ['half a lock', (project) => project.write(LOCK, '{"nonce":"')],
  ['for everybody', (project) => project.write(LOCK, JSON.stringify(foreignHolder({ pid: -1 })))],
  ['a folder', (project) => project.write(`${LOCK}/inside`, 'x')],
  [
    'a link to a file of somebody',
    async (project) => symlink(evil(project), join(project.root, LOCK)),
  ],
  [
    'a link to a lock of somebody',
    async (project) => {
      await writeFile(evil(project), JSON.stringify(foreignHolder()));
      await symlink(evil(project), join(project.root, LOCK));
    },
  ],
])('a lock that came with a clone, %s: said, and cleared', async (_case, plant) => {
  await using project = await sessionAt('approved');
  await writeFile(evil(project), 'theirs');
  await plant(project);
  const before = await project.snapshot();
  const refused = await project.ccJson(...REJECT);
  expect(refused).toMatchObject({
    exitCode: 7,
    value: {
      error: {
        code: 'SESSION_DAMAGED',
        message: expect.stringContaining('.lock'),
        hint: expect.stringMatching(/^cc unlock/),
      },
    },
  });
  expect(await project.snapshot()).toEqual(before);
  expect((await project.cc('status')).exitCode).toBe(0);
  project.io = { prompter: answering(true) };
  expect((await project.cc(...UNLOCK)).exitCode).toBe(0);
  expect(await hidden(project)).toEqual([]);
  project.io = {};
  expect((await project.cc(...REJECT)).exitCode).toBe(0);
});

test.each<[string, (project: TempProject) => Promise<unknown>]>([
  ['no lease', (project) => project.write(LEASE, '{"pid":1}')],
  [
    'of process 0',
    (project) => project.write(LEASE, JSON.stringify({ ...foreignHolder({ pid: 0 }), ...run })),
  ],
  [
    'a link',
    async (project) => {
      await writeFile(
        evil(project),
        JSON.stringify({ ...foreignHolder({ nonce: randomUUID() }), ...run }),
      );
      await symlink(evil(project), join(project.root, LEASE));
    },
  ],
  ['a folder', (project) => mkdir(join(project.root, LEASE))],
])('a lease that came with a clone, %s, holds nobody up for long', async (_case, plant) => {
  await using project = await sessionAt('approved');
  await plant(project);
  expect((await project.ccJson('status')).value['running']).toBeUndefined();
  project.io = { prompter: answering(true) };
  expect((await project.cc(...UNLOCK)).exitCode).toBe(0);
  project.io = {};
  expect((await project.cc('ralph', '--session', ID)).exitCode).toBe(0);
  expect(await hidden(project)).toEqual([]);
});
