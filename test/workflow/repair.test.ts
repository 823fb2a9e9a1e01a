import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/kernel/base/hash.ts';
import { FOLDER, ID, INTENT, sessionAt } from '../support/sessions.ts';
import { answering, type TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const JOURNAL = `${FOLDER}/.transition.json`;

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'cut at 30 bytes': (bytes) => bytes.subarray(0, 30),
  empty: () => Buffer.alloc(0),
  'all zeros': (bytes) => Buffer.alloc(bytes.length),
  'followed by stale bytes': (bytes) => Buffer.concat([bytes, Buffer.from('"x": 1}\n}\n')]),
};
const FILES = ['mode.json', 'tasks.json', 'verify.json'] as const;
const CASES = FILES.flatMap((file) => Object.keys(DAMAGES).map((damage) => ({ file, damage })));

async function damage(project: TempProject, file: string, how: string): Promise<Buffer> {
  const path = join(project.root, FOLDER, file);
  const bytes = DAMAGES[how]?.(await readFile(path)) ?? Buffer.alloc(0);
  await writeFile(path, bytes);
  return bytes;
}

async function copies(project: TempProject): Promise<readonly string[]> {
  return Object.keys(await project.snapshot(`${FOLDER}/artifacts`)).filter((path) =>
    path.endsWith('.damaged'),
  );
}

async function walk(project: TempProject): Promise<unknown> {
  for (let count = 0; count < 10; count++) {
    const { value } = await project.ccJson('status', ...NAMED);
    if (value['stage'] === 'complete') return 'complete';
    const due = String(value['due']).split(' ').slice(1);
    if (/repair|unlock/.test(due.join(' '))) return due;
    const { exitCode } = await project.cc(...due, ...NAMED);
    if (exitCode !== 0) return { due, exitCode };
  }
  return 'no end';
}

test.each(CASES)(
  '$file $damage: named, left alone, and put right',
  { timeout: 60_000 },
  async ({ file, damage: how }) => {
    await using project = await sessionAt('verified');
    await project.write('.chainlesschain/sessions/s2/intent.md', INTENT);
    const bytes = await damage(project, file, how);
    const before = await project.snapshot();

    for (const verb of [['status'], ['ralph'], ['verify'], ['complete']]) {
      const { exitCode, value } = await project.ccJson(...verb, ...NAMED);
      const { error } = value as { error: { code: string; message: string; hint: string } };
      expect({ exitCode, code: error.code }).toEqual({ exitCode: 7, code: 'SESSION_DAMAGED' });
      expect(error.message).toMatch(new RegExp(`${file.replace('.', '\\.')}(?::\\d+)?: it is `));
      expect(error.hint).toContain('cc repair');
    }
    const list = await project.cc('session', 'list');
    expect(list.stdout).toContain('s2');
    expect((await project.cc('status', '--session', 's2')).exitCode).toBe(0);
    expect(await project.snapshot()).toEqual(before);

    project.io = { prompter: answering(false) };
    expect((await project.cc('repair', ...NAMED)).exitCode).toBe(7);
    expect(await project.snapshot()).toEqual(before);

    project.io = { prompter: answering(true) };
    const { exitCode, stderr } = await project.cc('repair', ...NAMED);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(file),
    });
    const [copy = ''] = await copies(project);
    expect(await readFile(join(project.root, copy))).toEqual(bytes);
    project.io = {};
    const { value } = await project.ccJson('status', ...NAMED);
    // Never further on than the documents prove.
    if (file === 'mode.json') expect(value['stage']).toBe('plan');
    expect(await walk(project)).toBe('complete');
  },
);

test('a plan whose first block is cut is put right, not approved', {
  timeout: 60_000,
}, async () => {
  await using project = await sessionAt('verified');
  const plan = await project.read(`${FOLDER}/plan.md`);
  await project.write(`${FOLDER}/plan.md`, plan.replace('\n---\n\n# Plan', '\n\n# Plan'));
  const { exitCode, value } = await project.ccJson('ralph', ...NAMED);
  expect({ exitCode, value }).toMatchObject({
    exitCode: 7,
    value: { error: { code: 'SESSION_DAMAGED' } },
  });
  project.io = { prompter: answering(true) };
  expect((await project.cc('repair', ...NAMED)).exitCode).toBe(0);
  expect(await project.read(`${FOLDER}/plan.md`)).toContain('approved: false');
  project.io = {};
  expect(await walk(project)).toBe('complete');
});

test.each(['cut at 30 bytes', 'empty', 'all zeros'])(
  'a plan that is %s never counts as approved',
  async (how) => {
    await using project = await sessionAt('approved');
    await damage(project, 'plan.md', how);
    const { exitCode } = await project.cc('ralph', ...NAMED);
    expect(exitCode).toBe(7);
    expect(await project.read('answer.txt')).toBe('no\n');
  },
);

const move = (from: string, to: string) => JSON.stringify({ renames: [{ from, to }], appends: [] });
const add = (to: string) =>
  JSON.stringify({ renames: [], appends: [{ to, offset: 0, text: 'evil' }] });

test.each<[string, (project: TempProject, outside: string) => Promise<unknown>]>([
  ['cut', (project) => project.write(JOURNAL, '{"renames":[')],
  ['zeros', (project) => project.write(JOURNAL, '\0\0')],
  ['moves out', (project) => project.write(JOURNAL, move('intent.md', '../../../../outside'))],
  ['a folder', (project) => mkdir(join(project.root, JOURNAL))],
  ['a link', async (project, outside) => symlink(outside, join(project.root, JOURNAL))],
  [
    'writes through a link',
    async (project, outside) => {
      await symlink(outside, join(project.root, FOLDER, 'evil.log'));
      await project.write(JOURNAL, add('evil.log'));
    },
  ],
])(
  'a journal that came with a clone, %s: nothing outside changes, and repair clears it',
  { timeout: 60_000 },
  async (_case, plant) => {
    await using project = await sessionAt('plan');
    const outside = join(dirname(project.root), 'outside');
    await writeFile(outside, 'theirs');
    await plant(project, outside);
    const before = await project.snapshot();
    const refused = await project.ccJson('ralplan', '--approve', ...NAMED);
    expect(refused).toMatchObject({
      exitCode: 7,
      value: {
        error: { code: 'SESSION_DAMAGED', message: expect.stringContaining('.transition.json') },
      },
    });
    const { '.chainlesschain/sessions/s1': _folder, ...after } = await project.snapshot();
    const { '.chainlesschain/sessions/s1': _before, ...expected } = before;
    expect(after).toEqual(expected);
    project.io = { prompter: answering(true) };
    expect((await project.cc('repair', ...NAMED)).exitCode).toBe(0);
    expect(await copies(project)).toHaveLength(1);
    expect(await readFile(outside, 'utf8')).toBe('theirs');
    project.io = {};
    expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  },
);

test('an interrupted write is ended, not repaired: nothing is asked', async () => {
  await using project = await sessionAt('plan');
  const draft = 'intent.md.4b2bba30-e702-4887-8a5c-1f7f3d3f5a11.tmp';
  await project.write(`${FOLDER}/${draft}`, INTENT.replace('Say 42', 'Say 43'));
  const old = sha256(await project.read(`${FOLDER}/intent.md`));
  const renames = [{ from: draft, to: 'intent.md', old }];
  await project.write(JOURNAL, JSON.stringify({ renames, appends: [] }));
  project.io = { prompter: answering() };
  expect(await project.ccJson('repair', ...NAMED)).toMatchObject({
    exitCode: 0,
    value: { damages: [] },
  });
  expect(await project.read(`${FOLDER}/intent.md`)).toContain('Say 43');
});

test.each([
  ['mode.json', 'empty'],
  ['mode.json', 'cut at 30 bytes'],
  ['tasks.json', 'empty'],
])('where %s is %s, the plan has to be approved again, and can be', async (file, how) => {
  await using project = await sessionAt('approved');
  await damage(project, file, how);
  project.io = { prompter: answering(true) };
  const { stderr } = await project.cc('repair', ...NAMED);
  expect(stderr).toContain('; the plan has to be approved again');
  expect((await project.cc('status')).stdout).toContain(
    'plan: approved elsewhere, or not any more (Ann (command line))\n',
  );
  expect((await project.ccJson('ralph', ...NAMED)).value).toMatchObject({
    error: { code: 'APPROVAL_NOT_YOURS', hint: 'cc ralplan --approve --session s1' },
  });
  project.io = {};
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
});

test('an approval of somebody else does not become one’s own by a repair', async () => {
  await using project = await sessionAt('approved');
  await damage(project, 'mode.json', 'empty');
  project.env = { CC_SEAL_KEY: 'the key of Ben' };
  project.io = { prompter: answering(true) };
  const { stderr } = await project.cc('repair', ...NAMED);
  expect(stderr).toContain('; the plan has to be approved again');
  expect((await project.ccJson('status')).value).toMatchObject({ plan: { state: 'foreign' } });
});

test('a plan that was edited after its approval is not approved by a repair', async () => {
  await using project = await sessionAt('approved');
  const plan = await project.read(`${FOLDER}/plan.md`);
  await project.write(`${FOLDER}/plan.md`, plan.replace('Write the answer', 'Write it'));
  await damage(project, 'mode.json', 'empty');
  project.io = { prompter: answering(true) };
  expect((await project.cc('repair', ...NAMED)).exitCode).toBe(0);
  expect((await project.ccJson('status')).value).toMatchObject({ plan: { state: 'changed' } });
});
