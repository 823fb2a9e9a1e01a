import { createHash } from 'node:crypto';
import { chmod, lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asPerson } from './as-person.ts';
import { TempTree } from './temp-tree.ts';

/** Every file below a folder with its mode and a digest of its bytes. */
async function snapshot(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const pairs = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isSymbolicLink() ? await readlink(path) : await readFile(path);
    const digest = createHash('sha256').update(bytes).digest('hex');
    return [path, `${(await lstat(path)).mode} ${digest}`] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** In the middle of everything: a partly staged file, an intent to add, a stash, a rebase that stopped. */
async function busyTree(): Promise<TempTree> {
  const tree = await TempTree.create({ 'a.txt': '1\n', 'b.txt': '1\n' });
  const commit = (name: string) => tree.git('commit', '-qam', name);
  tree.git('add', '-A');
  commit('first');
  tree.git('checkout', '-qb', 'other');
  await tree.write('b.txt', 'other\n');
  commit('other');
  tree.git('checkout', '-q', 'main');
  await tree.write('b.txt', 'main\n');
  commit('main');
  await tree.write('a.txt', 'stashed\n');
  tree.git('stash');
  expect(() => tree.git('rebase', '-q', 'other')).toThrow('could not apply');
  await tree.write('a.txt', 'staged\n');
  tree.git('add', 'a.txt');
  await tree.write('a.txt', 'staged, and more\n');
  await tree.write('intended.txt', 'x\n');
  tree.git('add', '-N', 'intended.txt');
  return tree;
}

test('leaves the repository as it was, byte for byte', async () => {
  await using tree = await busyTree();
  const before = await snapshot(tree.path('.git'));
  const status = () =>
    tree.git('--no-optional-locks', 'status', '-z', '--porcelain=v2', '--branch');
  const [statusBefore, refs] = [
    status(),
    tree.git('for-each-ref') + tree.git('reflog') + tree.git('stash', 'list'),
  ];

  const store = tree.store();
  const first = await store.hash();
  await tree.write('a.txt', 'edited\n');
  const second = await store.hash();
  await store.diff(first.tree, second.tree);
  await store.patch(first.tree, second.tree);
  await store.keep(second.tree, 'run-1');
  await tree.write('a.txt', 'staged, and more\n');

  expect(String(await store.show(first.tree, 'a.txt'))).toBe('staged, and more\n');
  expect(await snapshot(tree.path('.git'))).toEqual(before);
  expect(status()).toBe(statusBefore);
  expect(tree.git('for-each-ref') + tree.git('reflog') + tree.git('stash', 'list')).toBe(refs);
  expect(Object.keys(before).length).toBeGreaterThan(20);
});

test('runs no program that a config names', async () => {
  await using tree = await TempTree.create({
    'a.txt': '1\n',
    '.gitattributes': '* filter=trip diff=trip\n',
  });
  tree.git('add', '-A');
  tree.git('commit', '-qm', 'first');
  const trip = tree.path('../tripped');
  await tree.write('../trip.sh', `#!/bin/sh\ntouch ${trip}\ncat\n`);
  await chmod(tree.path('../trip.sh'), 0o755);
  const program = tree.path('../trip.sh');
  const keys = [
    'core.fsmonitor core.pager core.editor core.askPass core.sshCommand diff.external pager.diff',
    'filter.trip.clean filter.trip.smudge filter.trip.process diff.trip.command diff.trip.textconv',
    'gpg.program credential.helper uploadpack.packObjectsHook core.alternateRefsCommand',
  ];
  for (const scope of ['--local', '--global']) {
    for (const key of keys.join(' ').split(' ')) tree.git('config', scope, key, program);
  }
  await tree.write('.git/hooks/post-index-change', `#!/bin/sh\ntouch ${trip}\n`);
  await chmod(tree.path('.git/hooks/post-index-change'), 0o755);
  const env = { ...tree.env, GIT_EXTERNAL_DIFF: program, GIT_PAGER: program };
  // The trip-wire works: git itself steps on it.
  tree.sh('git status > /dev/null 2>&1 || :');
  expect(await stat(trip)).toBeDefined();
  tree.sh(`rm ${trip}`);

  const store = tree.store({ env });
  const first = await store.hash();
  await tree.write('a.txt', '2\n');
  await tree.write('new.txt', '2\n');
  const second = await store.hash();
  const patch = await store.patch(first.tree, second.tree);
  await store.diff(first.tree, second.tree);

  expect(patch.toString()).toContain('-1\n+2\n');
  await expect(stat(trip)).rejects.toThrow('ENOENT');
});

test.each([
  ['GIT_DIR', '/nowhere'],
  ['GIT_INDEX_FILE', '/nowhere/index'],
  ['GIT_WORK_TREE', '/'],
  ['GIT_OBJECT_DIRECTORY', '/nowhere'],
])('%s of the caller leads nobody astray', async (name, value) => {
  await using tree = await TempTree.create({ 'a.txt': '1\n' });
  const before = await tree.hash();

  expect(await tree.hash({ env: { ...tree.env, [name]: value } })).toBe(before);
});

test('keeps what it copied to itself', async () => {
  await using tree = await TempTree.create({ 'a.txt': '1\n' }, 'folder');
  await tree.hash();

  const [name = ''] = await readdir(join(tree.folder, 'cc/stores'));
  expect(name).toMatch(/^[0-9a-f]{16}$/);
  for (const path of ['cc/stores', `cc/stores/${name}`]) {
    expect((await stat(join(tree.folder, path))).mode & 0o777).toBe(0o700);
  }
});

test('does not pass over a file that git refuses to take', async () => {
  await using tree = await TempTree.create({ 'a.txt': '1\n', 'sub/.GIT/b.txt': '1\n' });

  await expect(tree.hash()).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: expect.stringContaining('sub/.GIT/b.txt'),
  });
});

test.each([
  ['a file', 'sub/secret.txt', 0],
  ['a folder', 'sub', 0],
  // Its names can be read, and nothing else.
  ['what is in a folder', 'sub', 0o600],
])('does not pass over %s that cannot be read', async (_title, path, mode) => {
  await asPerson(async () => {
    await using tree = await TempTree.create({ 'a.txt': '1\n', 'sub/secret.txt': '1\n' });
    const before = await tree.hash();
    await tree.write('sub/secret.txt', '2\n');
    await chmod(tree.path(path), mode);

    const hash = tree.hash();
    await expect(hash).rejects.toMatchObject({ code: 'TOOL_EXECUTION_FAILED', hint: 'cc doctor' });
    await expect(hash).rejects.toThrow(path);

    await chmod(tree.path(path), 0o755);
    expect(await tree.hash()).not.toBe(before);
  });
});
