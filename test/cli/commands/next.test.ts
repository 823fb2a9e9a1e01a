import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, PLAN, planOf, sessionAt } from '../../support/sessions.ts';
import { answering, TempProject } from '../../support/temp-project.ts';

const stageOf = async (project: TempProject) => (await project.ccJson('status')).value['stage'];

test('from a goal to completion, a person answering', async () => {
  await using project = await TempProject.createRepository({ 'answer.txt': 'no\n' });
  project.io = { prompter: answering('say 42', '.', 'answer.txt says 42', true) };
  const ran: string[] = [];
  const next = async (...more: string[]) => {
    const { exitCode, stderr } = await project.cc('next', ...more);
    ran.push(...[...stderr.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line ?? ''));
    return exitCode;
  };
  expect(await next()).toBe(0);
  expect(await next()).toBe(0);
  const { session } = (await project.ccJson('status')).value;
  const folder = `.chainlesschain/sessions/${String(session)}`;
  const plan = await project.read(`${folder}/plan.md`);
  await project.write(
    `${folder}/plan.md`,
    plan.replace(
      /## Verification\n[^]*?(?=\n## )/,
      '## Verification\n\n- `grep -qx 42 answer.txt`\n',
    ),
  );
  // The step is prose, so it is the person's.
  expect(await next('--until', 'complete')).toBe(8);
  await project.write('answer.txt', '42\n');
  expect(await next('--until', 'complete')).toBe(0);
  expect(ran).toEqual([
    'cc deep-interview',
    'cc ralplan',
    'cc ralplan --approve',
    'cc ralph',
    'cc ralph',
    'cc verify',
    'cc complete',
  ]);
  expect(await project.ccJson('status', '--session', String(session))).toMatchObject({
    value: { stage: 'complete' },
  });
});

test('--until verify goes no further, and says so when it is called again', async () => {
  await using project = await sessionAt('approved');
  expect((await project.cc('next', '--until', 'verify')).exitCode).toBe(0);
  expect(await stageOf(project)).toBe('verify');
  const before = await project.snapshot();
  expect((await project.cc('next', '--until', 'verify')).stdout).toBe(
    's1 is at verify already\nNext: cc complete\n',
  );
  expect(await project.snapshot()).toEqual(before);
});

test('without --until it is one command', async () => {
  await using project = await sessionAt('approved');
  const { stderr } = await project.cc('next');
  expect(stderr.match(/^\$ .*$/gm)).toEqual(['$ cc ralph']);
});

test('with --json one document, of the last command', async () => {
  await using project = await sessionAt('approved');
  const { exitCode, stdout, stderr } = await project.cc('next', '--until', 'complete', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ session: ID, stage: 'complete' });
});

test('a check that fails ends the chain', async () => {
  await using project = await sessionAt('approved', { plan: PLAN.replace('   42\n', '   41\n') });
  const { exitCode, stderr } = await project.cc('next', '--until', 'complete');
  expect({ exitCode, ran: stderr.match(/^\$ .*$/gm) }).toEqual({
    exitCode: 1,
    ran: ['$ cc ralph'],
  });
});

test('naming the session approves nothing: the command did not spell an approval out', async () => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  const { exitCode, value } = await project.ccJson('next', '--session', ID, '--until', 'complete');
  expect(exitCode).toBe(8);
  expect(value).toMatchObject({
    error: {
      code: 'INPUT_REQUIRED',
      hint: expect.stringMatching(/^cc ralplan --approve --session s1 --hash p1:[0-9a-f]{64}$/),
    },
  });
  expect(await project.snapshot()).toEqual(before);
});

test('what needs words of a person is not run with placeholders', async () => {
  const plan = planOf(
    [{ title: 'Write', lines: ['- id: write', '', '```text file=answer.txt', '42', '```'] }],
    ['- `sh check.sh`', '- AC1: review'],
  );
  await using project = await sessionAt('executed', { plan });
  await project.cc('verify');
  const { exitCode, value } = await project.ccJson('next');
  expect({ exitCode, value }).toMatchObject({
    exitCode: 8,
    value: { error: { code: 'BLOCKED_ON_HUMAN', hint: 'cc verify --accept AC1 --reason "…"' } },
  });
});

test('several open sessions are no reason to open another', async () => {
  await using project = await sessionAt('intent');
  await project.write('.chainlesschain/sessions/s2/intent.md', INTENT);
  const before = await project.snapshot();
  expect((await project.ccJson('next')).value).toMatchObject({
    error: { code: 'SESSION_NOT_FOUND', hint: 'cc session use s1' },
  });
  expect(await project.snapshot()).toEqual(before);
});

test('after completion nothing is due', async () => {
  await using project = await sessionAt('complete');
  expect((await project.cc('next', '--session', ID)).stdout).toBe(
    's1 is complete: nothing is due\nNext: cc deep-interview "<what you want>"\n',
  );
  expect(await project.json(`${FOLDER}/mode.json`)).toMatchObject({ stage: 'complete' });
});

test('what changed after it was verified is verified again, not completed in vain', async () => {
  await using project = await sessionAt('verified');
  await project.write('NOTES.txt', 'x\n');
  const ran = async () => (await project.cc('next')).stderr.match(/^\$ .*$/gm);
  expect(await ran()).toEqual(['$ cc verify']);
  expect(await ran()).toEqual(['$ cc complete']);
});

test('a target that somebody changed is refused as ralph refuses it', async () => {
  await using project = await sessionAt('approved');
  await project.write('answer.txt', '40\n');
  for (const more of [[], ['--until', 'complete']]) {
    expect(await project.ccJson('next', ...more)).toMatchObject({
      exitCode: 7,
      value: {
        error: { code: 'PLAN_CHANGED_SINCE_APPROVAL', hint: /^cc ralplan --approve/ },
      },
    });
  }
});
