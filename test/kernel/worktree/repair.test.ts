import { randomUUID } from 'node:crypto';
import { open, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selfHolder } from '../../../src/kernel/base/processes.ts';
import { TempTree } from './temp-tree.ts';

async function storeOf(tree: TempTree): Promise<string> {
  const [name = ''] = await readdir(join(tree.folder, 'cc/stores'));
  return join(tree.folder, 'cc/stores', name);
}

const DAMAGE: readonly (readonly [string, (store: string) => Promise<unknown>])[] = [
  ['the index is cut', (store) => truncate(join(store, 'index'), 100)],
  ['the index is empty', (store) => truncate(join(store, 'index'), 0)],
  ['the index is gone', (store) => rm(join(store, 'index'))],
  ['the index is something else', (store) => writeFile(join(store, 'index'), 'x'.repeat(500))],
  [
    'a byte of the index changed',
    async (store) => {
      const file = await open(join(store, 'index'), 'r+');
      await file.write(Buffer.from([255]), 0, 1, 4);
      await file.close();
    },
  ],
  ['the objects are gone', (store) => rm(join(store, 'objects'), { recursive: true })],
  ['the state is cut', (store) => truncate(join(store, 'state.json'), 20)],
  ['the state is of another version', (store) => writeFile(join(store, 'state.json'), '{"v":2}')],
  ['a killed git left its lock', (store) => writeFile(join(store, 'index.lock'), '')],
  ['a killed cc left a half-made index', (store) => writeFile(join(store, 'index.sealed'), 'x')],
  [
    'the config was edited',
    (store) => writeFile(join(store, 'config'), '[core]\n\tautocrlf = true\n'),
  ],
  ['HEAD is gone', (store) => rm(join(store, 'HEAD'))],
  ['everything is gone', (store) => rm(store, { recursive: true })],
  [
    'a dead process held the lock',
    (store) =>
      writeFile(
        join(store, 'lock'),
        JSON.stringify({ ...selfHolder(randomUUID()), pid: 999_999_999, startTime: '1' }),
      ),
  ],
];

test.each(DAMAGE)('goes on by itself when %s', async (_title, damage) => {
  await using tree = await TempTree.create({ 'a.txt': 'a', 'sub/b.txt': 'b' }, 'folder');
  const store = tree.store();
  const before = await store.hash();

  await damage(await storeOf(tree));

  expect(await store.hash()).toEqual(before);
  await tree.write('a.txt', 'changed');
  const after = await store.hash();
  expect(after.hash).not.toBe(before.hash);
  expect(await store.diff(before.tree, after.tree)).toEqual([
    { path: 'a.txt', status: 'modified' },
  ]);
});

test('reads a tree again whose objects were lost', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store();
  const { tree: id } = await store.hash();
  await rm(join(await storeOf(tree), 'objects'), { recursive: true });

  expect(String(await store.show(id, 'a.txt'))).toBe('a');
});

test('an index whose writer was killed before it was sealed is not trusted', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store();
  await store.hash();
  const index = join(await storeOf(tree), 'index');
  tree.sh(`cp ${index} ${index}.old`);
  await tree.write('b.txt', 'b');
  const after = await store.hash();
  // As if only git had run: the state is of another index than the one that is there.
  tree.sh(`mv ${index}.old ${index}`);

  expect(await store.hash()).toEqual(after);
});
