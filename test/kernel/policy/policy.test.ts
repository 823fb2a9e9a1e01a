import { execFileSync } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guardWrite } from '../../../src/kernel/policy/policy.ts';
import { TempWorkspace } from '../tool/temp-workspace.ts';

const OUTSIDE = 'PATH_OUTSIDE_WORKSPACE';
const DENIED = 'TOOL_PERMISSION_DENIED';

async function judge(ws: TempWorkspace, path: string, overrides: object = {}) {
  return guardWrite({ root: ws.root, gitDirs: [], scope: [], path, ...overrides });
}

/** Links of every kind, some of them leading out. */
async function linked(): Promise<TempWorkspace> {
  const ws = await TempWorkspace.create({ 'src/a.ts': '', '.git/config': '', 'data/x': '' });
  await mkdir(join(ws.outside, 'out'));
  await mkdir(join(ws.outside, 'ws-evil'));
  await symlink('../out', join(ws.root, 'outbox'));
  await symlink('../not-yet', join(ws.root, 'draft'));
  await symlink('src', join(ws.root, 'code'));
  await symlink('src/later.ts', join(ws.root, 'later'));
  await symlink('.git', join(ws.root, 'meta'));
  await symlink('.git/hooks', join(ws.root, 'src/hooks'));
  await symlink('ping', join(ws.root, 'pong'));
  await symlink('pong', join(ws.root, 'ping'));
  await symlink('self', join(ws.root, 'self'));
  return ws;
}

test.each([
  ['a link to a folder outside', 'outbox/x', OUTSIDE],
  ['a dangling link', 'draft', OUTSIDE],
  ['two links in a circle', 'ping', OUTSIDE],
  ['a link to itself', 'self', OUTSIDE],
  ['a path through a link to itself', 'self/x', OUTSIDE],
  ['a sibling whose name begins alike', '../ws-evil/x', OUTSIDE],
  ['the parent', '..', OUTSIDE],
  ['a way out and back in another spelling', 'src/../../ws-evil/x', OUTSIDE],
  ['a path of the system', '/etc/passwd', OUTSIDE],
  ['a link to git metadata', 'meta/config', DENIED],
  ['a link in a folder to git metadata', 'src/hooks/pre-commit', DENIED],
  ['git metadata', '.git/info/attributes', DENIED],
  ['the metadata of a submodule', '.git/modules/x/config', DENIED],
  ['the files of cc', '.chainlesschain/config.yaml', DENIED],
  ['a NUL', 'a\0', DENIED],
])('refuses %s', async (_title, path, code) => {
  await using ws = await linked();
  expect(await judge(ws, path)).toMatchObject({ ok: false, code });
});

test.each(['ws-evil/x', 'ws/../ws-evil/x'])('refuses the absolute %s', async (path) => {
  await using ws = await linked();
  const verdict = await judge(ws, `${ws.outside}/${path}`);
  expect(verdict).toMatchObject({ ok: false, code: OUTSIDE });
});

test.each([
  ['a file', 'src/a.ts', 'src/a.ts'],
  ['a new file in new folders', 'x/y/z', 'x/y/z'],
  ['a name that begins with dots', '..data/x', '..data/x'],
  ['a link to a folder inside', 'code/b.ts', 'src/b.ts'],
  ['a dangling link inside', 'later', 'src/later.ts'],
  ['a detour', 'src/../data/x', 'data/x'],
])('allows %s and says where it leads', async (_title, path, real) => {
  await using ws = await linked();
  expect(await judge(ws, path)).toEqual({ ok: true, path: join(ws.root, real) });
});

test('a workspace that is reached through a link is not misjudged', async () => {
  await using ws = await linked();
  const root = join(ws.outside, 'alias');
  await symlink('ws', root);
  const real = join(ws.root, 'src/a.ts');
  for (const path of ['src/a.ts', join(root, 'src/a.ts'), real]) {
    expect(await judge(ws, path, { root })).toEqual({ ok: true, path: real });
  }
  for (const path of ['.git/config', join(ws.root, '.git/config'), join(root, 'meta/config')]) {
    expect(await judge(ws, path, { root })).toMatchObject({ ok: false, code: DENIED });
  }
});

test('a workspace inside of a folder called .chainlesschain is a workspace', async () => {
  await using ws = await TempWorkspace.create({ '.chainlesschain/worktrees/w/a.ts': '' });
  const root = join(ws.root, '.chainlesschain/worktrees/w');
  expect(await judge(ws, 'a.ts', { root })).toMatchObject({ ok: true });
  expect(await judge(ws, join(root, 'a.ts'), { root })).toMatchObject({ ok: true });
});

test('in a linked worktree: neither the pointer file nor the git folder it names', async () => {
  await using ws = await TempWorkspace.create({ 'main/a.txt': 'a' });
  const main = join(ws.root, 'main');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: main }).toString().trim();
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a');
  // A bare store inside of the workspace, under a name of its own.
  git('clone', '-q', '--bare', '.', '../store');
  const store = await realpath(join(ws.root, 'store'));
  execFileSync('git', ['worktree', 'add', '-q', '../tree'], { cwd: store });
  const tree = join(ws.root, 'tree');
  const gitDirs = [join(store, 'worktrees/tree'), store];
  expect(await judge(ws, '.git', { root: tree, gitDirs })).toMatchObject({ code: DENIED });
  expect(await judge(ws, 'a.txt', { root: tree, gitDirs })).toMatchObject({ ok: true });
  expect(await judge(ws, 'store/config', { gitDirs })).toMatchObject({
    ok: false,
    code: DENIED,
    text: expect.stringContaining('belongs to git'),
  });
});

test.each([
  ['inside', 'src/b.ts', true],
  ['inside, by another name', 'code/b.ts', true],
  ['outside', 'data/x', false],
  ['a link that is inside and leads outside of the scope', 'src/link', false],
])('scope: %s', async (_title, path, allowed) => {
  await using ws = await linked();
  await symlink('../data/x', join(ws.root, 'src/link'));
  const verdict = await judge(ws, path, { scope: ['src'] });
  expect(verdict.ok).toBe(allowed);
});

test('a link called .git is as protected as a folder, wherever it leads', async () => {
  await using ws = await TempWorkspace.create({ 'store/config': '' });
  await symlink('store', join(ws.root, '.git'));
  expect(await judge(ws, '.git/config')).toMatchObject({ ok: false, code: DENIED });
});

test('a refusal by scope says what to do', async () => {
  await using ws = await linked();
  expect(await judge(ws, 'data/x', { scope: ['src', 'test/'] })).toEqual({
    ok: false,
    code: DENIED,
    text: "data/x is outside of the step's scope (src, test/); add it to the plan's scope",
  });
});
