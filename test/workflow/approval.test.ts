import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Prompter } from '../../src/cli/io.ts';
import { EDITABLE_INTENT, EDITABLE_PLAN, PLAN_EDITS } from '../support/plan-edits.ts';
import {
  approvedText,
  FOLDER,
  ID,
  INTENT,
  literalFile,
  PLAN,
  planOf,
  sessionAt,
} from '../support/sessions.ts';
import { answering, type TempProject } from '../support/temp-project.ts';

const PLAN_FILE = `${FOLDER}/plan.md`;
const TASKS = `${FOLDER}/tasks.json`;
const NAMED = ['--session', ID];
const APPROVE = ['ralplan', '--approve', ...NAMED];
/** Every gate of `ralph` is tried before it looks for the step: nothing is carried out. */
const TRY = ['ralph', '--task', 'no-such-step', ...NAMED];
const PASSED_GATES = 'REQUEST_INVALID';

const EDITABLE_FILES = { 'README.md': '# Report\n', 'packages/report/a.mjs': '' };

async function gateOf(project: TempProject): Promise<string> {
  const { value } = await project.ccJson(...TRY);
  return String((value['error'] as { code?: unknown } | undefined)?.code);
}

async function copiesOf(project: TempProject, document: string): Promise<readonly string[]> {
  const names = await readdir(join(project.root, FOLDER, 'artifacts'));
  return names.filter((name) => name.startsWith(`${document}.`)).sort();
}

test('of all edits to an approved plan, exactly the semantic ones close the gate', async () => {
  await using project = await sessionAt('approved', {
    plan: EDITABLE_PLAN,
    intent: EDITABLE_INTENT,
    files: EDITABLE_FILES,
  });
  const approved = await approvedText(project);
  expect(await gateOf(project)).toBe(PASSED_GATES);

  const wrong: string[] = [];
  for (const { title, edit, semantic } of PLAN_EDITS) {
    await project.write(PLAN_FILE, edit(approved));
    const code = await gateOf(project);
    if (code !== (semantic ? 'PLAN_CHANGED_SINCE_APPROVAL' : PASSED_GATES)) {
      wrong.push(`${title}: ${code}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(PLAN_EDITS.filter(({ semantic }) => semantic).length).toBeGreaterThan(50);
  expect(PLAN_EDITS.filter(({ semantic }) => !semantic).length).toBeGreaterThan(40);

  await project.write(PLAN_FILE, approved);
  expect(await gateOf(project)).toBe(PASSED_GATES);
});

test.each([
  ['the goal', (text: string) => text.replace('as JSON', 'as YAML')],
  ['a non-goal', (text: string) => text.replace('No XML', 'No YAML')],
  ['a constraint', (text: string) => text.replace('No new packages', 'Two new packages')],
  ['a criterion', (text: string) => text.replace('prints JSON', 'prints anything')],
  ['a criterion fewer', (text: string) => text.replace(/- AC2: .*\n/, '')],
  ['an assumption', (text: string) => text.replace('Node 20', 'Node 4')],
])('the approval covers %s in intent.md', async (_what, edit) => {
  await using project = await sessionAt('approved', {
    plan: EDITABLE_PLAN,
    intent: EDITABLE_INTENT,
    files: EDITABLE_FILES,
  });
  expect(edit(EDITABLE_INTENT)).not.toBe(EDITABLE_INTENT);
  await project.write(`${FOLDER}/intent.md`, edit(EDITABLE_INTENT));
  expect(await gateOf(project)).toBe('PLAN_CHANGED_SINCE_APPROVAL');
});

test.each([
  ['yes', 'approved: yes', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3: "approved: yes" is no approval'],
  ['on', 'approved: on', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3: "approved: on"'],
  ['1', 'approved: 1', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3: "approved: 1"'],
  ['a quoted true', 'approved: "true"', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3: "approved: true"'],
  ['a quoted false', 'approved: "false"', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3: "approved: false"'],
  ['null', 'approved: null', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3: "approved: null"'],
  ['a list', 'approved: [true]', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3'],
  ['a key in capitals', 'Approved: true', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3: "Approved: true"'],
  ['nothing', 'other: 1', 'PLAN_APPROVAL_REQUIRED', 'The plan is not approved'],
  ['false', 'approved: false', 'PLAN_APPROVAL_REQUIRED', 'The plan is not approved'],
  ['true', 'approved: true', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3 says approved, but none was'],
  ['True', 'approved: True', 'PLAN_APPROVAL_REQUIRED', 'plan.md:3 says approved, but none was'],
  ['a key without a space', 'approved:true', 'SESSION_DAMAGED', 'plan.md:'],
  ['a key that stands twice', 'approved: false\napproved: true', 'SESSION_DAMAGED', 'plan.md:4'],
  ['a tab', 'a:\n\tapproved: true', 'SESSION_DAMAGED', 'plan.md:4'],
  ['a nested true', 'a:\n  approved: true', 'PLAN_APPROVAL_REQUIRED', 'The plan is not approved'],
])('written by hand, %s does not approve', async (_title, line, code, message) => {
  await using project = await sessionAt('plan', {
    plan: PLAN.replace('approved: false', line),
  });
  const before = await project.snapshot();
  const { value } = await project.ccJson('ralph', ...NAMED);
  expect(value).toMatchObject({ error: { code, message: expect.stringContaining(message) } });
  expect(await project.snapshot()).toEqual(before);
});

test.each([
  ['a value whose text begins with three dashes', '---\nnote: |\n  x\n---x\napproved: true\n---\n'],
  ['a block that is never closed', '---\napproved: true\n'],
  ['four dashes', '----\napproved: true\n----\n'],
  ['code', '---js\n{ approved: true }\n---\n'],
  ['a block below a heading', '# Plan\n\n---\napproved: true\n---\n'],
  ['an example in a fence', '```\n---\napproved: true\n---\n```\n'],
  ['a space in front', ' ---\napproved: true\n---\n'],
])('front matter with %s approves nothing', async (_title, head) => {
  await using project = await sessionAt('plan', { plan: `${head}\n1. do it\n` });
  const { exitCode, value } = await project.ccJson('ralph', ...NAMED);
  expect(exitCode).toBe(7);
  expect(value).toMatchObject({
    error: { code: expect.stringMatching(/^(?:SESSION_DAMAGED|PLAN_APPROVAL_REQUIRED)$/) },
  });
});

const asWindows = (text: string) => text.replaceAll('\n', '\r\n');

test.each([
  ['CRLF', asWindows],
  ['a byte order mark', (text: string) => `\uFEFF${text}`],
  ['both', (text: string) => `\uFEFF${asWindows(text)}`],
  ['blanks behind the fences', (text: string) => text.replaceAll(/^---$/gm, '---  ')],
])('with %s a plan means the same, before and after its approval', async (_title, write) => {
  await using project = await sessionAt('plan', {
    plan: write(PLAN),
    intent: write(INTENT),
  });
  expect(await project.cc(...APPROVE)).toMatchObject({ exitCode: 0 });
  const added = /^(?:updated|approvedAt|approvedBy|planHash|seal): .*\r?\n/gm;
  const text = await approvedText(project);
  expect(text.replace(added, '').replace('approved: true', 'approved: false')).toBe(write(PLAN));
  expect(await gateOf(project)).toBe(PASSED_GATES);

  for (const name of ['plan.md', 'intent.md', 'tasks.json', 'mode.json']) {
    const plain = (await project.read(`${FOLDER}/${name}`)).replace(/^\uFEFF/, '');
    await project.write(`${FOLDER}/${name}`, `\uFEFF${asWindows(plain.replaceAll('\r\n', '\n'))}`);
  }
  expect(await gateOf(project)).toBe(PASSED_GATES);
  expect(await project.ccJson('status', ...NAMED)).toMatchObject({
    value: { plan: { state: 'approved' } },
  });
});

test('the body of a plan is not touched by its approval', async () => {
  const body =
    '# Plan: Rules\n\n1. do it\n\n---\n\n```yaml\n---\napproved: false\n---\n```\n\n----\n';
  await using project = await sessionAt('plan', { plan: `---\nmine: 1 # why\n---\n${body}` });
  expect(await project.cc(...APPROVE)).toMatchObject({ exitCode: 0 });
  const text = await approvedText(project);
  expect(text.endsWith(`---\n${body}`)).toBe(true);
  expect(text.startsWith('---\nmine: 1 # why\n')).toBe(true);
});

test('a plan copied to another session is not approved there', async () => {
  await using project = await sessionAt('approved');
  const other = '.chainlesschain/sessions/s2';
  for (const name of ['intent.md', 'plan.md', 'tasks.json', 'mode.json']) {
    await project.write(`${other}/${name}`, await project.read(`${FOLDER}/${name}`));
  }
  const { value } = await project.ccJson('ralph', '--session', 's2');
  expect(value).toMatchObject({
    error: { code: 'APPROVAL_NOT_YOURS', hint: 'cc ralplan --approve --session s2' },
  });
});

test('an approval of somebody else can be looked at, and taken over', async () => {
  await using project = await sessionAt('approved');
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
  const seal = /^seal: .*$/m.exec(await approvedText(project))?.[0];
  project.env = { CC_SEAL_KEY: 'the key of Ben' };
  const before = await project.snapshot();

  const refused = await project.ccJson('ralph', ...NAMED);
  expect(refused).toMatchObject({
    exitCode: 7,
    value: {
      error: {
        code: 'APPROVAL_NOT_YOURS',
        message: expect.stringContaining('approved by Ann (command line) elsewhere'),
        hint: `cc ralplan --approve ${NAMED.join(' ')}`,
      },
    },
  });
  expect(await project.ccJson('check')).toMatchObject({
    exitCode: 0,
    value: { sessions: [{ notes: [expect.stringContaining('seal not checkable here')] }] },
  });
  const unasked = await project.ccJson('verify');
  expect(unasked).toMatchObject({ exitCode: 8, value: { error: { code: 'INPUT_REQUIRED' } } });
  expect(await project.snapshot()).toEqual(before);

  project.io = { prompter: answering(true) };
  const verified = await project.cc('verify');
  expect(verified.stderr).toContain('approved this plan. It runs here:\n  sh check.sh');
  expect(verified.exitCode).toBe(0);
  expect(await project.ccJson('complete')).toMatchObject({
    value: { error: { code: 'APPROVAL_NOT_YOURS' } },
  });

  project.io = { prompter: answering(true) };
  expect((await project.cc('ralplan', '--approve')).exitCode).toBe(0);
  expect(/^seal: .*$/m.exec(await approvedText(project))?.[0]).not.toBe(seal);
  expect((await project.cc('ralph')).exitCode).toBe(0);
  expect((await project.cc('verify')).exitCode).toBe(0);
  expect((await project.cc('complete')).exitCode).toBe(0);
});

test('an older approval does not come back after a newer one', async () => {
  await using project = await sessionAt('approved');
  const older = await approvedText(project);
  const olderTasks = await project.read(TASKS);
  await project.write(PLAN_FILE, older.replace('Write the answer', 'Write it'));
  expect((await project.cc(...APPROVE)).exitCode).toBe(0);
  expect(await gateOf(project)).toBe(PASSED_GATES);

  await project.write(PLAN_FILE, older);
  await project.write(TASKS, olderTasks);
  expect(await gateOf(project)).toBe('APPROVAL_NOT_YOURS');
});

test.each<[string, readonly string[]]>([
  ['--reject', ['ralplan', '--reject', '--reason', 'too wide', ...NAMED]],
  ['reset --to plan', ['reset', '--to', 'plan', ...NAMED]],
])('an approval taken away by %s does not come back with its flag', async (_title, argv) => {
  await using project = await sessionAt('approved');
  expect((await project.cc(...argv)).exitCode).toBe(0);
  expect(await gateOf(project)).toBe('PLAN_APPROVAL_REQUIRED');
  const dropped = await project.read(PLAN_FILE);
  expect(dropped).toContain('approved: false');

  await project.write(PLAN_FILE, dropped.replace('approved: false', 'approved: true'));
  expect(await gateOf(project)).toBe('APPROVAL_NOT_YOURS');
  expect((await project.cc(...APPROVE)).exitCode).toBe(0);
  expect(await gateOf(project)).toBe(PASSED_GATES);
});

test('a rejection is recorded with its reason, and read by the person who goes on', async () => {
  await using project = await sessionAt('approved');
  const run = await project.cc('ralplan', '--reject', '--reason', 'too wide', ...NAMED);
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('rejected: too wide') });
  expect(await project.read(`${FOLDER}/progress.log`)).toContain('[ralplan] rejected: too wide');
  expect(await project.json(`${FOLDER}/mode.json`)).toMatchObject({ stage: 'plan' });
});

test.each<[string, readonly string[], RegExp]>([
  ['--revise', ['ralplan', '--revise', ...NAMED], /## Steps/],
  ['--step', ['ralplan', '--step', 'Tell Ben', ...NAMED], /^2\. Tell Ben$/m],
  [
    'a direction',
    ['ralplan', '--revise', 'do it with sed', ...NAMED],
    /^Direction: do it with sed$/m,
  ],
])('%s drops the approval and keeps the old plan', async (_title, argv, found) => {
  await using project = await sessionAt('approved');
  const old = await approvedText(project);
  expect((await project.cc(...argv)).exitCode).toBe(0);

  const text = await project.read(PLAN_FILE);
  expect(text).toMatch(/^approved: false$/m);
  expect(text).toMatch(found);
  expect(await gateOf(project)).toBe('PLAN_APPROVAL_REQUIRED');
  const [copy = ''] = await copiesOf(project, 'plan.md');
  expect(await project.read(`${FOLDER}/artifacts/${copy}`)).toBe(old);

  await project.write(PLAN_FILE, old);
  expect(await gateOf(project)).not.toBe(PASSED_GATES);
});

/** Says yes, but the file changes between the question and the answer. */
function editing(edit: () => Promise<void>): Prompter {
  return {
    async confirm() {
      await edit();
      return true;
    },
    text: async () => undefined,
  };
}

test('a plan that changes while it is shown is not approved', async () => {
  await using project = await sessionAt('plan');
  const swapped = PLAN.replace('42\n', '43\n');
  project.io = { prompter: editing(() => project.write(PLAN_FILE, swapped)) };
  const run = await project.ccJson('ralplan', '--approve');
  expect(run).toMatchObject({
    exitCode: 7,
    value: { error: { code: 'PLAN_CHANGED_SINCE_APPROVAL' } },
  });
  expect(await project.read(PLAN_FILE)).toBe(swapped);

  project.io = { prompter: answering(true) };
  expect((await project.cc('ralplan', '--approve')).exitCode).toBe(0);
});

test('a plan whose looks change while it is shown is what was shown', async () => {
  await using project = await sessionAt('plan');
  const ticked = PLAN.replace('1. Write', '1. [x] Write');
  project.io = { prompter: editing(() => project.write(PLAN_FILE, ticked)) };
  expect((await project.cc('ralplan', '--approve')).exitCode).toBe(0);
  expect(await approvedText(project)).toContain('1. [x] Write');
});

test('a file that a literal action writes to may not change while the plan is shown', async () => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot(FOLDER);
  project.io = { prompter: editing(() => project.write('answer.txt', 'mine\n')) };
  const run = await project.ccJson('ralplan', '--approve');
  expect(run.value).toMatchObject({ error: { code: 'PLAN_CHANGED_SINCE_APPROVAL' } });
  expect(await project.snapshot(FOLDER)).toEqual(before);
});

test('the screen shows steps, scopes, commands, literal bytes and the hash of their targets', async () => {
  await using project = await sessionAt('plan', {
    plan: EDITABLE_PLAN,
    intent: EDITABLE_INTENT,
    files: EDITABLE_FILES,
  });
  project.io = { prompter: answering(false) };
  const { stderr } = await project.cc('ralplan', '--approve');
  for (const text of [
    'Goal: Print the report as JSON',
    '1. Add the `--json` flag [add-flag]',
    'scope     src/report.mjs, test/**',
    'checks    node --test',
    'may run   node --version',
    'folder    packages/report',
    'writes    src/report.mjs (new)',
    '| export const report = (rows) => JSON.stringify(rows);',
    'patches   README.md (now sha256:',
    '$ node src/report.mjs',
    'node bench.mjs (ci)',
    'AC2 the text report stays as it is: a review of yours',
    '100 turns',
  ]) {
    expect(stderr).toContain(text);
  }
  expect(stderr).toMatch(/^plan: p1:[0-9a-f]{64}$/m);
});

test('the screen shows what may be written besides the scope, and which step nothing checks', async () => {
  const plan = '1. bump\n   - scope: package.json\n2. tell Ben\n';
  await using project = await sessionAt('plan', {
    plan,
    files: { 'package.json': '{}\n', 'package-lock.json': '{}\n' },
  });
  project.io = { prompter: answering(false) };
  const { stderr } = await project.cc('ralplan', '--approve');
  expect(stderr).toContain('Plan of s1: Say 42\n');
  expect(stderr).toMatch(/scope +package\.json\n +also +package-lock\.json\n/);
  expect(stderr).toMatch(/checks +NOTHING CHECKS THIS/);
});

test('--hash approves what was printed, and nothing else', async () => {
  await using project = await sessionAt('plan');
  const asked = await project.ccJson('ralplan', '--approve');
  expect(asked).toMatchObject({ exitCode: 8, value: { error: { code: 'INPUT_REQUIRED' } } });
  const { hint } = asked.value['error'] as { hint: string };
  expect(hint).toMatch(/^cc ralplan --approve --session s1 --hash p1:[0-9a-f]{64}$/);

  await project.write(PLAN_FILE, PLAN.replace('42\n', '43\n'));
  const stale = await project.ccJson(...hint.split(' ').slice(1));
  expect(stale.value).toMatchObject({ error: { code: 'PLAN_CHANGED_SINCE_APPROVAL' } });

  await project.write(PLAN_FILE, PLAN);
  expect((await project.cc(...hint.split(' ').slice(1))).exitCode).toBe(0);
});

test('amending a plan under way keeps what is known of the steps that stay', async () => {
  const steps = [
    { title: 'One', lines: ['- id: one', '- verify: `test -f one`', ...literalFile('one', '1')] },
    { title: 'Two', lines: ['- id: two', '- verify: `test -f two`', ...literalFile('two', '2')] },
    { title: 'Three', lines: ['- id: three', '- verify: `test -f never`'] },
  ];
  await using project = await sessionAt('approved', { plan: planOf(steps, ['- AC1: review']) });
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(8);
  const text = await approvedText(project);
  await project.write(PLAN_FILE, text.replace('2\n   ```', '22\n   ```'));

  expect((await project.ccJson('ralph', ...NAMED)).value).toMatchObject({
    error: { code: 'PLAN_CHANGED_SINCE_APPROVAL' },
  });
  expect(await project.ccJson(...APPROVE)).toMatchObject({ value: { stage: 'execute' } });
  const { tasks } = (await project.json(TASKS)) as { tasks: { id: string; status: string }[] };
  expect(tasks.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'one completed',
    'two pending',
    'three running',
  ]);
  expect((await project.cc('ralph', '--task', 'two', ...NAMED)).exitCode).toBe(0);
  expect(await project.read('two')).toBe('22\n');
});

test('a literal target that a stranger changed asks for approval again', async () => {
  await using project = await sessionAt('approved');
  await project.write('answer.txt', 'written by somebody else\n');
  const { value, exitCode } = await project.ccJson('ralph', ...NAMED);
  expect(exitCode).toBe(7);
  expect(value).toMatchObject({
    error: {
      code: 'PLAN_CHANGED_SINCE_APPROVAL',
      message: expect.stringContaining('answer.txt'),
      hint: `cc ralplan --approve ${NAMED.join(' ')}`,
    },
  });
  expect(await project.read('answer.txt')).toBe('written by somebody else\n');

  expect((await project.cc(...APPROVE)).exitCode).toBe(0);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
  expect(await project.read('answer.txt')).toBe('42\n');
});

test('a literal target that an earlier step of the plan changed does not', async () => {
  const both = ['- verify: `test -s answer.txt`'];
  const steps = [
    { title: 'First', lines: [...both, ...literalFile('answer.txt', '41')] },
    { title: 'Then', lines: [...both, ...literalFile('answer.txt', '42')] },
  ];
  await using project = await sessionAt('executed', { plan: planOf(steps) });
  expect(await project.read('answer.txt')).toBe('42\n');
});

test.each<[string, (file: { targets: { hash: string }[] }) => void]>([
  ['another hash', ({ targets }) => targets.forEach((target) => (target.hash = 'absent'))],
  ['none at all', (file) => (file.targets = [])],
])('the recorded targets are under the seal: %s', async (_title, change) => {
  await using project = await sessionAt('approved');
  // The file that `cc` wrote a moment ago.
  const file = (await project.json(TASKS)) as { targets: { hash: string }[] };
  expect(file.targets).toHaveLength(1);
  change(file);
  await project.write(TASKS, JSON.stringify(file));
  expect(await gateOf(project)).toBe('APPROVAL_NOT_YOURS');
});

test.each<[string, (task: Record<string, unknown>) => void, string]>([
  ['title', (task) => (task['title'] = 'Delete it'), 'title'],
  ['scope', (task) => (task['scopePaths'] = ['**']), 'scopePaths'],
  ['checks', (task) => (task['verifyCommands'] = ['true']), 'verifyCommands'],
  ['role', (task) => (task['ownerRole'] = 'tester/main'), 'ownerRole'],
  ['end', (task) => (task['doneWhen'] = ['now']), 'doneWhen'],
])('another %s of a task is a change of the plan', async (_title, change, key) => {
  await using project = await sessionAt('approved');
  const file = (await project.json(TASKS)) as { tasks: Record<string, unknown>[] };
  file.tasks.forEach(change);
  await project.write(TASKS, JSON.stringify(file));
  expect((await project.ccJson('ralph', ...NAMED)).value).toMatchObject({
    error: { code: 'PLAN_CHANGED_SINCE_APPROVAL', message: expect.stringContaining(key) },
  });
});

test('a tasks.json that is gone is said, and compiled again', async () => {
  await using project = await sessionAt('approved');
  const { rm } = await import('node:fs/promises');
  await rm(join(project.root, TASKS));
  expect((await project.ccJson('ralph', ...NAMED)).value).toMatchObject({
    error: { code: 'PLAN_CHANGED_SINCE_APPROVAL', message: /tasks\.json is gone/ },
  });
  expect((await project.cc(...APPROVE)).exitCode).toBe(0);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
});

const HAND_EDITED = PLAN.replace(
  '## Verification',
  '## Notes\n\nask Ben\n\n## Verification',
).replace('1. Write the answer', '1.  Write the answer, by hand  ');

test.each<[string, 'plan' | 'approved' | 'executed' | 'verified']>([
  ['before it is approved', 'plan'],
  ['once it is approved', 'approved'],
  ['while it is carried out', 'executed'],
  ['after the checks', 'verified'],
])('a bare `cc ralplan` never writes over a plan edited %s', async (_title, stage) => {
  await using project = await sessionAt(stage);
  await project.write(PLAN_FILE, HAND_EDITED);
  expect((await project.cc('ralplan', ...NAMED)).exitCode).toBe(0);
  expect(await project.read(PLAN_FILE)).toBe(HAND_EDITED);
  expect(await gateOf(project)).toBe('PLAN_APPROVAL_REQUIRED');
  expect((await project.json(TASKS))['tasks']).toMatchObject([
    { title: 'Write the answer, by hand' },
  ]);
});

test('the approval stays where a bare `cc ralplan` finds the same plan', async () => {
  await using project = await sessionAt('approved');
  const before = await project.snapshot(FOLDER);
  const { stdout } = await project.cc('ralplan', ...NAMED);
  expect(stdout).toContain('1 step, approved');
  const after = await project.snapshot(FOLDER);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(changed).toEqual([`${FOLDER}/mode.json`]);
});

test.each<[string, readonly string[], string]>([
  ['cc ralplan', ['ralplan', ...NAMED], 'tasks.json was edited; plan.md wins'],
  ['an approval', APPROVE, 'approved'],
])('%s keeps an edited tasks.json aside', async (_title, argv, said) => {
  await using project = await sessionAt('approved');
  const edited = (await project.read(TASKS)).replace('"Write the answer"', '"Mine"');
  await project.write(TASKS, edited);
  const run = await project.cc(...argv);
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(said) });
  const [copy = ''] = await copiesOf(project, 'tasks.json');
  expect(await project.read(`${FOLDER}/artifacts/${copy}`)).toBe(edited);
  expect((await project.json(TASKS))['tasks']).toMatchObject([{ title: 'Write the answer' }]);
});

test('a tasks.json that a person wrote before any plan was read is kept aside too', async () => {
  await using project = await sessionAt('plan');
  const mine = '{ "tasks": [{ "id": "mine", "title": "Mine", "why": "because" }] }';
  await project.write(TASKS, mine);
  expect((await project.cc('ralplan', ...NAMED)).exitCode).toBe(0);
  const [copy = ''] = await copiesOf(project, 'tasks.json');
  expect(await project.read(`${FOLDER}/artifacts/${copy}`)).toBe(mine);
});

test('keys of their own stay in tasks.json', async () => {
  await using project = await sessionAt('approved');
  const file = (await project.json(TASKS)) as { tasks: Record<string, unknown>[] };
  for (const task of file.tasks) task['estimate'] = '2 h';
  await project.write(TASKS, JSON.stringify({ ...file, board: 'blue' }));
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
  expect(await project.json(TASKS)).toMatchObject({
    board: 'blue',
    tasks: [{ id: 'write', estimate: '2 h', status: 'completed' }],
  });
});
