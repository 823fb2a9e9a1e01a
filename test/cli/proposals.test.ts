import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { selfHolder } from '../../src/kernel/base/processes.ts';
import { LEASE } from '../support/live-run.ts';
import { FOLDER, ID, INTENT, PLAN, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const NEW_SESSION = 'cc deep-interview "<what you want>"';
const due = async (project: TempProject, ...argv: string[]) =>
  (await project.ccJson(...argv)).value['next'];

/** What a command proposes, and what a bare `cc` proposes right behind it. */
async function both(project: TempProject, ...argv: string[]) {
  return [await due(project, ...argv), await due(project)];
}

const CHECKED_PLAN = PLAN.replace(
  '   - criteria: AC1\n',
  '   - criteria: AC1\n   - verify: `true && test -f answer.txt`\n',
);
const BARE_INTENT = INTENT.replace(/## Acceptance Criteria[^]*/, '');
const UNCHECKED_PLAN = PLAN.replace('- `sh check.sh`', '').replace('   - criteria: AC1\n', '');

test('while something runs, one looks', async () => {
  await using project = await sessionAt('approved');
  const at = new Date().toISOString();
  const run = { command: 'cc ralph', startedAt: at, heartbeatAt: at };
  await project.write(LEASE, JSON.stringify({ ...selfHolder(randomUUID()), ...run }));
  expect(await due(project)).toBe('cc log --follow');
  const before = await project.snapshot();
  expect(await project.ccJson('next')).toMatchObject({
    exitCode: 9,
    value: { error: { code: 'SESSION_BUSY', hint: `cc log --follow --session ${ID}` } },
  });
  expect(await project.snapshot()).toEqual(before);
});

test('after completion: the commit, and when there is one, something new', async () => {
  await using project = await sessionAt('complete');
  await project.write('.chainlesschain/current', `${ID}\n`);
  expect(await due(project)).toBe('cc complete --commit');
  const again = await project.cc('complete', '--commit');
  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  // The summary was read out at the completion.
  expect(again.stdout).toMatch(
    /^s1: complete since before\nCommitted [0-9a-f]{12}\n(?: {2}\S+\n)+\nNext: cc deep-interview /,
  );
  expect(await due(project)).toBe(NEW_SESSION);
});

test('a committed summary that was edited later asks for another commit', async () => {
  await using project = await sessionAt('complete');
  await project.cc('complete', '--commit', ...NAMED);
  await project.write(`${FOLDER}/summary.md`, 'mine\n');
  expect(await due(project, 'status', ...NAMED)).toBe(`cc complete --commit --session ${ID}`);
});

test('after an approval of a plan whose steps are all done, the checks', async () => {
  await using project = await sessionAt('executed');
  expect(await both(project, 'ralplan', '--approve', ...NAMED)).toEqual(['cc verify', 'cc verify']);
});

test('where nothing is checked and nothing was wanted, the plan', async () => {
  await using project = await sessionAt('executed', { plan: UNCHECKED_PLAN, intent: BARE_INTENT });
  const edit = 'cc ralplan --edit';
  expect(await both(project, 'verify', ...NAMED)).toEqual([edit, edit]);
});

test('checks that failed are for ralph, until it saw them pass', async () => {
  await using project = await sessionAt('executed', { plan: CHECKED_PLAN });
  await project.write('answer.txt', '41\n');
  expect(await both(project, 'verify', ...NAMED)).toEqual(['cc ralph', 'cc ralph']);
  const shown = await both(project, 'ralph', ...NAMED);
  expect(shown[1]).toBe(shown[0]);
  await project.write('answer.txt', '42\n');
  expect(await both(project, 'ralph', ...NAMED)).toEqual(['cc verify', 'cc verify']);
});

test("after checks of somebody else's plan, its approval", async () => {
  await using project = await sessionAt('executed');
  project.env = { CC_SEAL_KEY: 'the key of Ben' };
  const approve = 'cc ralplan --approve';
  expect(await both(project, 'verify', ...NAMED)).toEqual([approve, approve]);
});

test('check proposes what helps: a repair, an approval; what others named is only shown', async () => {
  await using project = await sessionAt('approved');
  await project.write('.chainlesschain/sessions/s2/mode.json', '{');
  expect(await due(project, 'check')).toBe('cc repair --session s2');
  await project.write('.chainlesschain/sessions/s2/mode.json', '{"stage":"intent"}');
  await project.write(`${FOLDER}/plan.md`, `${await project.read(`${FOLDER}/plan.md`)}- \`x\`\n`);
  await project.write(`${FOLDER}/mode.json`, '{"stage":"fix-loop","approvalSerial":1}');
  expect(await due(project, 'check')).toBe(`cc ralplan --approve --session ${ID}`);
  await project.write('.chainlesschain/sessions/.theirs/mode.json', '{');
  expect(await due(project, 'check')).toBe('cc session show .theirs');
});
