import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { selfHolder } from '../../../src/kernel/base/processes.ts';
import { LEASE } from '../../support/live-run.ts';
import { FOLDER, ID, INTENT, sessionAt } from '../../support/sessions.ts';
import { TempProject } from '../../support/temp-project.ts';

async function withTwo(): Promise<TempProject> {
  const project = await sessionAt('approved');
  await project.write(
    '.chainlesschain/sessions/longer-name/intent.md',
    INTENT.replace('Say 42', 'Other'),
  );
  await project.write('.chainlesschain/sessions/.theirs/intent.md', INTENT);
  return project;
}

test('list: newest first, in columns', async () => {
  await using project = await withTwo();
  await project.cc('session', 'use', ID);
  expect((await project.cc('session', 'list')).stdout).toBe(
    [
      '▸ s1           plan    Say 42',
      '  .theirs      intent  Say 42',
      '  longer-name  intent  Other',
      'Next: cc status',
      '',
    ].join('\n'),
  );
});

test('list says what runs, and where', async () => {
  await using project = await withTwo();
  const at = new Date().toISOString();
  const run = { command: 'cc ralph', startedAt: at, heartbeatAt: at };
  await project.write(LEASE, JSON.stringify({ ...selfHolder(randomUUID()), ...run }));
  expect((await project.cc('session', 'list')).stdout).toContain(
    '\n  longer-name  intent  Other\n',
  );
  expect((await project.cc('session', 'list')).stdout).toContain(
    '  s1           plan    Say 42 (running: cc ralph)\n',
  );
});

test('workflow: the keys that older readers know', async () => {
  await using project = await withTwo();
  const { exitCode, stdout } = await project.cc('session', 'workflow', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    {
      sessionId: 's1',
      stage: 'plan',
      updatedAt: expect.any(String),
      hasIntent: true,
      hasPlan: true,
      approved: true,
    },
    {
      sessionId: '.theirs',
      stage: 'intent',
      updatedAt: null,
      hasIntent: true,
      hasPlan: false,
      approved: null,
    },
    {
      sessionId: 'longer-name',
      stage: 'intent',
      updatedAt: null,
      hasIntent: true,
      hasPlan: false,
      approved: null,
    },
  ]);
});

test('workflow of one: its documents and the end of its log', async () => {
  await using project = await withTwo();
  const progress = Array.from({ length: 25 }, (_, at) => `entry ${at + 1}\n`).join('');
  await project.write(`${FOLDER}/progress.log`, progress);
  const { value } = await project.ccJson('session', 'workflow', ID);
  expect(Object.keys(value)).toEqual([
    'sessionId',
    'dir',
    'mode',
    'intent',
    'plan',
    'planApproved',
    'progress',
  ]);
  expect(value).toMatchObject({
    sessionId: ID,
    dir: `${project.root}/${FOLDER}`,
    mode: { stage: 'plan' },
    intent: INTENT,
    planApproved: true,
    progress,
  });
  const { stdout } = await project.cc('session', 'workflow', ID);
  expect(stdout.match(/^entry .*$/gm)).toHaveLength(20);
  expect(stdout).toContain('\n# Intent\n');
});

test('show: every document; what is not there is null', async () => {
  await using project = await withTwo();
  expect((await project.ccJson('session', 'show', 'longer-name')).value).toMatchObject({
    sessionId: 'longer-name',
    stage: 'intent',
    plan: null,
    tasks: null,
    verify: null,
    progress: null,
    summary: null,
  });
  expect((await project.ccJson('session', 'show', ID)).value).toMatchObject({
    plan: { approved: true, raw: await project.read(`${FOLDER}/plan.md`) },
    tasks: { tasks: [{ id: 'write', status: 'pending' }] },
  });
});

test('a folder that other programs named can be read, and not worked on', async () => {
  await using project = await withTwo();
  expect((await project.ccJson('session', 'show', '.theirs')).value).toMatchObject({
    sessionId: '.theirs',
  });
  expect((await project.ccJson('session', 'use', '.theirs')).value).toMatchObject({
    error: { code: 'SESSION_ID_INVALID' },
  });
});

test('use: in any spelling of the id, and only what is there', async () => {
  await using project = await withTwo();
  expect((await project.ccJson('session', 'use', 'S1')).value).toMatchObject({ session: 's1' });
  expect(await project.read('.chainlesschain/current')).toBe('s1\n');
  expect(await project.ccJson('session', 'use', 's9')).toMatchObject({
    exitCode: 6,
    value: { error: { code: 'SESSION_NOT_FOUND', hint: 'cc session list' } },
  });
  expect(await project.read('.chainlesschain/current')).toBe('s1\n');
});

test('no session', async () => {
  await using project = await TempProject.createRepository();
  expect((await project.cc('session', 'list')).stdout).toBe(
    `No session in ${project.root}\nNext: cc deep-interview "<what you want>"\n`,
  );
  expect((await project.ccJson('session', 'list')).value['sessions']).toEqual([]);
});
