import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRepository, readHead } from '../../../src/kernel/worktree/git.ts';
import { TempTree } from './temp-tree.ts';

async function committed(): Promise<TempTree> {
  const tree = await TempTree.create({ 'a.txt': 'a', 'sub/deep/b.txt': 'b' });
  tree.git('add', '-A');
  tree.git('commit', '-qm', 'first');
  return tree;
}

test('finds the repository from any folder of it', async () => {
  await using tree = await committed();
  const gitDir = tree.path('.git');
  const found = { top: tree.top, gitDir, commonDir: gitDir };

  expect(await findRepository(tree.top)).toEqual(found);
  expect(await findRepository(tree.path('sub/deep'))).toEqual(found);
  await symlink(tree.path('sub'), join(tree.folder, 'link'));
  expect(await findRepository(join(tree.folder, 'link/deep'))).toEqual(found);
});

test('finds none where there is none, and passes over what only looks like one', async () => {
  await using tree = await TempTree.create({ 'sub/.git': 'not a pointer\n' }, 'folder');
  await mkdir(tree.path('.git'));

  expect(await findRepository(tree.path('sub'))).toBeUndefined();
  expect(await readHead(tree.top)).toEqual({});
});

test('follows the file of a linked worktree', async () => {
  await using tree = await committed();
  tree.git('worktree', 'add', '-q', '../linked', '-b', 'topic');
  const linked = join(tree.folder, 'linked');

  expect(await findRepository(join(linked, 'sub'))).toEqual({
    top: linked,
    gitDir: tree.path('.git/worktrees/linked'),
    commonDir: tree.path('.git'),
  });
  const head = tree.git('rev-parse', 'main').trim();
  expect(await readHead(linked)).toEqual({ branch: 'topic', head });
  expect(await readHead(tree.top)).toEqual({ branch: 'main', head });
});

test('follows the file of a submodule', async () => {
  await using tree = await committed();
  tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', tree.top, 'lib');

  const gitDir = tree.path('.git/modules/lib');
  expect(await findRepository(tree.path('lib/sub'))).toEqual({
    top: tree.path('lib'),
    gitDir,
    commonDir: gitDir,
  });
});

test('reads the position from loose and packed refs, from no ref, and before the first commit', async () => {
  await using tree = await TempTree.create({ 'a.txt': 'a' });
  expect(await readHead(tree.top)).toEqual({ branch: 'main' });

  tree.git('add', '-A');
  tree.git('commit', '-qm', 'first');
  const head = tree.git('rev-parse', 'HEAD').trim();
  tree.git('checkout', '-qb', 'feature/a.b');
  expect(await readHead(tree.top)).toEqual({ branch: 'feature/a.b', head });

  tree.git('pack-refs', '--all');
  expect(await readHead(tree.top)).toEqual({ branch: 'feature/a.b', head });

  tree.git('checkout', '-q', '--detach');
  expect(await readHead(tree.top)).toEqual({ head });
});
