import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles } from '../../../../src/kernel/base/node-files.ts';
import { deleteFile } from '../../../../src/kernel/tool/builtin/delete-file.ts';
import { call, TempWorkspace } from '../temp-workspace.ts';

test('removes one file and shows what it held', async () => {
  await using ws = await TempWorkspace.create({ 'a/x': 'one\n', 'a/y': 'two\n' });
  expect(await call(deleteFile, { path: 'a/x' }, ws.context())).toMatchObject({
    ok: true,
    text: 'Deleted a/x (+0 -1)',
    details: { path: 'a/x', changed: true, diff: expect.stringContaining('-one') },
  });
  expect(Object.keys(await ws.snapshot())).toEqual(['ws', 'ws/a', 'ws/a/y']);
});

test('a file that is not there is no change', async () => {
  await using ws = await TempWorkspace.create();
  const outcome = await call(deleteFile, { path: 'x' }, ws.context());
  expect(outcome).toMatchObject({ ok: true, text: 'No change: x is not there' });
  expect(outcome).toMatchObject({ details: { changed: false } });
});

test.each([
  ['a folder', 'folder', 'REQUEST_INVALID'],
  ['a link', 'link', 'REQUEST_INVALID'],
  ['a link that leads out', 'out/x', 'PATH_OUTSIDE_WORKSPACE'],
  ['git metadata', '.git/config', 'TOOL_PERMISSION_DENIED'],
  ['a path out of scope', 'other', 'TOOL_PERMISSION_DENIED'],
])('refuses %s and touches nothing', async (_title, path, code) => {
  await using ws = await TempWorkspace.create({ 'folder/a': '', other: 'o', '.git/config': '' });
  await symlink('folder/a', join(ws.root, 'link'));
  await mkdir(join(ws.outside, 'elsewhere'));
  await symlink('../elsewhere', join(ws.root, 'out'));
  const before = await ws.snapshot();
  const context = ws.context({ scope: ['folder', 'link', 'out', '.git'] });
  expect(await call(deleteFile, { path }, context)).toMatchObject({ ok: false, code });
  expect(await ws.snapshot()).toEqual(before);
});

test.each([
  ['unread', { hasRead: () => false }, 'REQUEST_INVALID'],
  [
    'on a failing disk',
    {
      files: {
        ...nodeFiles,
        remove: async () => {
          throw new Error('read-only');
        },
      },
    },
    'TOOL_EXECUTION_FAILED',
  ],
])('a file that is %s stays', async (_title, overrides, code) => {
  await using ws = await TempWorkspace.create({ f: 'old' });
  const outcome = await call(deleteFile, { path: 'f' }, ws.context(overrides));
  expect(outcome).toMatchObject({ ok: false, code });
  expect(await ws.read('f')).toBe('old');
});
