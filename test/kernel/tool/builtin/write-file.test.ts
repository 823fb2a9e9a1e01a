import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CcError } from '../../../../src/kernel/base/errors.ts';
import { nodeFiles } from '../../../../src/kernel/base/node-files.ts';
import { writeFile } from '../../../../src/kernel/tool/builtin/write-file.ts';
import { call, TempWorkspace } from '../temp-workspace.ts';

test('makes a file and its folders, and says what it did', async () => {
  await using ws = await TempWorkspace.create();
  const outcome = await call(writeFile, { path: 'a/b/c.txt', content: 'x\ny\n' }, ws.context());
  expect(outcome).toMatchObject({
    ok: true,
    truncated: false,
    text: 'Created a/b/c.txt (4 bytes, +2 -0)',
    details: { path: 'a/b/c.txt', bytes: 4, created: true, changed: true, added: 2, removed: 0 },
  });
  expect(await ws.read('a/b/c.txt')).toBe('x\ny\n');
  expect(await ws.modeOf('a/b/c.txt')).toBe('644');
});

test('replaces a file and shows the difference', async () => {
  await using ws = await TempWorkspace.create({ 'a.txt': 'one\n-- two\n' });
  const outcome = await call(writeFile, { path: './a.txt', content: 'one\n++ 2\n' }, ws.context());
  expect(outcome).toMatchObject({ text: 'Replaced a.txt (9 bytes, +1 -1)' });
  expect(outcome).toMatchObject({
    details: { diff: expect.stringContaining('@@ -1,2 +1,2 @@\n one\n--- two\n+++ 2\n') },
  });
});

test.each([
  ['dollar patterns', "$$x $& $' $` $1 /a$'/"],
  ['typographic characters', '\u201cq\u201d \u2019 \u2013 \u00a0 e\u0301 é'],
  ['CRLF, a lone CR and no newline at the end', 'a\r\nb\rc\n\r\nd'],
  ['a byte order mark', '\uFEFFx'],
  ['NUL and control characters', 'a\0b\u001b[0m'],
  ['an emoji', '语言 😀\n'],
  ['nothing', ''],
])('writes %s byte for byte', async (_title, content) => {
  await using ws = await TempWorkspace.create({ f: 'before' });
  await call(writeFile, { path: 'f', content }, ws.context());
  expect(await readFile(join(ws.root, 'f'))).toEqual(Buffer.from(content));
});

test('names that differ in case or normal form are written as given', async () => {
  await using ws = await TempWorkspace.create({ 'readme.md': 'lower' });
  const names = ['README.md', 'caf\u00e9.txt', 'cafe\u0301.txt', '..data/x', 'a b \u{1F600}'];
  for (const path of names) {
    expect(await call(writeFile, { path, content: path }, ws.context())).toMatchObject({
      ok: true,
    });
  }
  const found = (await readdir(ws.root)).sort();
  expect(found).toEqual(
    ['..data', 'README.md', 'a b \u{1F600}', 'cafe\u0301.txt', 'caf\u00e9.txt', 'readme.md'].sort(),
  );
  expect(await ws.read('readme.md')).toBe('lower');
});

test('a name as long as a name can be', async () => {
  const path = 'n'.repeat(255);
  await using ws = await TempWorkspace.create();
  expect(await call(writeFile, { path, content: 'x' }, ws.context())).toMatchObject({ ok: true });
  expect(await ws.read(path)).toBe('x');
});

test('an absolute path inside is as good as a relative one', async () => {
  await using ws = await TempWorkspace.create();
  const path = join(ws.root, 'x.txt');
  const outcome = await call(writeFile, { path, content: 'x' }, ws.context());
  expect(outcome).toMatchObject({ ok: true, details: { path: 'x.txt' } });
});

test.each([
  ['755', undefined, '755'],
  ['600', undefined, '600'],
  ['640', true, '750'],
  ['755', false, '644'],
])('mode %s with executable %s becomes %s', async (before, executable, after) => {
  await using ws = await TempWorkspace.create({ f: 'old' });
  await chmod(join(ws.root, 'f'), Number.parseInt(before, 8));
  const bit = executable === undefined ? {} : { executable };
  await call(writeFile, { path: 'f', content: 'new', ...bit }, ws.context());
  expect(await ws.modeOf('f')).toBe(after);
});

test('a new script can be made executable', async () => {
  await using ws = await TempWorkspace.create();
  const input = { path: 'run.sh', content: '#!/bin/sh\necho ran\n', executable: true };
  await call(writeFile, input, ws.context());
  expect(execFileSync(join(ws.root, 'run.sh')).toString()).toBe('ran\n');
});

test('links stay links, and the last target of a chain is what changes', async () => {
  await using ws = await TempWorkspace.create({ 'sub/real.txt': 'old' });
  await symlink('sub/real.txt', join(ws.root, 'one'));
  await symlink('one', join(ws.root, 'two'));
  await symlink('sub/later.txt', join(ws.root, 'dangling'));
  await call(writeFile, { path: 'two', content: 'new' }, ws.context());
  await call(writeFile, { path: 'dangling', content: 'made' }, ws.context());
  for (const link of ['one', 'two', 'dangling']) {
    expect((await lstat(join(ws.root, link))).isSymbolicLink()).toBe(true);
  }
  expect(await ws.read('sub/real.txt')).toBe('new');
  expect(await ws.read('sub/later.txt')).toBe('made');
  expect((await readdir(join(ws.root, 'sub'))).sort()).toEqual(['later.txt', 'real.txt']);
});

test('equal content touches nothing, not even the time', async () => {
  await using ws = await TempWorkspace.create({ f: 'same' });
  const before = await lstat(join(ws.root, 'f'), { bigint: true });
  const outcome = await call(writeFile, { path: 'f', content: 'same' }, ws.context());
  expect(outcome).toMatchObject({ ok: true, text: 'No change: f', details: { changed: false } });
  const after = await lstat(join(ws.root, 'f'), { bigint: true });
  expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([
    before.ino,
    before.mtimeNs,
    before.ctimeNs,
  ]);
});

test.each([
  ['a binary file', Buffer.from([0, 1, 2]), 'x', 'Replaced f (1 bytes, binary, no diff)'],
  [
    'bytes that are no UTF-8',
    Buffer.from([0xe9, 10]),
    'x',
    'Replaced f (1 bytes, binary, no diff)',
  ],
  ['two megabytes', 'a\n'.repeat(1e6), 'x', 'Replaced f (1 bytes, too large, no diff)'],
])('replacing %s gives a summary only', async (_title, old, content, text) => {
  await using ws = await TempWorkspace.create({ f: old });
  const outcome = await call(writeFile, { path: 'f', content }, ws.context());
  expect(outcome).toMatchObject({ ok: true, text });
  expect(outcome).not.toHaveProperty('details.diff');
});

const REFUSALS: readonly [string, object, string][] = [
  ['a folder', { path: 'folder', content: 'x' }, 'REQUEST_INVALID'],
  ['the workspace itself', { path: '.', content: 'x' }, 'REQUEST_INVALID'],
  ['a path that ends like a folder', { path: 'new/', content: 'x' }, 'REQUEST_INVALID'],
  ['a named pipe', { path: 'pipe', content: 'x' }, 'REQUEST_INVALID'],
  ['a path below a file', { path: 'file/x', content: 'x' }, 'TOOL_EXECUTION_FAILED'],
  ['a name that is too long', { path: 'n'.repeat(256), content: 'x' }, 'TOOL_EXECUTION_FAILED'],
  ['a NUL', { path: 'a\0b', content: 'x' }, 'REQUEST_INVALID'],
  ['no path', { path: '', content: 'x' }, 'REQUEST_INVALID'],
  ['half a character', { path: 'a', content: 'x\ud83d' }, 'REQUEST_INVALID'],
  ['an unknown key', { path: 'a', content: 'x', mode: 1 }, 'REQUEST_INVALID'],
  ['no content', { path: 'a' }, 'REQUEST_INVALID'],
  ['a link to a device', { path: 'null', content: 'x' }, 'PATH_OUTSIDE_WORKSPACE'],
  ['a circle of links', { path: 'circle', content: 'x' }, 'PATH_OUTSIDE_WORKSPACE'],
  ['a neighbour', { path: '../ws-evil/x', content: 'x' }, 'PATH_OUTSIDE_WORKSPACE'],
  ['git metadata', { path: '.git/hooks/pre-commit', content: 'x' }, 'TOOL_PERMISSION_DENIED'],
  ['a path out of scope', { path: 'other.txt', content: 'x' }, 'TOOL_PERMISSION_DENIED'],
];

test.each(REFUSALS)('refuses %s and touches nothing', async (_title, input, code) => {
  await using ws = await TempWorkspace.create({ 'folder/a': 'a', file: 'f' });
  await mkdir(join(ws.outside, 'ws-evil'));
  execFileSync('mkfifo', [join(ws.root, 'pipe')]);
  await symlink('/dev/null', join(ws.root, 'null'));
  await symlink('circle', join(ws.root, 'circle'));
  const before = await ws.snapshot();
  const scope = ['a', 'folder', 'new', 'pipe', 'file', 'n*', '.', '!other.txt'];
  expect(await call(writeFile, input, ws.context({ scope }))).toMatchObject({ ok: false, code });
  expect(await ws.snapshot()).toEqual(before);
});

test('what was not read is not replaced; what is new is written', async () => {
  await using ws = await TempWorkspace.create({ f: 'theirs' });
  const context = ws.context({ hasRead: () => false });
  expect(await call(writeFile, { path: 'f', content: 'mine' }, context)).toEqual({
    ok: false,
    code: 'REQUEST_INVALID',
    text: 'f exists and was not read: read it, then merge',
  });
  expect(await ws.read('f')).toBe('theirs');
  expect(await call(writeFile, { path: 'g', content: 'mine' }, context)).toMatchObject({
    ok: true,
  });
});

test('a disk that fails leaves the old file and no draft', async () => {
  await using ws = await TempWorkspace.create({ f: 'old' });
  const before = await ws.snapshot();
  const rename = async () => {
    throw new CcError('SESSION_PERSISTENCE_FAILED', 'the disk is full');
  };
  const context = ws.context({ files: { ...nodeFiles, rename } });
  expect(await call(writeFile, { path: 'f', content: 'new' }, context)).toEqual({
    ok: false,
    code: 'TOOL_EXECUTION_FAILED',
    text: 'f was not written. the disk is full',
  });
  expect(await ws.snapshot()).toEqual(before);
});

test('a folder that turns into a link while it writes leads nowhere', async () => {
  await using ws = await TempWorkspace.create({ 'sub/f': 'old' });
  await mkdir(join(ws.outside, 'elsewhere'));
  const swap: typeof nodeFiles.writeNew = async (path, bytes, mode) => {
    await nodeFiles.writeNew(path, bytes, mode);
    await nodeFiles.rename(join(ws.root, 'sub'), join(ws.root, 'moved'));
    await symlink('../elsewhere', join(ws.root, 'sub'));
  };
  const context = ws.context({ files: { ...nodeFiles, writeNew: swap } });
  const outcome = await call(writeFile, { path: 'sub/f', content: 'new' }, context);
  expect(outcome).toMatchObject({ ok: false, code: 'PATH_OUTSIDE_WORKSPACE' });
  expect(await readdir(join(ws.outside, 'elsewhere'))).toEqual([]);
  expect(await ws.read('moved/f')).toBe('old');
});

test('a cancelled call writes nothing', async () => {
  await using ws = await TempWorkspace.create();
  const context = ws.context({ signal: AbortSignal.abort() });
  await expect(call(writeFile, { path: 'f', content: 'x' }, context)).rejects.toThrow();
  expect(await readdir(ws.root)).toEqual([]);
});
