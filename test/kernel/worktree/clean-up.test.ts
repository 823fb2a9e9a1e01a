import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STORE_LIMITS } from '../../../src/kernel/worktree/store-limits.ts';
import { TempTree } from './temp-tree.ts';

/** Any object is one too many. */
const eager = { ...STORE_LIMITS, maxGrowth: -1 };
const OLD = new Date(Date.now() - 15 * 86_400_000);

async function storesOf(tree: TempTree): Promise<readonly string[]> {
  const folder = join(tree.folder, 'cc/stores');
  return (await readdir(folder)).map((name) => join(folder, name));
}

async function storeOf(tree: TempTree): Promise<string> {
  return (await storesOf(tree))[0] ?? '';
}

/** Makes everything that is in the stores as old as if nobody had been here for two weeks. */
async function age(tree: TempTree): Promise<void> {
  for (const store of await storesOf(tree)) {
    for (const path of await readdir(join(store, 'objects'), { recursive: true })) {
      await utimes(join(store, 'objects', path), OLD, OLD);
    }
    const text = await readFile(join(store, 'state.json'), 'utf8');
    const until = OLD.getTime() / 1000;
    await writeFile(
      join(store, 'state.json'),
      text.replaceAll(/"until":[\d.]+/g, `"until":${until}`),
    );
  }
}

/** An object that nothing refers to. */
async function litter(tree: TempTree): Promise<() => boolean> {
  const store = await storeOf(tree);
  const id = tree.sh(`echo litter | git --git-dir='${store}' hash-object -w --stdin`).trim();
  return () => tree.sh(`git --git-dir='${store}' cat-file -t ${id} 2>&1 || :`) === 'blob\n';
}

test('old trees go, kept and present ones stay', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'first', 'same.txt': 'same' }, 'folder');
  const store = tree.store({ limits: eager });
  const first = await store.hash();
  await store.keep(first.tree, 's1');
  await tree.write('a.txt', 'second');
  const second = await store.hash();
  await tree.write('a.txt', 'third');
  const third = await store.hash();
  await age(tree);

  await tree.write('a.txt', 'fourth');
  const fourth = await store.hash();

  for (const [{ tree: id }, text] of [
    [first, 'first'],
    [third, 'third'],
    [fourth, 'fourth'],
  ] as const) {
    expect(String(await store.show(id, 'a.txt'))).toBe(text);
    expect(String(await store.show(id, 'same.txt'))).toBe('same');
  }
  await expect(store.show(second.tree, 'a.txt')).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
  });
  expect(await tree.hashAfresh()).toBe(fourth.hash);
});

test('a tree of the last two weeks can be compared, however old its files are', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'first', 'b.txt': 'b' }, 'folder');
  const store = tree.store({ limits: eager });
  const first = await store.hash();
  await age(tree);

  for (const text of ['second', 'third']) {
    await tree.write('a.txt', text);
    await store.hash();
  }

  expect(String(await store.show(first.tree, 'a.txt'))).toBe('first');
});

test.each([
  ['has grown', eager, true],
  ['has not grown', STORE_LIMITS, false],
])('after a change, when the store %s', async (_title, limits, isCleared) => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store({ limits });
  await store.hash();
  const isThere = await litter(tree);
  await age(tree);
  await store.hash();
  // Nothing had changed: then nobody waits for a clean-up.
  expect(isThere()).toBe(true);

  await tree.write('a.txt', 'b');
  await store.hash();

  expect(isThere()).toBe(!isCleared);
});

test('only old objects go', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store({ limits: eager });
  await store.hash();
  const isThere = await litter(tree);

  await tree.write('a.txt', 'b');
  await store.hash();

  expect(isThere()).toBe(true);
});

test('a store that grew is cleaned up once, until it grows again', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store({ limits: { ...STORE_LIMITS, maxGrowth: 2 } });
  await store.hash();
  const folder = await storeOf(tree);
  const samples = sampleTexts();
  /** Adds young objects to the sample and tells whether an old one outside of it then goes. */
  const isClearedWith = async (count: number, text: string) => {
    const isThere = await litter(tree);
    await age(tree);
    for (let left = count; left > 0; left--) {
      const sample = samples.next().value ?? '';
      tree.sh(`printf %s ${sample} | git --git-dir='${folder}' hash-object -w --stdin`);
    }
    for (const name of await readdir(join(folder, 'objects/17')).catch(() => [])) {
      await utimes(join(folder, 'objects/17', name), new Date(), new Date());
    }
    await tree.write('a.txt', text);
    await store.hash();
    return !isThere();
  };

  expect(await isClearedWith(2, 'b')).toBe(false);
  expect(await isClearedWith(1, 'c')).toBe(true);
  expect(await isClearedWith(2, 'd')).toBe(false);
  expect(await isClearedWith(1, 'e')).toBe(true);
});

/** Texts whose objects all lie in one folder: the one that is counted. */
function* sampleTexts(): Generator<string, undefined> {
  for (let at = 0; ; at++) {
    const text = `text-${at}`;
    const id = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
    if (id.startsWith('17')) yield text;
  }
}

test('what a repository inside has stays as long as a tree around it is kept', async () => {
  await using tree = await TempTree.create({
    'a.txt': 'a',
    'inner/b.txt': 'first',
    'inner/deep/c.txt': 'c',
  });
  tree.git('init', '-q', 'inner');
  tree.git('init', '-q', 'inner/deep');
  const store = tree.store({ limits: eager });
  const first = await store.hash();
  await store.keep(first.tree, 's1');
  for (const text of ['second', 'third']) {
    await tree.write('inner/b.txt', text);
    await tree.write('inner/deep/c.txt', text);
    await store.hash();
    await age(tree);
  }
  const isThere = await litter(tree);
  await age(tree);

  await tree.write('a.txt', 'changed');
  await tree.write('inner/b.txt', 'fourth');
  await tree.write('inner/deep/c.txt', 'fourth');
  await store.hash();

  expect(String(await store.show(first.tree, 'inner/b.txt'))).toBe('first');
  expect(String(await store.show(first.tree, 'inner/deep/c.txt'))).toBe('c');
  expect(isThere()).toBe(false);
});

test('files that are not kept do not stand in its way', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a', large: 'x'.repeat(2_000) }, 'folder');
  const store = tree.store({ limits: { ...eager, maxFileBytes: 1_000 } });
  const first = await store.hash();
  await store.keep(first.tree, 's1');
  const isThere = await litter(tree);
  await age(tree);

  await tree.write('a.txt', 'b');
  const second = await store.hash();

  expect(second.unkept).toEqual(['large']);
  expect(isThere()).toBe(false);
  expect(String(await store.show(first.tree, 'a.txt'))).toBe('a');
});

test('trees that are damaged stop neither a look nor a clean-up', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store({ limits: eager });
  await store.keep((await store.hash()).tree, 's1');
  const folder = await storeOf(tree);
  const isThere = await litter(tree);
  await age(tree);
  const lost = '1'.repeat(40);
  await writeFile(join(folder, 'refs/kept/s1'), `${lost}\n`);
  await writeFile(join(folder, 'refs/kept/s2'), 'x');
  const text = await readFile(join(folder, 'state.json'), 'utf8');
  const earlier = JSON.stringify([{ tree: lost, until: Date.now() / 1000 }]);
  await writeFile(join(folder, 'state.json'), text.replace('[],"objects"', `${earlier},"objects"`));

  await tree.write('a.txt', 'b');

  expect((await store.hash()).hash).toBe(await tree.hashAfresh());
  expect(isThere()).toBe(false);
});

test('of a tree that lost a part, the rest stays', async () => {
  await using tree = await TempTree.create(
    { 'a.txt': 'first', 'sub/b.txt': 'first, below' },
    'folder',
  );
  const store = tree.store({ limits: eager });
  const first = await store.hash();
  await store.keep(first.tree, 's1');
  await tree.write('a.txt', 'second');
  await tree.write('sub/b.txt', 'second');
  await store.hash();
  const folder = await storeOf(tree);
  const lost = tree.sh(`git --git-dir='${folder}' rev-parse ${first.tree}:sub`).trim();
  await rm(join(folder, 'objects', lost.slice(0, 2), lost.slice(2)));
  const isThere = await litter(tree);
  await age(tree);

  await tree.write('a.txt', 'third');
  await store.hash();

  expect(isThere()).toBe(false);
  expect(String(await store.show(first.tree, 'a.txt'))).toBe('first');
});

test('several may look at once while each cleans up', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a', 'b/c.txt': 'c' }, 'folder');
  const store = tree.store({ limits: { ...eager, unusedMs: 0 } });
  const ids = [await store.hash()];
  for (let round = 0; round < 4; round++) {
    await tree.write('a.txt', `round ${round}`);
    await age(tree);
    const [one, other] = await Promise.all([
      store.hash(),
      tree.store({ limits: { ...eager, unusedMs: 0 } }).hash(),
    ]);
    expect(one).toEqual(other);
    expect(String(await store.show(one.tree, 'a.txt'))).toBe(`round ${round}`);
    expect(String(await store.show(one.tree, 'b/c.txt'))).toBe('c');
    ids.push(one);
  }

  expect(new Set(ids.map(({ hash }) => hash)).size).toBe(5);
});

test('what killed processes left goes with the next change', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' }, 'folder');
  const store = tree.store();
  await store.hash();
  const folder = await storeOf(tree);
  const left = [
    'objects/tmp_objdir-bulk-fsync-a/17',
    'objects/pack/tmp_pack_a',
    'lent/old',
    'lent/new',
  ];
  for (const path of left) await mkdir(join(folder, path), { recursive: true });
  await utimes(join(folder, 'lent/old'), OLD, OLD);

  await tree.write('a.txt', 'b');
  await store.hash();

  const isThere = (path: string) =>
    stat(join(folder, path)).then(
      () => true,
      () => false,
    );
  expect(await Promise.all(left.map(isThere))).toEqual([false, false, false, true]);
});
