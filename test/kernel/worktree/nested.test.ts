import { mkdir, rename, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { TempTree } from './temp-tree.ts';

/** A repository with another one inside of it, which has a commit or none. */
async function withInner(commit: boolean, kind: 'repository' | 'folder' = 'repository') {
  const tree = await TempTree.create(
    { 'a.txt': 'a', 'inner/b.txt': 'b', 'inner/sub/c.txt': 'c' },
    kind,
  );
  tree.git('init', '-q', 'inner');
  if (commit) tree.sh('cd inner && git add -A && git commit -qm inner');
  return tree;
}

describe.each([
  ['with a commit', true, 'repository'],
  ['without a commit', false, 'repository'],
  ['with a commit, in a plain folder', true, 'folder'],
  ['without a commit, in a plain folder', false, 'folder'],
] as const)('a repository inside, %s', (_title, commit, kind) => {
  test('counts with its contents', async () => {
    await using tree = await withInner(commit, kind);
    const before = await tree.hash();
    expect(await tree.hash()).toBe(before);

    await tree.write('inner/sub/c.txt', 'changed');
    const modified = await tree.hash();
    expect(modified).not.toBe(before);
    expect(await tree.hashAfresh()).toBe(modified);

    await tree.write('inner/new.txt', 'x');
    expect(await tree.hash()).not.toBe(modified);
    await rm(tree.path('inner/new.txt'));
    expect(await tree.hash()).toBe(modified);
  });

  test('has its own rules, and those count', async () => {
    await using tree = await withInner(commit, kind);
    await tree.write('inner/.gitignore', 'ignored\n');
    const before = await tree.hash();

    await tree.write('inner/ignored', 'x');
    expect(await tree.hash()).toBe(before);

    await tree.write('inner/.git/info/exclude', 'more\n');
    expect(await tree.hash()).not.toBe(before);
  });

  test('does not count with its commits', async () => {
    await using tree = await withInner(commit, kind);
    const before = await tree.hash();

    tree.sh('cd inner && git add -A && git commit -q --allow-empty -m more');

    expect(await tree.hash()).toBe(before);
    expect(await tree.hashAfresh()).toBe(before);
  });

  test('shows its files in a difference', async () => {
    await using tree = await withInner(commit, kind);
    const store = tree.store();
    const before = await store.hash();
    await tree.write('inner/sub/c.txt', 'changed');
    await tree.write('a.txt', 'changed');
    const after = await store.hash();

    expect(await store.diff(before.tree, after.tree)).toEqual([
      { path: 'a.txt', status: 'modified' },
      { path: 'inner/sub/c.txt', status: 'modified' },
    ]);
    expect(String(await store.show(after.tree, 'inner/sub/c.txt'))).toBe('changed');
  });
});

test('a repository that is one no longer is a folder', async () => {
  await using tree = await withInner(true);
  await tree.hash();
  await rm(tree.path('inner/.git'), { recursive: true });
  const before = await tree.hash();

  await tree.write('inner/b.txt', 'changed');

  expect(await tree.hash()).not.toBe(before);
});

test('a repository that is gone, moved or replaced by a link is noticed', async () => {
  await using tree = await withInner(true);
  const first = await tree.hash();

  await rename(tree.path('inner'), tree.path('moved'));
  const moved = await tree.hash();
  tree.sh('ln -s moved inner');
  const linked = await tree.hash();
  expect(await tree.hashAfresh()).toBe(linked);
  await rm(tree.path('moved'), { recursive: true });
  const gone = await tree.hash();

  expect(new Set([first, moved, linked, gone]).size).toBe(4);
  expect(await tree.hashAfresh()).toBe(gone);
});

test('a repository that is replaced by a link to it is a link', async () => {
  await using tree = await withInner(true);
  await tree.hash();
  await rename(tree.path('inner'), tree.path('moved'));
  tree.sh('ln -s moved inner');

  expect(await tree.hash()).toBe(await tree.hashAfresh());
});

test('a folder that becomes a repository still counts', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a', 'inner/b.txt': 'b' });
  await tree.hash();
  tree.git('init', '-q', 'inner');
  await tree.write('inner/c.txt', 'c');
  const before = await tree.hash();

  await tree.write('inner/c.txt', 'changed');

  expect(await tree.hash()).not.toBe(before);
});

test('repositories inside of repositories count', async () => {
  await using tree = await withInner(true);
  await mkdir(tree.path('inner/sub/deep'));
  tree.git('init', '-q', 'inner/sub/deep');
  await tree.write('inner/sub/deep/d.txt', 'd');
  const store = tree.store();
  const before = await store.hash();

  await tree.write('inner/sub/deep/d.txt', 'changed');

  const after = await store.hash();
  expect(await store.diff(before.tree, after.tree)).toEqual([
    { path: 'inner/sub/deep/d.txt', status: 'modified' },
  ]);
});

test('the files of a repository inside come back when its store is lost', async () => {
  await using tree = await withInner(true, 'folder');
  const store = tree.store();
  const before = await store.hash();
  expect(await store.hash()).toEqual(before);
  expect(String(await store.show(before.tree, 'inner/b.txt'))).toBe('b');
  // The object of `b` is in the repository inside as well.
  tree.sh('rm -rf ../cc/stores/*/objects inner/.git/objects/??');

  expect(String(await store.show(before.tree, 'inner/b.txt'))).toBe('b');
});

test('an ignored repository does not count, a tracked submodule does', async () => {
  await using tree = await withInner(true);
  await tree.write('.gitignore', 'inner/\n');
  const ignored = await tree.hash();
  await tree.write('inner/b.txt', 'changed');
  expect(await tree.hash()).toBe(ignored);

  tree.git('add', '-f', 'inner');

  const tracked = await tree.hash();
  expect(tracked).not.toBe(ignored);
  await tree.write('inner/b.txt', 'changed again');
  expect(await tree.hash()).not.toBe(tracked);
});

test('a submodule counts wherever its git folder is', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a', '../lib/b.txt': 'b' });
  tree.sh('cd ../lib && git init -q && git add -A && git commit -qm lib');
  tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../lib', 'lib');
  const before = await tree.hash();

  await tree.write('lib/b.txt', 'changed');

  expect(await tree.hash()).not.toBe(before);
  expect(await tree.hash({ root: tree.path('lib') })).toMatch(/^t1:/);
});

test('no program of a repository inside is run', async () => {
  await using tree = await withInner(true);
  await tree.write('inner/.gitattributes', '* filter=trip\n');
  const trip = tree.path('../trip');
  for (const key of ['core.fsmonitor', 'filter.trip.clean', 'core.hooksPath']) {
    tree.git('-C', 'inner', 'config', key, `touch ${trip}; false`);
  }
  await tree.hash();
  await tree.write('inner/b.txt', 'changed');
  await tree.hash();

  expect(tree.sh('ls ..')).not.toContain('trip');
});
