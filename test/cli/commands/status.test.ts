import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, PLAN, sessionAt } from '../../support/sessions.ts';
import { TempProject } from '../../support/temp-project.ts';

const OTHER = '.chainlesschain/sessions/s2/intent.md';

test('no session', async () => {
  await using project = await TempProject.createRepository();
  expect(await project.cc()).toEqual({
    exitCode: 0,
    stdout: `No open session in ${project.root}\nNext: cc deep-interview "<what you want>"\n`,
    stderr: '',
  });
  expect(await project.ccJson()).toEqual({
    exitCode: 0,
    value: { project: project.root, open: [], next: 'cc deep-interview "<what you want>"' },
  });
});

test('several open ones and none chosen: names them, and the next command chooses one', async () => {
  await using project = await sessionAt('plan');
  await project.write(OTHER, INTENT.replace(ID, 's2').replace('Say 42', 'Say 43'));
  await project.write('.chainlesschain/sessions/s3/mode.json', '{');
  expect((await project.cc()).stdout).toBe(
    [
      `3 sessions are open in ${project.root}, and none is chosen`,
      '  s1: plan  Say 42',
      '  s2: intent  Say 43',
      '  s3: damaged',
      'Next: cc session use s1',
      '',
    ].join('\n'),
  );
  expect((await project.cc('session', 'use', 's1')).stdout).toBe(
    'Commands are about s1 now\nNext: cc ralplan --approve\n',
  );
  expect((await project.cc()).stdout).toMatch(/^s1: plan\n/);
});

test('a damaged session: which file and line, and how it is repaired', async () => {
  await using project = await sessionAt('plan');
  await project.write(`${FOLDER}/tasks.json`, '{\n  "tasks": [,]\n}\n');
  const { exitCode, stderr } = await project.cc();
  expect(exitCode).toBe(7);
  expect(stderr).toMatch(/^SESSION_DAMAGED: .*tasks\.json.*\nNext: cc repair --session s1\n$/);
});

test('what each stage shows', async () => {
  await using project = await sessionAt('verified');
  expect((await project.cc()).stdout).toBe(
    [
      's1: verify',
      'goal: Say 42',
      'plan: approved',
      '  ✓ Write the answer',
      'checks: passed',
      'Next: cc complete',
      '',
    ].join('\n'),
  );
});

test('back at the plan, checks of another time are not told', async () => {
  await using project = await sessionAt('verified');
  const { stderr } = await project.cc('reset', '--to', 'plan', '--session', ID);
  expect(stderr).toMatch(/^plan: p1:[0-9a-f]{64}$/m);
  expect((await project.cc()).stdout).not.toContain('checks:');
});

test('after completion and its commit the next command begins anew', async () => {
  await using project = await sessionAt('complete');
  await project.cc('complete', '--commit', '--session', ID);
  const { stdout } = await project.cc('status', '--session', ID);
  expect(stdout).toMatch(/^s1: complete\n[^]*\nNext: cc deep-interview "<what you want>"\n$/);
});

test('open questions are read out while the intent is being made', async () => {
  await using project = await sessionAt('intent');
  await project.write(`${FOLDER}/intent.md`, `${INTENT}\n## Open Questions\n\n- scope: Where? →\n`);
  expect((await project.cc()).stdout).toBe(
    's1: intent\ngoal: Say 42\nopen questions: 1\n  ? scope: Where?\nNext: cc deep-interview\n',
  );
});

test.each([
  ['team', 'size: The scope covers 2 parts. A session for each may be easier.\n'],
  ['ralph', undefined],
])('a hint for a %s is told in words, and only where it helps', async (decision, line) => {
  await using project = await sessionAt('intent');
  const routingHint = { decision, reason: 'The scope covers 2 parts.' };
  await project.write(`${FOLDER}/mode.json`, JSON.stringify({ stage: 'intent', routingHint }));
  const { stdout } = await project.cc();
  if (line === undefined) expect(stdout).not.toMatch(/parts|ralph:|hint/);
  else expect(stdout).toContain(line);
  expect((await project.ccJson()).value).toMatchObject({ routingHint });
});

test('a flag that was set by hand is named with its line', async () => {
  await using project = await sessionAt('plan', {
    plan: PLAN.replace('approved: false', 'approved: true'),
  });
  expect((await project.cc()).stdout).toContain(
    'plan: says approved, but none was recorded (plan.md:3)\n',
  );
});

test('another branch', async () => {
  await using project = await sessionAt('approved');
  await project.git('checkout', '--quiet', '-b', 'other');
  expect((await project.cc()).stdout).toContain(
    '\nbranch: last worked on in main; this is other\n',
  );
  await project.git('checkout', '--quiet', '--detach');
  expect((await project.cc()).stdout).toContain(
    '\nbranch: last worked on in main; no branch is checked out now\n',
  );
});

test('in the home folder it says why not, and where to', async () => {
  await using project = await TempProject.create();
  project.io = { cwd: project.home };
  expect(await project.cc()).toEqual({
    exitCode: 6,
    stdout: '',
    stderr: `REQUEST_INVALID: ${project.home} is your home folder, not a project\nNext: cc status --cwd <project>\n`,
  });
});

test('outside of git it works as well', async () => {
  await using project = await TempProject.create({ [`${FOLDER}/intent.md`]: INTENT });
  expect((await project.cc()).stdout).toMatch(/^s1: intent\n/);
});

test('another session with --session: the next command names it', async () => {
  await using project = await sessionAt('plan');
  await project.write(OTHER, INTENT);
  await project.cc('session', 'use', 's2');
  expect((await project.cc('status', '--session', ID)).stdout).toMatch(
    /\nNext: cc ralplan --approve --session s1\n$/,
  );
  expect((await project.cc('log', '--session', ID)).stdout).toMatch(
    /\nNext: cc status --session s1\n$/,
  );
});

test('looking writes nothing into the project', async () => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  for (const argv of [
    [],
    ['status'],
    ['log'],
    ['session', 'list'],
    ['session', 'show'],
    ['check'],
    ['doctor'],
    ['config'],
  ]) {
    expect((await project.cc(...argv)).exitCode, argv.join(' ')).toBe(0);
  }
  expect(await project.snapshot()).toEqual(before);
});

test('a home that is a file, so that no cache and no key can be made', async () => {
  await using project = await sessionAt('plan');
  await writeFile(join(project.home, 'file'), '');
  project.env = { CHAINLESSCHAIN_HOME: join(project.home, 'file') };
  expect(await project.cc()).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^s1: plan\n/),
  });
});

test('hostile text in goal, plan and folder names is shown, not obeyed', async () => {
  const evil = '\u001b]0;owned\u0007\u202e\u009b2J';
  const plan = PLAN.replaceAll('Write the answer', `Write ${evil}`);
  await using project = await sessionAt('plan', {
    plan,
    intent: INTENT.replaceAll('Say 42', `Say ${evil}`),
  });
  await mkdir(join(project.root, `.chainlesschain/sessions/${evil.replaceAll('/', '')}`));
  const screens = [
    ['status'],
    ['session', 'list'],
    ['session', 'show'],
    ['session', 'workflow', ID],
    ['check'],
    ['doctor'],
    ['ralplan'],
    ['ralplan', '--approve'],
    ['ralplan', '--approve', '--session', ID],
    ['ralph'],
    ['log'],
  ];
  for (const argv of screens) {
    for (const form of [[], ['--json']]) {
      const { stdout, stderr } = await project.cc(...argv, ...form);
      expect(`${stdout}${stderr}`, argv.join(' ')).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/,
      );
      expect(`${stdout}${stderr}`.length, argv.join(' ')).toBeGreaterThan(5);
    }
  }
  expect((await project.cc('status')).stdout).toContain(
    'goal: Say \\x1b]0;owned\\x07\\u202e\\x9b2J\n',
  );
});

test('a session folder that is a link to elsewhere is not followed', async () => {
  await using project = await TempProject.createRepository();
  await using elsewhere = await sessionAt('plan');
  await project.write('.chainlesschain/.keep', '');
  await symlink(
    join(elsewhere.root, '.chainlesschain/sessions'),
    join(project.root, '.chainlesschain/sessions'),
  );
  const { exitCode, stderr } = await project.cc();
  expect({ exitCode, stderr }).toEqual({
    exitCode: 7,
    stderr: expect.stringMatching(/^PATH_OUTSIDE_WORKSPACE: /),
  });
  await chmod(elsewhere.root, 0o755);
});
