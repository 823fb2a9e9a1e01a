/** What people write into the files of a session, and what it must never come to mean. */
import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, PLAN, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const PLAN_FILE = `${FOLDER}/plan.md`;
const DOCUMENTS = ['intent.md', 'plan.md', 'tasks.json', 'verify.json', 'mode.json'];

const codeOf = (value: Record<string, unknown>) =>
  (value['error'] as { readonly code?: string } | undefined)?.code;

/** Spellings of one YAML key; each reads as the word that stands in it. */
const SPELLINGS: readonly (readonly [string, (word: string) => string])[] = [
  ['in double quotes', (word) => `"approved": ${word}`],
  ['in single quotes', (word) => `'approved': ${word}`],
  ['with a space before the colon', (word) => `approved : ${word}`],
  ['as an explicit key', (word) => `? approved\n: ${word}`],
  ['with a tag', (word) => `approved: !!bool ${word}`],
  ['with an anchor', (word) => `approved: &yes ${word}`],
  ['in capitals', (word) => `approved: ${word.toUpperCase()}`],
];

test.each(SPELLINGS)('a key %s that says true is no approval', async (_title, spell) => {
  await using project = await sessionAt('plan', {
    plan: PLAN.replace('approved: false', spell('true')),
  });
  const before = await project.snapshot();
  const { exitCode, value } = await project.ccJson('ralph', ...NAMED);
  expect({ exitCode, code: codeOf(value) }).toEqual({
    exitCode: 7,
    code: 'PLAN_APPROVAL_REQUIRED',
  });
  expect(await project.snapshot()).toEqual(before);
});

test.each(SPELLINGS)('a key %s is the one that an approval sets', async (_title, spell) => {
  await using project = await sessionAt('plan', {
    plan: PLAN.replace('approved: false', spell('false')),
  });
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  const text = await project.read(PLAN_FILE);
  expect(text.match(/^.*approved['"]?[ :]*(?:.*true)?$/gm)).toHaveLength(1);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
});

test('what only looks like the key approves nothing', async () => {
  for (const head of [
    'base: &b { approved: true }\n<<: *b',
    'plan: { approved: true }',
    'note: "approved: true"',
    'note: >\n  x\n\n  approved: true',
    '"approved ": true',
    'approved\u200b: true',
  ]) {
    await using project = await sessionAt('plan', { plan: PLAN.replace('approved: false', head) });
    const { exitCode, value } = await project.ccJson('ralph', ...NAMED);
    expect({ head, exitCode }).toEqual({ head, exitCode: 7 });
    expect(codeOf(value), head).toMatch(/^(?:PLAN_APPROVAL_REQUIRED|SESSION_DAMAGED)$/);
  }
});

const asWindows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

/** What the readers of the product say about one session. */
async function told(project: TempProject) {
  const status = await project.ccJson('status', ...NAMED);
  const check = await project.ccJson('check', '--require', 'verified');
  const shown = await project.ccJson('session', 'show', ID);
  const { stage, plan, tasks, next } = status.value;
  return { stage, plan, tasks, next, check: check.exitCode, shown: shown.value['stage'] };
}

test('with a mark and CRLF in every document, all readers still say the same', async () => {
  await using project = await sessionAt('verified');
  const before = await told(project);
  for (const name of DOCUMENTS) {
    await project.write(`${FOLDER}/${name}`, asWindows(await project.read(`${FOLDER}/${name}`)));
  }
  expect(await told(project)).toEqual(before);
  expect(before).toMatchObject({ stage: 'verify', check: 0, plan: { state: 'approved' } });
  expect((await project.cc('complete', ...NAMED)).exitCode).toBe(0);
});

test('a goal that changes while the plan is shown is not approved', async () => {
  await using project = await sessionAt('plan');
  const edited = INTENT.replace('Say 42', 'Say 43');
  project.io = {
    prompter: {
      async confirm() {
        await project.write(`${FOLDER}/intent.md`, edited);
        return true;
      },
      text: async () => undefined,
    },
  };
  const { value } = await project.ccJson('ralplan', '--approve');
  expect(codeOf(value)).toBe('PLAN_CHANGED_SINCE_APPROVAL');
  expect(await project.read(PLAN_FILE)).toBe(PLAN);
  expect(await project.read(`${FOLDER}/intent.md`)).toBe(edited);
});

const boxed = (mark: string) =>
  `1. ${mark} One\n   - id: one\n\n## Verification\n\n- \`test -f check.sh\`\n`;

test.each(['[~]', '[]', '[ x]', '[-]', '[ ]', '[xx]', '[x ]', '[✓]', '[х]', '[x](y)', '[done]'])(
  'a box that reads %s is open for ralph, status, verify and complete alike',
  async (mark) => {
    await using project = await sessionAt('approved', { plan: boxed(mark) });
    expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(8);
    const { value } = await project.ccJson('status', ...NAMED);
    expect(value['tasks']).toMatchObject([{ id: 'one', status: 'running' }]);
    expect(await project.ccJson('verify', ...NAMED)).toMatchObject({
      exitCode: 1,
      value: { status: 'partial', tasks: { one: 'running' } },
    });
    expect((await project.cc('complete', ...NAMED)).exitCode).toBe(7);
  },
);

test.each(['[x]', '[X]'])('a box that reads %s is done for all of them', async (mark) => {
  await using project = await sessionAt('approved', { plan: boxed(mark) });
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
  const { value } = await project.ccJson('status', ...NAMED);
  expect(value['tasks']).toMatchObject([{ id: 'one', status: 'completed' }]);
  expect((await project.cc('verify', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc('complete', ...NAMED)).exitCode).toBe(0);
});
