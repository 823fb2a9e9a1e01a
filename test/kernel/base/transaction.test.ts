import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../../src/kernel/base/hash.ts';
import { isPending } from '../../../src/kernel/base/journal.ts';
import { nodeFiles } from '../../../src/kernel/base/node-files.ts';
import { commit, rollForward } from '../../../src/kernel/base/transaction.ts';
import { fullFrom } from '../../support/counted-files.ts';

let base: string;
let folder: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cc-transaction-'));
  folder = join(base, 'session');
  await mkdir(folder);
  await writeFile(join(base, 'outside'), 'theirs');
});
afterEach(() => rm(base, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const read = (name: string) => readFile(join(folder, name), 'utf8');
const CHANGES = {
  files: { 'plan.md': 'new plan', 'artifacts/copy.md': 'copy', 'mode.json': 'new mode' },
  appends: { 'progress.log': 'line 2\n' },
  removals: ['verify.json'],
};

async function begin(): Promise<void> {
  await write('plan.md', 'old plan');
  await write('mode.json', 'old mode');
  await write('verify.json', 'old proof');
  await write('progress.log', 'line 1\n');
}

test('changes, adds and takes away as one, and leaves nothing else', async () => {
  await begin();
  await commit(nodeFiles, folder, CHANGES);
  expect((await readdir(folder)).sort()).toEqual([
    'artifacts',
    'mode.json',
    'plan.md',
    'progress.log',
  ]);
  expect(await readdir(join(folder, 'artifacts'))).toEqual(['copy.md']);
  expect(await read('plan.md')).toBe('new plan');
  expect(await read('progress.log')).toBe('line 1\nline 2\n');
});

test('on a disk that is full from any operation on, everything is as before', async () => {
  await begin();
  let first = 1;
  for (; ; first++) {
    const seen = { failed: 0 };
    const failure = await commit(fullFrom(nodeFiles, first, seen), folder, CHANGES).catch(
      (error: unknown) => error,
    );
    if (seen.failed === 0) break;
    expect(failure).toMatchObject({
      code: 'SESSION_PERSISTENCE_FAILED',
      message: expect.stringContaining('the disk is full'),
    });
    const names = (await readdir(folder)).filter((name) => name !== 'artifacts');
    expect(names.sort()).toEqual(['mode.json', 'plan.md', 'progress.log', 'verify.json']);
    expect(await read('plan.md')).toBe('old plan');
    expect(await read('progress.log')).toBe('line 1\n');
    expect(await isPending(folder)).toBe(false);
  }
  // Two folders or files staged, the journal, the lines: each of them was refused once.
  expect(first).toBeGreaterThan(5);
});

test.each([
  ['nothing of it is there', 'line 1\n', 'line 1\nline 2\n'],
  ['a part of it is there', 'line 1\nlin', 'line 1\nline 2\n'],
  ['all of it is there', 'line 1\nline 2\n', 'line 1\nline 2\n'],
  ['others wrote behind it', 'line 1\nline 2\nline 3\n', 'line 1\nline 2\nline 3\n'],
  ['somebody edited the file', 'mine\n', 'mine\nline 2\n'],
])('adds its lines once when %s', async (_case, found, expected) => {
  await write('progress.log', found);
  const journal = { renames: [], appends: [{ to: 'progress.log', offset: 7, text: 'line 2\n' }] };
  await write('.transition.json', JSON.stringify(journal));
  await rollForward(nodeFiles, folder);
  expect(await read('progress.log')).toBe(expected);
  expect(await isPending(folder)).toBe(false);
});

const rename = (from: string, to: string) => ({ renames: [{ from, to }], appends: [] });
const append = (to: string) => ({ renames: [], appends: [{ to, offset: 0, text: 'evil' }] });

test.each([
  ['cut', '{"renames":[{"from":'],
  ['empty', ''],
  ['zeros', '\0\0\0'],
  ['moves a file out', JSON.stringify(rename('x.tmp', '../outside'))],
  ['moves a file in', JSON.stringify(rename('../outside', 'plan.md'))],
  ['climbs out of a folder', JSON.stringify(rename('x.tmp', 'artifacts/../../outside'))],
  ['names an absolute path', JSON.stringify(rename('x.tmp', '/tmp/outside'))],
  ['names the folder above', JSON.stringify(append('..'))],
  ['writes through a link to a file', JSON.stringify(append('progress.log'))],
  ['moves through a link to a folder', JSON.stringify(rename('x.tmp', 'artifacts/outside'))],
  [
    'takes away through a link',
    JSON.stringify({ ...append('a'), removals: [{ name: 'artifacts/outside' }] }),
  ],
])('refuses a journal that came with a clone: %s', async (_case, text) => {
  await write('x.tmp', 'evil');
  await symlink(join(base, 'outside'), join(folder, 'progress.log'));
  await symlink(base, join(folder, 'artifacts'));
  await write('.transition.json', text);
  await expect(rollForward(nodeFiles, folder)).rejects.toMatchObject({
    code: 'SESSION_DAMAGED',
    message: expect.stringContaining('.transition.json'),
    hint: 'cc repair',
  });
  expect(await readFile(join(base, 'outside'), 'utf8')).toBe('theirs');
  expect((await readdir(base)).sort()).toEqual(['outside', 'session']);
});

test('does not read a journal through a link', async () => {
  await write('x.tmp', 'evil');
  await writeFile(join(base, 'journal'), JSON.stringify(rename('x.tmp', 'plan.md')));
  await symlink(join(base, 'journal'), join(folder, '.transition.json'));
  const failure = { message: expect.stringContaining('it is not a file') };
  await expect(rollForward(nodeFiles, folder)).rejects.toMatchObject(failure);
  expect((await readdir(folder)).sort()).toEqual(['.transition.json', 'x.tmp']);
});

const DRAFT = '.00000000-0000-4000-8000-000000000001.tmp';

/** As a process leaves it that was killed before its renames. */
async function interrupt(): Promise<void> {
  await begin();
  await write(`plan.md${DRAFT}`, 'new plan');
  await write(`mode.json${DRAFT}`, 'new mode');
  const journal = {
    renames: [
      { from: `plan.md${DRAFT}`, to: 'plan.md', old: sha256('old plan') },
      { from: `mode.json${DRAFT}`, to: 'mode.json', old: sha256('old mode') },
    ],
    appends: [],
    removals: [{ name: 'verify.json', old: sha256('old proof') }],
  };
  await write('.transition.json', JSON.stringify(journal));
}

const KEPT = { file: 'plan.md', copy: 'artifacts/plan.md.00000000.unapplied' };

test.each([
  ['nothing', async () => undefined, 'new plan', []],
  ['an edit', () => write('plan.md', 'my plan'), 'my plan', [KEPT]],
  ['a removal', () => rm(join(folder, 'plan.md')), undefined, [KEPT]],
  ['the same text', () => write('plan.md', 'old plan'), 'new plan', []],
])('after a kill, %s of a person stays', async (_case, edit, expected, kept) => {
  await interrupt();
  await edit();
  expect(await rollForward(nodeFiles, folder)).toEqual(kept);
  expect(await read('plan.md').catch(() => undefined)).toBe(expected);
  for (const { copy } of kept) expect(await read(copy)).toBe('new plan');
  expect(await read('mode.json')).toBe('new mode');
  const rest = (await readdir(folder)).filter((name) => !['artifacts', 'plan.md'].includes(name));
  expect(rest.sort()).toEqual(['mode.json', 'progress.log']);
});

test('a file that was to go and was edited meanwhile stays', async () => {
  await interrupt();
  await write('verify.json', 'mine');
  await rollForward(nodeFiles, folder);
  expect(await read('verify.json')).toBe('mine');
});

test('what was saved between the decision and the change stays', async () => {
  await begin();
  const kept = await commit(nodeFiles, folder, {
    files: { 'plan.md': 'new plan' },
    base: { 'plan.md': 'as it was when it was read' },
  });
  expect(kept).toEqual([
    { file: 'plan.md', copy: expect.stringMatching(/^artifacts\/plan\.md\..{8}\.unapplied$/) },
  ]);
  expect(await read('plan.md')).toBe('old plan');
});
