import { execFileSync } from 'node:child_process';
import { chmod, rename, rm, symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { TreeId, TreeStore } from '../../../src/kernel/worktree/private-store.ts';
import { TempTree } from './temp-tree.ts';

const BINARY = Buffer.from([0, 1, 2, 255, 10, 0]);

interface Case extends AsyncDisposable {
  readonly tree: TempTree;
  readonly store: TreeStore;
  readonly before: TreeId;
  readonly after: TreeId;
}

async function changed(): Promise<Case> {
  const tree = await TempTree.create({
    'gone.txt': 'gone\n',
    'mode.sh': '#!/bin/sh\n',
    'moved.txt': 'a long text that is moved as it is\n',
    'same.txt': 'same\n',
    'text.txt': 'one\ntwo\n',
    'turns.txt': 'same.txt',
  });
  await tree.write('data.bin', BINARY);
  const store = tree.store();
  const before = await store.hash();
  await tree.write('text.txt', 'one\r\n2\n');
  await tree.write('data.bin', Buffer.concat([BINARY, BINARY]));
  await tree.write('new dir/é "q"\n.txt', 'new\n');
  await chmod(tree.path('mode.sh'), 0o755);
  await rename(tree.path('moved.txt'), tree.path('there.txt'));
  await rm(tree.path('gone.txt'));
  await rm(tree.path('turns.txt'));
  await symlink('same.txt', tree.path('turns.txt'));
  const after = await store.hash();
  return { tree, store, before, after, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}

test('lists what differs', async () => {
  await using given = await changed();
  const { store, before, after } = given;

  expect(await store.diff(before.tree, after.tree)).toEqual([
    { path: 'data.bin', status: 'modified' },
    { path: 'gone.txt', status: 'deleted' },
    { path: 'mode.sh', status: 'mode-changed' },
    { path: 'moved.txt', status: 'deleted' },
    { path: 'new dir/é "q"\n.txt', status: 'added' },
    { path: 'text.txt', status: 'modified' },
    { path: 'there.txt', status: 'added' },
    { path: 'turns.txt', status: 'modified' },
  ]);
  expect(await store.diff(after.tree, after.tree)).toEqual([]);
});

test('shows files of both trees', async () => {
  await using given = await changed();
  const { store, before, after } = given;

  expect(String(await store.show(before.tree, 'text.txt'))).toBe('one\ntwo\n');
  expect(String(await store.show(after.tree, 'text.txt'))).toBe('one\r\n2\n');
  expect(await store.show(before.tree, 'data.bin')).toEqual(BINARY);
  expect(String(await store.show(after.tree, 'turns.txt'))).toBe('same.txt');
  expect(await store.show(before.tree, 'there.txt')).toBeUndefined();
  expect(await store.show(after.tree, 'new dir')).toBeUndefined();
  expect(await store.show(after.tree, 'new dir/')).toBeUndefined();
  expect(await store.show(after.tree, '*.txt')).toBeUndefined();
  expect(await store.show(after.tree, '')).toBeUndefined();
});

test('a project in a subfolder names paths from there', async () => {
  await using tree = await TempTree.create({
    'sub/in.txt': '1',
    'out.txt': '1',
    'subway/x.txt': '1',
  });
  const store = tree.store({ root: tree.path('sub') });
  const before = await store.hash();
  for (const path of ['sub/in.txt', 'out.txt', 'subway/x.txt']) await tree.write(path, '2');
  const after = await store.hash();

  expect(await store.diff(before.tree, after.tree)).toEqual([
    { path: '../out.txt', status: 'modified' },
    { path: 'in.txt', status: 'modified' },
    { path: '../subway/x.txt', status: 'modified' },
  ]);
  expect(String(await store.show(before.tree, 'in.txt'))).toBe('1');
  expect(String(await store.show(after.tree, '../out.txt'))).toBe('2');
  const patch = String(await store.patch(before.tree, after.tree, ['in.txt', '../out.txt']));
  expect(patch.match(/^diff .*/gm)).toEqual([
    'diff --git a/out.txt b/out.txt',
    'diff --git a/sub/in.txt b/sub/in.txt',
  ]);
});

test('a patch leads from the first tree to the second', async () => {
  await using given = await changed();
  const { tree, store, before, after } = given;
  const patch = await store.patch(before.tree, after.tree);
  await using other = await TempTree.create({}, 'folder');
  // The first tree, rebuilt somewhere else, and the patch applied to it by git.
  for (const name of [
    'gone.txt',
    'mode.sh',
    'moved.txt',
    'same.txt',
    'text.txt',
    'turns.txt',
    'data.bin',
  ]) {
    await other.write(name, (await store.show(before.tree, name)) ?? '');
  }
  expect((await other.store().hash()).tree).toBe(before.tree);

  execFileSync('git', ['apply', '--whitespace=nowarn'], {
    cwd: other.top,
    env: tree.env,
    input: patch,
  });

  expect((await other.store().hash()).tree).toBe(after.tree);
});

test('a patch may be limited to paths, which are no patterns', async () => {
  await using given = await changed();
  const { store, before, after } = given;
  const patchOf = async (...paths: string[]) =>
    String(await store.patch(before.tree, after.tree, paths)).match(/^diff --git .*$/gm);

  expect(await patchOf('text.txt', 'new dir')).toEqual([
    'diff --git "a/new dir/\\303\\251 \\"q\\"\\n.txt" "b/new dir/\\303\\251 \\"q\\"\\n.txt"',
    'diff --git a/text.txt b/text.txt',
  ]);
  expect(await patchOf('*.txt')).toBeNull();
});

test.each(['HEAD', '--help', '', 'abc', `${'a'.repeat(39)}\n`])(
  '%j is not the id of a tree',
  async (id) => {
    await using tree = await TempTree.create({ 'a.txt': 'a' });
    const store = tree.store();
    const { tree: known } = await store.hash();

    const invalid = { code: 'REQUEST_INVALID' };
    await expect(store.diff(id, known)).rejects.toMatchObject(invalid);
    await expect(store.diff(known, id)).rejects.toMatchObject(invalid);
    await expect(store.show(id, 'a.txt')).rejects.toMatchObject(invalid);
    await expect(store.patch(known, id)).rejects.toMatchObject(invalid);
    await expect(store.keep(id, 'x')).rejects.toMatchObject(invalid);
  },
);

test('an unknown tree is said to be gone', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' });
  const store = tree.store();
  const { tree: known } = await store.hash();

  await expect(store.diff('1'.repeat(40), known)).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
  });
});

test('a tree that is kept survives a clean-up, one that is not does not', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'first' }, 'folder');
  const store = tree.store();
  const first = await store.hash();
  await tree.write('a.txt', 'second');
  const second = await store.hash();
  await tree.write('a.txt', 'third');
  await store.hash();

  await store.keep(first.tree, 's1/before');
  await store.keep(first.tree, 's1/before');
  tree.sh('git --git-dir="$(echo ../cc/stores/*)" prune --expire=now');

  expect(String(await store.show(first.tree, 'a.txt'))).toBe('first');
  await expect(store.show(second.tree, 'a.txt')).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
  });
});

test.each(['', '../x', 'a..b', 'a b', 'x.lock', '-x/'])(
  'a tree cannot be kept as %j',
  async (name) => {
    await using tree = await TempTree.create({ 'a.txt': 'a' });
    const store = tree.store();
    const { tree: known } = await store.hash();

    await expect(store.keep(known, name)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  },
);

test('a project below the top names its own files, and what lies beside it with ../', async () => {
  await using tree = await TempTree.create({ 'app/a.txt': 'a\n', 'b.txt': 'b\n' });
  const store = tree.store({ root: tree.path('app') });
  const before = await store.hash();
  await tree.write('app/a.txt', 'A\n');
  await tree.write('b.txt', 'B\n');
  const after = await store.hash();

  expect(await store.diff(before.tree, after.tree)).toEqual([
    { path: 'a.txt', status: 'modified' },
    { path: '../b.txt', status: 'modified' },
  ]);
  expect(String(await store.show(after.tree, 'a.txt'))).toBe('A\n');
  expect(String(await store.show(after.tree, '../b.txt'))).toBe('B\n');
  const patch = String(await store.patch(before.tree, after.tree, ['a.txt']));
  expect(patch).toContain('--- a/app/a.txt\n+++ b/app/a.txt\n');
  expect(patch).not.toContain('b.txt');
});
