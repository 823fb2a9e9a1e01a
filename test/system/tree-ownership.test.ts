import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asPerson, NOBODY } from '../kernel/worktree/as-person.ts';
import { TempTree } from '../kernel/worktree/temp-tree.ts';

test('root hashes what belongs to a person', async () => {
  await using tree = await TempTree.create({ 'a.txt': '1\n' });
  tree.git('add', '-A');
  for (const path of await readdir(tree.top, { recursive: true })) {
    await chown(tree.path(path), NOBODY, NOBODY);
  }
  await chown(tree.top, NOBODY, NOBODY);
  expect(() => tree.git('status')).toThrow('dubious ownership');
  const before = await tree.hash();

  await tree.write('a.txt', '2\n');

  expect(await tree.hash()).not.toBe(before);
});

test('a person hashes what belongs to root', async () => {
  await using tree = await TempTree.create({ 'a.txt': '1\n' });
  tree.git('add', '-A');
  tree.git('commit', '-qm', 'first');
  await chmod(tree.folder, 0o755);
  const home = await mkdtemp(join(tmpdir(), 'cc-person-'));
  await chown(home, NOBODY, NOBODY);

  await asPerson(async () => {
    expect(() => tree.git('status')).toThrow('dubious ownership');
    const before = await tree.hash({ home });
    expect(await tree.hash({ home })).toBe(before);
  });
  await rm(home, { recursive: true });
});
