/** Bytes of the person that an edit must not touch, and bytes that it must write as they were given. */
import { execFile } from 'node:child_process';
import { chmod, lstat, readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, literalFile, PLAN, planOf, sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const run = promisify(execFile);
const NAMED = ['--session', ID];
/** Every form that a replacement text may be taken for. */
const DOLLARS = "$$x $& $' $` $1 $<a> /a$'/";

/** Without the backslashes that keep a text from being Markdown. */
const unescaped = (text: string) => text.replaceAll(/\\(?=[^\w\s])/g, '');

test('a text with replacement patterns arrives in every document as it was given', async () => {
  await using project = await sessionAt('intent');
  const run = async (...argv: string[]) => {
    const { exitCode, stderr } = await project.cc(...argv, ...NAMED);
    // 8: written, and there is still something to ask.
    if (![0, 8].includes(exitCode)) throw new Error(`${argv.join(' ')}: ${exitCode} ${stderr}`);
  };
  const names = ['non-goal', 'constraint', 'criterion', 'clarification'];
  for (const name of names) await run('deep-interview', `--${name}`, `${name} ${DOLLARS}`);
  const intent = unescaped(await project.read(`${FOLDER}/intent.md`));
  for (const name of names) expect(intent).toContain(`${name} ${DOLLARS}`);
  // Nothing was spliced in between: what is left of the text has no such character.
  expect(intent.replaceAll(DOLLARS, '')).not.toContain('$');

  await project.write(`${FOLDER}/plan.md`, PLAN);
  await run('ralplan', '--step', `step ${DOLLARS}`);
  const plan = await project.read(`${FOLDER}/plan.md`);
  expect(unescaped(plan).split(`2. step ${DOLLARS}\n`)).toHaveLength(2);
  expect((await project.json(`${FOLDER}/tasks.json`))['tasks']).toMatchObject([
    { id: 'write' },
    { title: `step ${DOLLARS}` },
  ]);
  await run('ralplan', '--approve');
  await run('ralplan', '--reject', '--reason', `reason ${DOLLARS}`);
  expect(await project.read(`${FOLDER}/progress.log`)).toContain(`rejected: reason ${DOLLARS}\n`);
  const body = (text: string) => text.slice(text.indexOf('# Plan'));
  expect(body(await project.read(`${FOLDER}/plan.md`))).toBe(body(plan));
});

test('a name with replacement patterns takes the place of an older one as it is', async () => {
  await using project = await sessionAt('approved');
  await project.git('config', 'user.name', `Ann ${DOLLARS}`);
  const rest = (text: string) =>
    text.replaceAll(/^(?:updated|approvedAt|approvedBy|seal): .*\n/gm, '');
  const before = await project.read(`${FOLDER}/plan.md`);
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  const after = await project.read(`${FOLDER}/plan.md`);
  expect(rest(after)).toBe(rest(before));
  expect(after.match(/^approvedBy: .*$/m)?.[0]).toContain(`Ann ${DOLLARS} (command line)`);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
});

/** Typographic marks, a space that does not break, both normal forms of one letter, an emoji. */
const CODE_POINTS =
  '\u201cq\u201d \u2018s\u2019 \u2013 \u2014 \u00a0. \u2026 e\u0301 \u00e9 \u{1F600} \u200d';

test.each([
  ['LF', (text: string) => text],
  ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
])('code points go from a plan with %s to the file unchanged', async (_title, shape) => {
  const plan = planOf([
    {
      title: 'Write',
      lines: ['- verify: `test -f out.txt`', ...literalFile('out.txt', CODE_POINTS)],
    },
  ]);
  await using project = await sessionAt('executed', { plan: shape(plan) });
  const bytes = await readFile(join(project.root, 'out.txt'));
  expect(bytes).toEqual(Buffer.from(`${CODE_POINTS}\n`));
});

const patchOf = (line: string) => [
  '',
  '```diff apply',
  '--- a/menu.txt',
  '+++ b/menu.txt',
  '@@ -1,2 +1,2 @@',
  `-${line}`,
  '+tea',
  ' end',
  '```',
];

test.each([
  ['another normal form', 'caf\u00e9', 'cafe\u0301'],
  ['a space that does not break', 'a\u00a0b', 'a b'],
  ['typographic quotes', '\u201ca\u201d', '"a"'],
  ['another dash', 'a\u2013b', 'a-b'],
])('a patch does not take %s for the same line', async (_title, there, named) => {
  const plan = planOf([{ title: 'Edit', lines: patchOf(named) }]);
  const files = { 'menu.txt': `${there}\nend\n` };
  await using project = await sessionAt('approved', { plan, files });
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(1);
  expect(await project.read(`${FOLDER}/progress.log`)).toContain('menu.txt: hunk 1');
  expect(await project.read('menu.txt')).toBe(`${there}\nend\n`);
});

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test.each<[string, Buffer]>([
  ['intent.md', latin1(INTENT.replace('Say 42', 'Gr\u00f6\u00dfe 42'))],
  ['plan.md', latin1(PLAN.replace('Write the answer', 'Gr\u00f6\u00dfe'))],
  ['tasks.json', latin1('{"tasks":[{"id":"write","title":"Gr\u00f6\u00dfe"}]}')],
  ['mode.json', latin1('{"stage":"plan","failureReason":"Gr\u00f6\u00dfe"}')],
])('a %s that is not UTF-8 is refused by every writer, byte for byte', async (name, bytes) => {
  await using project = await sessionAt('approved');
  await project.write(`${FOLDER}/${name}`, bytes);
  const before = await project.snapshot();
  for (const argv of [
    ['deep-interview', '--non-goal', 'x'],
    ['ralplan', '--step', 'x'],
    ['ralplan', '--approve'],
    ['ralplan', '--reject'],
    ['ralph'],
    ['reset', '--to', 'plan'],
  ]) {
    const { exitCode, value } = await project.ccJson(...argv, ...NAMED);
    expect({ argv, exitCode, value }).toMatchObject({
      argv,
      exitCode: 7,
      value: { error: { code: 'SESSION_DAMAGED', message: expect.stringContaining(name) } },
    });
  }
  expect(await project.snapshot()).toEqual(before);
});

test('documents keep the mode that a person gave them', async () => {
  await using project = await sessionAt('approved');
  const at = (name: string) => join(project.root, FOLDER, name);
  const modes = {
    'plan.md': 0o600,
    'tasks.json': 0o640,
    'mode.json': 0o600,
    'progress.log': 0o600,
  };
  for (const [name, mode] of Object.entries(modes)) await chmod(at(name), mode);
  for (const argv of [['ralplan', '--step', 'x'], ['ralplan', '--approve'], ['ralph']]) {
    await project.cc(...argv, ...NAMED);
  }
  const found = Object.keys(modes).map(async (name) => [
    name,
    (await lstat(at(name))).mode & 0o777,
  ]);
  expect(Object.fromEntries(await Promise.all(found))).toEqual(modes);
  expect(await project.read(`${FOLDER}/plan.md`)).toContain('2. x');
});

test.each(['plan.md', 'mode.json'])(
  'a %s that is a link is not replaced by a file',
  async (name) => {
    await using project = await sessionAt('approved');
    const path = join(project.root, FOLDER, name);
    await rename(path, join(project.root, `kept-${name}`));
    await symlink(join(project.root, `kept-${name}`), path);
    const before = await project.snapshot();
    const refused = await project.ccJson('ralplan', '--revise', ...NAMED);
    expect(refused).toMatchObject({
      exitCode: 7,
      value: {
        error: { code: 'PATH_OUTSIDE_WORKSPACE', message: expect.stringContaining('is a link') },
      },
    });
    expect(await project.snapshot()).toEqual(before);
    const { hint } = refused.value['error'] as { readonly hint: string };
    await run('sh', ['-c', hint], { cwd: project.root });
    expect((await project.cc('ralplan', '--revise', ...NAMED)).exitCode).toBe(0);
    expect((await lstat(path)).isFile()).toBe(true);
  },
);

test('new documents have the mode that the person wants for new files', async () => {
  const umask = process.umask(0o077);
  try {
    await using project = await TempProject.createRepository();
    await project.cc('deep-interview', 'say 42', '--yes', ...NAMED);
    const { mode } = await lstat(join(project.root, FOLDER, 'intent.md'));
    expect((mode & 0o777).toString(8)).toBe('600');
  } finally {
    process.umask(umask);
  }
});

test('a second hunk about the lines of the first is refused', async () => {
  const patch = [
    '```diff apply',
    '--- a/f',
    '+++ b/f',
    '@@ -1 +1 @@',
    '-a',
    '+b',
    '@@ -1 +1 @@',
    '-a',
    '+b',
    '```',
  ];
  const plan = planOf([{ title: 'Patch', lines: ['- id: patch', '', ...patch] }]);
  await using project = await sessionAt('plan', { plan, files: { f: 'a\nx\na\n' } });
  await project.cc('ralplan', '--approve', ...NAMED);
  const { exitCode, stdout } = await project.cc('ralph', ...NAMED);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('hunk 2 (line 1) is not behind the one before it');
  expect(await project.read('f')).toBe('a\nx\na\n');
});

const AGREED = '# Agreed\n';

/** Two steps, each with a file to the letter; a stranger writes to the second one's target. */
test('what somebody else wrote after the approval is not replaced, whichever step ran before', async () => {
  const plan = planOf([
    {
      title: 'One',
      lines: ['- id: one', '- verify: `test -f one.txt`', ...literalFile('one.txt', 'x')],
    },
    {
      title: 'Two',
      lines: ['- id: two', '- verify: `test -f agreed.md`', ...literalFile('agreed.md', 'y')],
    },
  ]);
  await using project = await sessionAt('approved', { plan, files: { 'agreed.md': AGREED } });
  await project.write('agreed.md', `${AGREED}work of somebody\n`);
  const { exitCode, value } = await project.ccJson('ralph', ...NAMED);
  expect({ exitCode, value }).toMatchObject({
    exitCode: 7,
    value: {
      error: { code: 'PLAN_CHANGED_SINCE_APPROVAL', hint: expect.stringContaining('--approve') },
    },
  });
  expect(await project.read('agreed.md')).toBe(`${AGREED}work of somebody\n`);
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
});

test('what a script of the plan made, an action behind it may change', async () => {
  const script = ['```sh run', "printf 'a\\n' > made.txt", '```', ''];
  const patch = [
    '```diff apply',
    '--- a/made.txt',
    '+++ b/made.txt',
    '@@ -1 +1 @@',
    '-a',
    '+b',
    '```',
  ];
  const plan = planOf([
    {
      title: 'Make',
      lines: ['- id: make', '- verify: `test -f made.txt`', '', ...script, ...patch],
    },
  ]);
  await using project = await sessionAt('approved', { plan });
  const { exitCode, stderr } = await project.cc('ralph', ...NAMED);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(await project.read('made.txt')).toBe('b\n');
});

test('a target that a step by hand wrote is expected by the step behind it', async () => {
  const plan = planOf([
    { title: 'By hand', lines: ['- id: hand', '- verify: `test -f agreed.md`'] },
    {
      title: 'To the letter',
      lines: ['- id: letter', '- verify: `test -f agreed.md`', ...literalFile('agreed.md', 'y')],
    },
  ]);
  await using project = await sessionAt('approved', { plan });
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(8);
  await project.write('agreed.md', 'mine\n');
  const { exitCode, stderr } = await project.cc('ralph', ...NAMED);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(await project.read('agreed.md')).toBe('y\n');
});
