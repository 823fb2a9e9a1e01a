import { readFile, symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checksumOf, distrustSince, readEntries } from '../../../src/kernel/worktree/index-file.ts';
import { TempTree } from './temp-tree.ts';

/** Names of every length, so that every padding occurs. */
const NAMES = Array.from({ length: 17 }, (_, length) => `f${'x'.repeat(length)}`);

async function indexOf(tree: TempTree): Promise<Buffer> {
  return readFile(tree.path('.git/index'));
}

test('reads what git wrote', async () => {
  await using tree = await TempTree.create(Object.fromEntries(NAMES.map((name) => [name, 'x'])));
  await symlink('f', tree.path('link'));
  tree.git('init', '-q', 'inner');
  tree.sh('cd inner && git commit -q --allow-empty -m x');
  tree.git('-c', 'advice.addEmbeddedRepo=false', 'add', '-A');

  const entries = readEntries(await indexOf(tree));

  expect(entries.map(({ path }) => path)).toEqual([...NAMES, 'inner', 'link']);
  expect(entries.filter(({ isRepository }) => isRepository).map(({ path }) => path)).toEqual([
    'inner',
  ]);
  const listed = tree
    .git('ls-files', '--debug')
    .match(/(?<=ctime: )\d+/g)
    ?.map(Number);
  expect(entries.map(({ changedAt }) => changedAt)).toEqual(listed);
});

test('reads entries with extended flags', async () => {
  await using tree = await TempTree.create({ a: 'x', bb: 'x', ccc: 'x' });
  tree.git('add', '-N', 'a', 'bb');
  tree.git('add', 'ccc');

  expect(readEntries(await indexOf(tree)).map(({ path }) => path)).toEqual(['a', 'bb', 'ccc']);
});

test('marks what changed of late, and git takes it', async () => {
  await using tree = await TempTree.create({ a: 'x', b: 'x' });
  tree.git('add', '-A');
  const bytes = await indexOf(tree);
  const entries = readEntries(bytes);
  const [first] = entries;
  if (first === undefined) throw new Error('no entry');

  expect(distrustSince(bytes, entries, first.changedAt + 10)).toBeUndefined();
  const marked = distrustSince(bytes, entries, first.changedAt - 1) ?? bytes;

  await tree.write('.git/index', marked);
  expect(checksumOf(marked)).not.toBe(checksumOf(bytes));
  expect(tree.git('ls-files', '--debug').match(/size: \d+/g)).toEqual(['size: 0', 'size: 0']);
  expect(tree.git('fsck').trim()).not.toContain('index');
});

test.each([
  ['no index at all', Buffer.from('something else entirely')],
  ['another version', Buffer.from('DIRC\0\0\0\x04\0\0\0\0'.padEnd(40, '\0'), 'latin1')],
  [
    'more entries than there are',
    Buffer.from('DIRC\0\0\0\x02\0\0\0\x05'.padEnd(40, '\0'), 'latin1'),
  ],
])('refuses %s', (_title, bytes) => {
  expect(() => readEntries(bytes)).toThrow(expect.objectContaining({ code: 'SESSION_DAMAGED' }));
});

test('no bytes are no entries', () => {
  expect(readEntries(Buffer.alloc(0))).toEqual([]);
});
