import { setImmediate as takeTurns } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc, CrashLab } from '../support/crash-lab.ts';
import { sleepingSession, startRun } from '../support/live-run.ts';
import { FOLDER, ID, INTENT, PLAN, sessionAt } from '../support/sessions.ts';

const TIMEOUT_MS = 60_000;

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(() => cc[Symbol.asyncDispose]());

const named = (...words: string[]) => [...words, '--session', ID];

test('a run refuses every second writer by name, and no other session', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sleepingSession();
  const run = await startRun(cc, project);
  const before = await project.snapshot(FOLDER);
  for (const argv of [
    ['ralph'],
    ['verify'],
    ['ralplan', '--revise', 'another direction'],
    ['ralplan', '--revise'],
    ['ralplan', '--step', 'one more'],
    ['ralplan', '--reject'],
    ['reset', '--to', 'plan'],
  ]) {
    const { exitCode, value } = await project.ccJson(...named(...argv));
    expect({ argv, exitCode, value }).toMatchObject({
      argv,
      exitCode: 9,
      value: {
        error: {
          code: 'SESSION_BUSY',
          message: expect.stringContaining(`Process ${run.pid} on `),
          retryable: true,
        },
      },
    });
  }
  // Its heartbeat is the only thing that may have moved.
  const { [`${FOLDER}/.lease.json`]: _lease, ...rest } = await project.snapshot(FOLDER);
  expect({ ...rest, [`${FOLDER}/.lease.json`]: before[`${FOLDER}/.lease.json`] }).toEqual(before);

  const other = ['--session', 's2'];
  await project.write('.chainlesschain/sessions/s2/intent.md', INTENT);
  await project.write('.chainlesschain/sessions/s2/plan.md', '1. tell Ben\n');
  expect((await project.cc('ralplan', '--approve', ...other)).exitCode).toBe(0);
  expect((await project.cc('ralph', ...other)).exitCode).toBe(8);
  await project.cc('cancel', ...named());
  await run.ended;
});

test('an amendment beside a run holds, and the run goes by it', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sessionAt('approved', {
    plan: `${PLAN.replace('   - criteria: AC1\n', () => '   - criteria: AC1\n   - verify: `echo $$ > "$HOME/check.pid"; sleep 3`\n')}`,
  });
  const run = await startRun(cc, project);
  const plan = await project.read(`${FOLDER}/plan.md`);
  await project.write(
    `${FOLDER}/plan.md`,
    plan.replace('## Verification', '2. Tell Ben\n   - id: tell\n\n## Verification'),
  );
  expect(await project.ccJson(...named('ralplan', '--approve'))).toMatchObject({
    exitCode: 0,
    value: { approved: true, stage: 'execute' },
  });
  expect(await run.ended).toMatchObject({
    exitCode: 8,
    stdout: expect.stringContaining('Tell Ben'),
  });
  expect(await project.json(`${FOLDER}/tasks.json`)).toMatchObject({
    tasks: [
      { id: 'write', status: 'completed' },
      { id: 'tell', status: 'running' },
    ],
  });
});

test('an edit of the plan during a run stops it with a refusal', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sessionAt('approved', {
    plan: PLAN.replace(
      '   - criteria: AC1\n',
      () => '   - criteria: AC1\n   - verify: `echo $$ > "$HOME/check.pid"; sleep 2`\n',
    ),
  });
  const run = await startRun(cc, project);
  const plan = await project.read(`${FOLDER}/plan.md`);
  await project.write(`${FOLDER}/plan.md`, plan.replace('sh check.sh', 'true'));
  expect(await run.ended).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining('PLAN_CHANGED_SINCE_APPROVAL'),
  });
});

test('of two runs that begin at once one goes on', { timeout: TIMEOUT_MS }, async () => {
  await using project = await sessionAt('approved');
  const lab = await CrashLab.open(project, cc);
  const runs = [lab.start(named('ralph'), ''), lab.start(named('ralph'), '')];
  const ended = await Promise.all(runs.map((run) => run.ended));
  const statuses = ended.map(({ exitCode }) => exitCode);
  // One after the other is fine too: the second then finds nothing to do.
  expect([
    [0, 0],
    [0, 9],
    [9, 0],
  ]).toContainEqual(statuses);
  const log = (await project.read(`${FOLDER}/progress.log`)).split('\n');
  expect(log.filter((line) => line.includes('[ralph] write ok'))).toHaveLength(1);
  expect(
    log.filter((line) => line !== '').every((line) => /^\[\d{4}-[^\]]+Z\] \[\w+\] /.test(line)),
  ).toBe(true);
});

test('two approvals at once are two approvals, and the plan is approved', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sessionAt('plan');
  const lab = await CrashLab.open(project, cc);
  const approve = () => lab.start(named('ralplan', '--approve'), '').ended;
  const ended = await Promise.all([approve(), approve()]);
  const given = ended.filter(({ exitCode }) => exitCode === 0).length;
  expect(given).toBeGreaterThan(0);
  const mode = await project.json(`${FOLDER}/mode.json`);
  expect(mode['approvalSerial']).toBe(given);
  expect((await project.cc(...named('ralph'))).exitCode).toBe(0);
});

test('whoever looks while others write sees a whole session', { timeout: TIMEOUT_MS }, async () => {
  await using project = await sessionAt('approved');
  let writing = true;
  const writer = (async () => {
    for (let count = 0; count < 4; count++) {
      await project.cc(...named('ralplan', '--step', `Step ${count}`));
      await project.cc(...named('ralplan', '--approve'));
    }
    writing = false;
  })();
  const seen = new Set<string>();
  while (writing) {
    // A look waits for nothing, and the writer is in this process.
    await takeTurns();
    const looks = Array.from({ length: 20 }, () => project.ccJson(...named('status')));
    for (const { exitCode, value } of await Promise.all(looks)) {
      seen.add(`exit ${exitCode}`);
      const { state } = value['plan'] as { state: string };
      seen.add(state);
    }
  }
  await writer;
  expect([...seen].toSorted((a, b) => a.localeCompare(b))).toEqual(['approved', 'draft', 'exit 0']);
});
