import { chmod, lutimes, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TempTree } from './temp-tree.ts';

const FILES = {
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 2;\n',
  'run.sh': '#!/bin/sh\n',
  'notes.txt': 'one\ntwo\n',
  '.gitignore': 'dist/\n*.log\n',
  'dist/out.js': 'built\n',
};

type Change = (tree: TempTree) => unknown;

async function committed(): Promise<TempTree> {
  const tree = await TempTree.create(FILES);
  await symlink('src/a.ts', tree.path('link'));
  tree.git('add', '-A');
  tree.git('commit', '-qm', 'first');
  return tree;
}

/** Rewrites a file in place and gives it its old time back. */
async function rewriteBehindTheClock(tree: TempTree, path: string, text: string) {
  const { atime, mtime, size } = await stat(tree.path(path));
  expect(Buffer.byteLength(text)).toBe(size);
  await tree.write(path, text);
  await utimes(tree.path(path), atime, mtime);
}

const CHANGES: readonly (readonly [string, Change])[] = [
  ['an untracked file is added', (tree) => tree.write('src/new.ts', 'x')],
  ['an empty file is added', (tree) => tree.write('empty', '')],
  ['a file is modified', (tree) => tree.write('src/a.ts', 'export const a = 2;\n')],
  ['a file is deleted', (tree) => rm(tree.path('src/b.ts'))],
  ['a file is renamed', (tree) => rename(tree.path('src/b.ts'), tree.path('src/c.ts'))],
  [
    'only the case of a name changes',
    (tree) => rename(tree.path('src/b.ts'), tree.path('src/B.ts')),
  ],
  ['a file may be executed', (tree) => chmod(tree.path('run.sh'), 0o755)],
  [
    'a link leads elsewhere',
    async (tree) => {
      await rm(tree.path('link'));
      await symlink('src/b.ts', tree.path('link'));
    },
  ],
  [
    'a link becomes the file that it led to',
    async (tree) => {
      await rm(tree.path('link'));
      await tree.write('link', 'src/a.ts');
    },
  ],
  ['line ends change', (tree) => tree.write('notes.txt', 'one\r\ntwo\r\n')],
  [
    'line ends change where an attribute would hide it',
    async (tree) => {
      await tree.write('.gitattributes', '* text=auto eol=crlf\n');
      const before = await tree.hash();
      await tree.write('notes.txt', 'one\r\ntwo\r\n');
      expect(await tree.hash()).not.toBe(before);
    },
  ],
  [
    'other bytes have the old size and time',
    (tree) => rewriteBehindTheClock(tree, 'notes.txt', 'two\none\n'),
  ],
  ['a rule of .gitignore is added', (tree) => tree.write('.gitignore', 'dist/\n*.log\n*.tmp\n')],
  ['a rule of .gitignore is taken away', (tree) => tree.write('.gitignore', '*.log\n')],
  ['a rule is added to info/exclude', (tree) => tree.write('.git/info/exclude', 'other\n')],
  [
    'a file is added together with a rule that hides it',
    async (tree) => {
      await tree.write('src/evil.ts', 'x');
      await tree.write('.git/info/exclude', 'evil.ts\n');
    },
  ],
  [
    'a rule is added to the global ignore file',
    (tree) => tree.write('../person/.config/git/ignore', 'x\n'),
  ],
  [
    'another global ignore file is named',
    async (tree) => {
      await tree.write('../person/mine', 'src/b.ts\n');
      tree.git('config', '--global', 'core.excludesFile', '~/mine');
    },
  ],
  [
    'the global ignore file is no longer named, and a file appears',
    async (tree) => {
      await tree.write('../person/mine', 'extra.txt\n');
      tree.git('config', '--global', 'core.excludesFile', '~/mine');
      await tree.write('extra.txt', 'x');
      await tree.hash();
      tree.git('config', '--global', '--unset', 'core.excludesFile');
    },
  ],
  [
    'info/exclude no longer hides a file',
    async (tree) => {
      await tree.write('.git/info/exclude', 'extra.txt\n');
      await tree.write('extra.txt', 'x');
      await tree.hash();
      await tree.write('.git/info/exclude', '');
    },
  ],
  [
    'a file changes that is tracked although it is ignored',
    async (tree) => {
      tree.git('add', '-f', 'dist/out.js');
      const before = await tree.hash();
      await tree.write('dist/out.js', 'other\n');
      expect(await tree.hash()).not.toBe(before);
    },
  ],
  [
    'an untracked file that counted is hidden by a rule',
    async (tree) => {
      await tree.write('extra.tmp', 'x');
      await tree.hash();
      await tree.write('.git/info/exclude', '*.tmp\n');
      const hidden = await tree.hash();
      await tree.write('extra.tmp', 'y');
      expect(await tree.hash()).toBe(hidden);
    },
  ],
  ['a file with a strange name is added', (tree) => tree.write('src/a "b"\n*[c]\\ é.ts', 'x')],
  ['a file is added that looks like an option', (tree) => tree.write('--all', 'x')],
];

describe('changes when', () => {
  test.each(CHANGES)('%s', async (_title, change) => {
    await using tree = await committed();
    const before = await tree.hash();
    // Not in the moment of the first hash: git would look at everything again for that alone.
    await sleep(20);

    await change(tree);

    const after = await tree.hash();
    expect(after).not.toBe(before);
    expect(after).toMatch(/^t1:[0-9a-f]{64}$/);
    // What is remembered about earlier trees must not be in it.
    expect(await tree.hashAfresh()).toBe(after);
  });
});

const NO_CHANGES: readonly (readonly [string, Change])[] = [
  ['nothing happens', () => undefined],
  [
    'files are touched',
    async (tree) => {
      await utimes(tree.path('src/a.ts'), 1, 1);
      await lutimes(tree.path('link'), 1, 1);
    },
  ],
  [
    'a change is staged and committed',
    async (tree) => {
      await tree.write('staged.ts', 'x');
      const before = await tree.hash();
      tree.git('add', '-A');
      expect(await tree.hash()).toBe(before);
      tree.git('commit', '-qm', 'second');
      expect(await tree.hash()).toBe(before);
      await rm(tree.path('staged.ts'));
    },
  ],
  ['a file is taken out of the index', (tree) => tree.git('rm', '-q', '--cached', 'src/a.ts')],
  ['git status and git log run', (tree) => tree.git('status') + tree.git('log')],
  [
    'work is put on the stash and taken back',
    async (tree) => {
      await tree.write('src/a.ts', 'changed\n');
      const before = await tree.hash();
      tree.git('stash');
      expect(await tree.hash()).not.toBe(before);
      tree.git('stash', 'pop');
      expect(await tree.hash()).toBe(before);
      tree.git('checkout', '-q', '.');
    },
  ],
  [
    'another branch with the same files is checked out',
    (tree) => tree.git('checkout', '-qb', 'other'),
  ],
  ['an ignored file is added', (tree) => tree.write('trace.log', 'x')],
  ['an ignored folder changes', (tree) => tree.write('dist/out.js', 'other\n')],
  ['the state of cc changes', (tree) => tree.write('.chainlesschain/sessions/s1/plan.md', 'x')],
  ['the state of a project inside changes', (tree) => tree.write('src/.chainlesschain/x', 'x')],
  ['cc hides its own folder', (tree) => tree.sh('echo .chainlesschain/ >> .git/info/exclude')],
  [
    'a comment is added to info/exclude',
    (tree) => tree.sh('printf "# mine\\n\\n" >> .git/info/exclude'),
  ],
  ['an empty folder is made', (tree) => tree.sh('mkdir -p a/b')],
  ['a pipe is made', (tree) => tree.sh('mkfifo pipe')],
  ['the repository is packed', (tree) => tree.git('gc', '-q')],
];

describe('stays when', () => {
  test.each(NO_CHANGES)('%s', async (_title, change) => {
    await using tree = await committed();
    const before = await tree.hash();

    await change(tree);

    expect(await tree.hash()).toBe(before);
    expect(await tree.hashAfresh()).toBe(before);
  });
});

test('comes back with the files', async () => {
  await using tree = await committed();
  const before = await tree.hash();
  await tree.write('src/a.ts', 'other\n');
  await tree.write('more.ts', 'other\n');
  expect(await tree.hash()).not.toBe(before);

  await tree.write('src/a.ts', FILES['src/a.ts']);
  await rm(tree.path('more.ts'));

  expect(await tree.hash()).toBe(before);
});

/** Files that changed a moment ago are always looked at again. These tests are about all the others. */
describe.concurrent('changes when nothing had happened for a while, and then', () => {
  const SETTLED_MS = 4_500;

  test.each<readonly [string, Change]>([
    ['a file is modified', (tree) => tree.write('src/a.ts', 'export const a = 2;\n')],
    [
      'other bytes have the old size and time',
      (tree) => rewriteBehindTheClock(tree, 'notes.txt', 'two\none\n'),
    ],
    ['an ignored file is tracked', (tree) => tree.git('add', '-f', 'dist/out.js')],
    ['a rule is added to info/exclude', (tree) => tree.write('.git/info/exclude', 'other\n')],
    ['a file is added', (tree) => tree.write('new.txt', 'x')],
  ])('%s', async (_title, change) => {
    await using tree = await committed();
    await tree.hash();
    await sleep(SETTLED_MS);
    const before = await tree.hash();
    expect(await tree.hash()).toBe(before);

    await change(tree);

    const after = await tree.hash();
    expect(after).not.toBe(before);
    expect(await tree.hashAfresh()).toBe(after);
  });
});

test('tells every edit of one second apart, whatever the times say', async () => {
  await using tree = await committed();
  const seen = new Set<string>();
  for (let edit = 10; edit < 25; edit++) {
    await rewriteBehindTheClock(tree, 'notes.txt', `${edit}e\ntwo\n`.slice(0, 8));
    seen.add(await tree.hash());
  }

  expect(seen.size).toBe(15);
});

test.each([
  ['skip-worktree', ['update-index', '--skip-worktree', 'src/a.ts']],
  ['assume-unchanged', ['update-index', '--assume-unchanged', 'src/a.ts']],
  ['core.ignoreStat', ['config', 'core.ignoreStat', 'true']],
  ['core.ignoreStat of the person', ['config', '--global', 'core.ignoreStat', 'true']],
  ['core.fileMode', ['config', 'core.fileMode', 'false']],
  ['core.autocrlf', ['config', 'core.autocrlf', 'true']],
  ['core.checkStat and core.trustctime', ['-c', 'x.y=z', 'config', 'core.trustctime', 'false']],
  ['a sparse checkout', ['sparse-checkout', 'set', '--no-cone', '/src/b.ts', '/notes.txt']],
  ['an intent to add', ['add', '-N', 'dist/../fresh.ts']],
])('%s does not blind it', async (title, command) => {
  await using tree = await committed();
  await tree.write('fresh.ts', 'x');
  tree.git(...command);
  const before = await tree.hash();

  await chmod(tree.path('notes.txt'), 0o755);
  const executable = await tree.hash();
  await tree.write('src/a.ts', 'tampered\n');

  const after = await tree.hash();
  expect(new Set([before, executable, after]).size, title).toBe(3);
  expect(await tree.hashAfresh()).toBe(after);
});

test.each([
  ['a rule that takes it back', '!.chainlesschain\n!.chainlesschain/**\n', []],
  ['the person tracking it', '', ['add', '-f', '.chainlesschain']],
])('the state of cc does not count despite %s', async (_title, rules, command) => {
  await using tree = await TempTree.create({
    ...FILES,
    '.chainlesschain/sessions/s1/plan.md': 'x',
  });
  await tree.write('.gitignore', rules);
  if (command.length > 0) tree.git(...command);
  const before = await tree.hash();

  await tree.write('.chainlesschain/sessions/s1/plan.md', 'y');
  await tree.write('.chainlesschain/new', 'y');

  expect(await tree.hash()).toBe(before);
  expect(await tree.hash()).toBe(before);
});

describe('without a repository', () => {
  test('hashes the folder, with the ignore files in it', async () => {
    await using tree = await TempTree.create({ ...FILES, 'src/.gitignore': '*.tmp\n' }, 'folder');
    const before = await tree.hash();

    await tree.write('src/x.tmp', 'x');
    await tree.write('dist/more.js', 'x');
    expect(await tree.hash()).toBe(before);

    await tree.write('x.tmp', 'x');
    expect(await tree.hash()).not.toBe(before);
  });

  test('an empty folder has a hash', async () => {
    await using tree = await TempTree.create({}, 'folder');
    const before = await tree.hash();
    expect(await tree.hash()).toBe(before);

    await tree.write('a', '');

    expect(await tree.hash()).not.toBe(before);
  });

  test('a repository around the home of the person is not its repository', async () => {
    await using tree = await TempTree.create({ 'a.txt': 'x' }, 'folder');
    tree.sh('cd .. && git init -q');
    const before = await tree.hash();

    await tree.write('../beside.txt', 'x');
    expect(await tree.hash()).toBe(before);

    await tree.write('a.txt', 'y');
    expect(await tree.hash()).not.toBe(before);
  });
});

test('a project in a subfolder is hashed with all of its repository', async () => {
  await using tree = await committed();
  const root = tree.path('src');
  const before = await tree.hash({ root });
  expect(before).toBe(await tree.hash());

  await tree.write('notes.txt', 'beside the project\n');

  expect(await tree.hash({ root })).not.toBe(before);
});

test('a linked worktree has its own files and the rules of its repository', async () => {
  await using tree = await committed();
  tree.git('worktree', 'add', '-q', '../linked', '-b', 'linked');
  const root = join(tree.folder, 'linked');
  const before = await tree.hash({ root });
  const main = await tree.hash();

  await tree.write('../linked/src/a.ts', 'x');
  const after = await tree.hash({ root });
  expect(after).not.toBe(before);
  expect(await tree.hash()).toBe(main);

  await tree.write('.git/info/exclude', 'x\n');
  expect(await tree.hash({ root })).not.toBe(after);
});

test('the folder of cc may lie inside of the tree', async () => {
  await using tree = await committed();
  const home = tree.path('own home!');
  const before = await tree.hash({ home });
  expect(await tree.hash({ home })).toBe(before);

  await tree.write('src/a.ts', 'x');

  expect(await tree.hash({ home })).not.toBe(before);
});

test('two processes may ask at once', async () => {
  await using tree = await committed();

  const hashes = await Promise.all(Array.from({ length: 3 }, () => tree.hash()));

  expect(new Set(hashes).size).toBe(1);
});

test('cancel ends it', async () => {
  await using tree = await committed();

  await expect(tree.store().hash(AbortSignal.abort())).rejects.toMatchObject({
    code: 'REQUEST_CANCELLED',
  });
  expect(await tree.hash()).toMatch(/^t1:/);
});

test('says so when git is missing', async () => {
  await using tree = await committed();
  const env = { ...tree.env, PATH: '/nowhere' };

  await expect(tree.hash({ env })).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    hint: 'cc doctor',
  });
});
