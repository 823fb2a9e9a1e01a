import { execFileSync } from 'node:child_process';
import { readdir, rename, rm, stat, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STORE_LIMITS } from '../../../src/kernel/worktree/store-limits.ts';
import { TempTree } from './temp-tree.ts';

const limits = { ...STORE_LIMITS, maxFileBytes: 1_000, maxLookBytes: 3_000 };
/** Text that differs from file to file, so that no two share an object. */
const text = (bytes: number, mark: string) => `${mark}\n`.repeat(bytes).slice(0, bytes);
const LARGE = text(1_001, 'large');

/** Ids of what the private stores hold themselves, not what they borrow. */
function objectsOf(tree: TempTree): readonly string[] {
  const loose = tree.sh('cd ../cc/stores && find */objects/?? -type f 2> /dev/null || :');
  const packed = tree.sh(
    'for p in ../cc/stores/*/objects/pack/*.idx; do git show-index < $p; done 2> /dev/null || :',
  );
  return [
    ...loose.split('\n').map((path) => path.split('/').slice(-2).join('')),
    ...packed.split('\n').map((line) => line.split(' ')[1] ?? ''),
  ].filter((id) => id !== '');
}

function has(tree: TempTree, path: string): boolean {
  const id = tree.sh(`git hash-object --no-filters -- '${path}'`).trim();
  return objectsOf(tree).includes(id);
}

type Made = readonly [title: string, files: Record<string, string>, unkept: readonly string[]];

const MADE: readonly Made[] = [
  ['up to the limit of a file', { a: text(1_000, 'a'), b: text(999, 'b') }, []],
  ['above it', { a: text(1_001, 'a'), 'sub/b': text(5_000, 'b'), c: 'c' }, ['a', 'sub/b']],
  ['up to the limit of a look', { a: text(1_000, 'a'), b: text(1_000, 'b'), c: 'c' }, []],
  [
    'above it: the largest stay out',
    { a: text(990, 'a'), b: text(1_000, 'b'), c: text(980, 'c'), d: text(970, 'd'), e: 'e' },
    ['b'],
  ],
  [
    'above both',
    {
      a: text(990, 'a'),
      b: text(2_000, 'b'),
      c: text(980, 'c'),
      d: text(970, 'd'),
      f: text(999, 'f'),
    },
    ['b', 'f'],
  ],
];

test.each(MADE)('keeps contents %s', async (_title, files, unkept) => {
  await using tree = await TempTree.create(files, 'folder');
  const id = await tree.store({ limits }).hash();

  expect([...id.unkept].sort()).toEqual(unkept);
  for (const path of Object.keys(files)) expect(has(tree, path), path).toBe(!unkept.includes(path));
  // The hash is of everything, whatever is kept.
  expect(await tree.hashAfresh()).toBe(id.hash);
  expect(await tree.store({ limits }).hash()).toEqual(id);
});

test('later contents have the same limits', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store({ limits });
  expect((await store.hash()).unkept).toEqual([]);

  await tree.write('b', LARGE);
  for (const name of ['c', 'd', 'e', 'f']) await tree.write(name, text(900, name));
  const then = await store.hash();
  expect([...then.unkept].sort()).toHaveLength(2);
  expect(then.unkept).toContain('b');
  expect(await tree.hashAfresh()).toBe(then.hash);

  await rm(tree.path('b'));
  await tree.write('a.txt', LARGE);
  const last = await store.hash();
  expect(last.unkept).toContain('a.txt');
  expect(last.unkept).not.toContain('b');
  expect(await tree.hashAfresh()).toBe(last.hash);
});

test('what did not fit in at first is not taken in bit by bit', async () => {
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((name) => [name, text(900, name)]),
  );
  await using tree = await TempTree.create(files, 'folder');
  const store = tree.store({ limits });
  const first = await store.hash();
  expect(first.unkept).toHaveLength(2);
  const objects = objectsOf(tree).length;

  // Files that changed a moment ago are read again, and so is everything for a store that is damaged.
  for (const name of ['a', 'b', 'c', 'd', 'e']) await utimes(tree.path(name), 1, 1);
  expect(await store.hash()).toEqual(first);
  tree.sh('rm ../cc/stores/*/index');
  expect(await store.hash()).toEqual(first);
  expect(objectsOf(tree)).toHaveLength(objects);

  const [left = ''] = first.unkept;
  await tree.write(left, text(900, 'changed'));
  expect((await store.hash()).unkept).toEqual(first.unkept.filter((path) => path !== left));
  expect(has(tree, left)).toBe(true);
});

test('what the repository has needs no room, and is kept by it', async () => {
  await using tree = await TempTree.create();
  for (const name of ['a', 'b', 'c', 'd']) await tree.write(name, text(900, name));
  await tree.write('large', LARGE);
  tree.git('add', '-A');
  await tree.write('new', text(950, 'new'));
  await tree.write('d', text(901, 'changed'));

  const { unkept } = await tree.store({ limits }).hash();

  expect(unkept).toEqual([]);
  // Two contents and the tree of them.
  expect(objectsOf(tree)).toHaveLength(3);
});

test('no longer counts as unkept what was committed, became small, was ignored or is gone', async () => {
  await using tree = await TempTree.create();
  const names = ['committed', 'small', 'ignored', 'gone', 'stays'];
  for (const name of names) await tree.write(name, text(2_000, name));
  const store = tree.store({ limits });
  expect([...(await store.hash()).unkept].sort()).toEqual([...names].sort());

  tree.git('add', 'committed');
  await tree.write('small', 'x');
  await tree.write('.gitignore', 'ignored\n');
  await rm(tree.path('gone'));

  expect((await store.hash()).unkept).toEqual(['stays']);
});

test.each([
  ['of an untracked folder', 'data/large', undefined],
  ['of a repository inside', 'inner/large', 'inner'],
  ['that is tracked although it is ignored', 'dist/large', undefined],
])('every change counts of a file %s that is not kept', async (_title, path, inner) => {
  await using tree = await TempTree.create({ '.gitignore': 'dist/\n', [path]: LARGE });
  if (inner !== undefined) tree.git('init', '-q', inner);
  if (path.startsWith('dist')) tree.git('update-index', '--add', '--info-only', path);
  const store = tree.store({ limits });
  const first = await store.hash();
  expect(first.unkept).toEqual([path]);

  const { atime, mtime } = await stat(tree.path(path));
  await tree.write(path, LARGE.toUpperCase());
  await utimes(tree.path(path), atime, mtime);
  const second = await store.hash();

  expect(second.hash).not.toBe(first.hash);
  expect(second.unkept).toEqual([path]);
  expect(await tree.hashAfresh()).toBe(second.hash);
  expect(await store.diff(first.tree, second.tree)).toEqual([{ path, status: 'modified' }]);
  expect(has(tree, path)).toBe(false);
});

test('names what is not kept as the project does', async () => {
  await using tree = await TempTree.create({ 'app/in': LARGE, out: LARGE.toUpperCase() });

  const { unkept } = await tree.store({ root: tree.path('app'), limits }).hash();

  expect([...unkept].sort()).toEqual(['../out', 'in']);
});

test('a file that is still the same lends its content for a patch, and the store stays small', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a\n', old: LARGE.toLowerCase() }, 'folder');
  const store = tree.store({ limits });
  const before = await store.hash();
  await tree.write('new dir/é "q"\n.txt', LARGE);
  await rename(tree.path('old'), tree.path('moved'));
  await tree.write('a.txt', 'b\n');
  const after = await store.hash();
  const objects = objectsOf(tree);

  const patch = await store.patch(before.tree, after.tree);
  expect(String(await store.show(after.tree, 'new dir/é "q"\n.txt'))).toBe(LARGE);
  expect(await store.show(after.tree, 'old')).toBeUndefined();

  expect(objectsOf(tree)).toEqual(objects);
  expect(
    await readdir(join(tree.folder, 'cc/stores')).then(([name]) => lentOf(tree, name)),
  ).toEqual([]);
  await using other = await TempTree.create({ 'a.txt': 'a\n', old: LARGE }, 'folder');
  expect((await other.store().hash()).tree).toBe(before.tree);
  execFileSync('git', ['apply'], { cwd: other.top, env: tree.env, input: patch });
  expect((await other.store().hash()).tree).toBe(after.tree);
});

function lentOf(tree: TempTree, name = ''): Promise<readonly string[]> {
  return readdir(join(tree.folder, 'cc/stores', name, 'lent'));
}

test('says what was not kept once it has changed, and shows the rest', async () => {
  await using tree = await TempTree.create({ 'sub/large': LARGE, 'sub/a.txt': 'a\n' });
  const store = tree.store({ root: tree.path('sub'), limits });
  const before = await store.hash();
  await tree.write('sub/large', 'small\n');
  await tree.write('sub/a.txt', 'b\n');
  const after = await store.hash();

  const lost = {
    code: 'TOOL_EXECUTION_FAILED',
    message: expect.stringMatching(/^large changed, .*files above 1000 bytes.*by hand/),
    details: { paths: ['large'] },
  };
  await expect(store.patch(before.tree, after.tree)).rejects.toMatchObject(lost);
  await expect(store.show(before.tree, 'large')).rejects.toMatchObject(lost);
  expect(String(await store.show(after.tree, 'large'))).toBe('small\n');
  expect(String(await store.patch(before.tree, after.tree, ['a.txt']))).toContain('-a\n+b\n');

  await rm(tree.path('sub/large'));
  tree.sh('mkfifo sub/large');
  await expect(store.show(before.tree, 'large')).rejects.toMatchObject(lost);
  await rm(tree.path('sub/large'));
  await tree.write('sub/large', LARGE);
  expect(String(await store.show(before.tree, 'large'))).toBe(LARGE);
});

test('a folder of cc with a strange name lends as well', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a\n' }, 'folder');
  const store = tree.store({ limits, home: join(tree.folder, 'c:c;\\ "é"') });
  const before = await store.hash();
  await tree.write('large', LARGE);
  const after = await store.hash();

  expect(String(await store.patch(before.tree, after.tree))).toContain('+++ b/large\n');
});

test('what does not fit into a patch is said to be too large', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a\n' }, 'folder');
  const store = tree.store();
  const before = await store.hash();
  // A hole in the disk: it takes no room.
  await tree.write('huge', '');
  await truncate(tree.path('huge'), 256 * 1024 * 1024 + 1);
  const after = await store.hash();
  expect(after.unkept).toEqual(['huge']);

  await expect(store.patch(before.tree, after.tree)).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: expect.stringMatching(/^huge does not fit into a patch of 256 MiB.*by hand/),
  });
});

test('the first look at many files makes one bundle of them', async () => {
  const files = Array.from({ length: 520 }, (_, at) => [`many/${at}.txt`, `file ${at}\n`] as const);
  await using tree = await TempTree.create(Object.fromEntries(files), 'folder');
  const store = tree.store();
  const first = await store.hash();
  const packs = () => tree.sh('ls ../cc/stores/*/objects/pack/*.pack').trim().split('\n').length;
  expect(packs()).toBe(1);
  expect(tree.sh('find ../cc/stores/*/objects/?? -type f').trim().split('\n').length).toBeLessThan(
    5,
  );

  for (const [path] of files) await tree.write(path, `${path}\n`);
  const second = await store.hash();

  expect(packs()).toBe(1);
  expect(await tree.hashAfresh()).toBe(second.hash);
  expect(String(await store.show(first.tree, 'many/7.txt'))).toBe('file 7\n');
  expect(String(await store.show(second.tree, 'many/7.txt'))).toBe('many/7.txt\n');
});
