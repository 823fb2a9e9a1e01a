import { expect, test } from 'vitest';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';
import { Screen } from '../support/tmux.ts';

const QUESTION = 'Approve exactly this? (y/N)';
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The home of the project's own, so that keys and caches are not shared. */
const open = (project: TempProject, line: string, more: Parameters<typeof Screen.open>[2] = {}) =>
  Screen.open(project.root, line, { ...more, env: { HOME: project.home, ...more.env } });

const isApproved = async (project: TempProject) =>
  (await project.read(`${FOLDER}/plan.md`)).includes('\napproved: true\n');

test('an approval: the plan, the question, one key', async () => {
  await using project = await sessionAt('plan');
  await using screen = await open(project, 'ralplan --approve');
  await screen.shows(QUESTION);
  expect(await screen.text()).toContain('writes    answer.txt');
  await screen.press('y');
  expect(await screen.ended()).toEqual({ exit: 0, isRestored: true });
  await screen.shows(`Plan of ${ID} approved.`);
  expect(await isApproved(project)).toBe(true);
});

test.each([
  ['n', 'n', 7],
  ['Enter', 'Enter', 7],
  ['Escape', 'Escape', 7],
  ['Ctrl-C', 'C-c', 130],
])('%s approves nothing', async (_title, key, exit) => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  await using screen = await open(project, 'ralplan --approve');
  await screen.shows(QUESTION);
  await screen.press(key);
  expect(await screen.ended()).toEqual({ exit, isRestored: true });
  expect(await project.snapshot()).toEqual(before);
});

test('what was typed ahead approves nothing', async () => {
  await using project = await sessionAt('plan');
  await using screen = await open(project, 'ralplan --approve');
  await screen.type('y\ny\n');
  await screen.shows(QUESTION);
  await wait(500);
  expect(await screen.text()).toMatch(/\(y\/N\)\s*$/);
  await screen.press('n');
  expect(await screen.ended()).toEqual({ exit: 7, isRestored: true });
  expect(await isApproved(project)).toBe(false);
});

test.each([
  ['with the marks of the terminal', {}],
  ['without them', { TERM: 'dumb' }],
])('pasted text approves nothing, %s', async (_title, env) => {
  await using project = await sessionAt('plan');
  await using screen = await open(project, 'ralplan --approve', { env });
  await screen.shows(QUESTION);
  for (const text of ['do this\ny\nrm x\n', 'y\ny\n', 'yy', 'y\n']) {
    await screen.paste(text);
    await wait(200);
  }
  expect(await screen.text()).toMatch(/\(y\/N\)\s*$/);
  await wait(600);
  await screen.press('y');
  expect(await screen.ended()).toEqual({ exit: 0, isRestored: true });
});

test('a paste whose end never comes does not take the keyboard away', async () => {
  await using project = await sessionAt('plan');
  await using screen = await open(project, 'ralplan --approve');
  await screen.shows(QUESTION);
  await screen.type('\u001b[200~y');
  await wait(800);
  await screen.press('y');
  expect(await screen.ended()).toEqual({ exit: 0, isRestored: true });
});

test('the interview: Enter takes the recommendation', async () => {
  await using project = await TempProject.createRepository({ 'src/a.js': '' });
  await using screen = await open(project, 'deep-interview "say 42" --session i1');
  await screen.shows('Which files or folders may be changed?');
  await screen.shows('│  The request names no file or folder');
  await wait(200);
  await screen.type('src');
  await screen.press('Enter');
  await screen.shows('How will you see that it is done?');
  await screen.shows('This works: say 42');
  await wait(200);
  await screen.press('Enter');
  expect(await screen.ended()).toEqual({ exit: 0, isRestored: true });
  const intent = await project.read('.chainlesschain/sessions/i1/intent.md');
  expect(intent).toContain('- Scope: src\n');
  expect(intent).toContain('- AC1: This works: say 42\n');
});

test.each([
  ['colours', {}, 'Which files'],
  ['TERM=dumb', { TERM: 'dumb' }, 'Which files'],
])(
  'Ctrl-C at a question of the interview writes nothing, with %s',
  async (_title, env, question) => {
    await using project = await TempProject.createRepository({ 'src/a.js': '' });
    const before = await project.snapshot();
    await using screen = await open(project, 'deep-interview "say 42"', { env });
    await screen.shows(question);
    await wait(300);
    await screen.press('C-c');
    expect(await screen.ended()).toEqual({ exit: 130, isRestored: true });
    await screen.shows('REQUEST_CANCELLED');
    expect(await project.snapshot()).toEqual(before);
  },
);

test('40 columns: questions are broken between words, beside the bar', async () => {
  await using project = await TempProject.createRepository({ 'src/a.js': '' });
  await using screen = await open(project, 'deep-interview "say 42"', { columns: 40 });
  await screen.shows('│  The request names no file or folder,');
  expect(
    (await screen.text()).split('\n').filter((line) => /^\S/.test(line) && !/^[│◆└]/.test(line)),
  ).toEqual([]);
  await wait(200);
  await screen.press('C-c');
  expect((await screen.ended()).isRestored).toBe(true);
});

test('a terminal that can do nothing: a question, a line', async () => {
  await using project = await TempProject.createRepository({ 'src/a.js': '' });
  await using screen = await open(project, 'deep-interview "say 42" --session i1', {
    env: { TERM: 'dumb' },
  });
  await screen.shows(/Which files or folders may be changed\?.*\nThe request names.*\n\[src\] >/);
  await wait(200);
  await screen.type('src');
  await screen.press('Enter');
  await screen.shows('[This works: say 42]');
  await wait(200);
  await screen.press('Enter');
  expect(await screen.ended()).toEqual({ exit: 0, isRestored: true });
  expect(await project.read('.chainlesschain/sessions/i1/intent.md')).toContain(
    '- AC1: This works: say 42\n',
  );
});

test('--no-input asks nobody, also at a terminal', async () => {
  await using project = await sessionAt('plan');
  await using screen = await open(project, 'ralplan --approve --no-input');
  expect(await screen.ended()).toEqual({ exit: 8, isRestored: true });
});

test.each([['status --watch'], ['log --follow']])(
  '%s ends at Ctrl-C with status 0',
  async (line) => {
    await using project = await sessionAt('approved');
    await using screen = await open(project, line);
    await screen.shows(/s1: plan|approved by/);
    await wait(500);
    await screen.press('C-c');
    expect(await screen.ended()).toEqual({ exit: 0, isRestored: true });
  },
);
