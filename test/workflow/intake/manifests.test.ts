import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stringAt, stringsIn, valueAt } from '../../../src/workflow/intake/json-values.ts';
import { openFolder, openProject } from '../../../src/workflow/intake/manifests.ts';
import { TempFolder } from './temp-folder.ts';

test.each(['link.json', 'pipe.json', 'gone.json'])(
  'a file that became something else since the walk is not read: %s',
  async (name) => {
    await using folder = await TempFolder.create({ 'real.json': '{"a":1}' });
    await symlink(join(folder.root, 'real.json'), join(folder.root, 'link.json'));
    await promisify(execFile)('mkfifo', [join(folder.root, 'pipe.json')]);
    const notes: string[] = [];
    const tree = { files: [name, 'real.json'], folders: [], complete: true };
    const project = openProject(folder.root, tree, notes);
    expect([await project.json('real.json'), notes]).toEqual([{ a: 1 }, []]);
    expect([await project.json(name), await project.peek(name), notes]).toEqual([
      undefined,
      '',
      [`${name}: cannot be read`],
    ]);
  },
);

test('only what the walk saw is opened', async () => {
  await using folder = await TempFolder.create({ 'a.json': '{}', 'b/c.json': '{"d":1}' });
  const notes: string[] = [];
  const tree = { files: ['b/c.json'], folders: ['b'], complete: true };
  const part = openFolder({ root: folder.root, folder: 'b', tree, notes });
  expect(await part.json('c.json')).toEqual({ d: 1 });
  expect(await part.json('../a.json')).toBeUndefined();
  expect(notes).toEqual([]);
});

test.each<[string, unknown, unknown]>([
  ['what objects inherit', valueAt({}, 'constructor'), undefined],
  ['an own key of that name', valueAt({ constructor: 1 }, 'constructor'), 1],
  ['a key of a list', valueAt(['a'], '0'), undefined],
  ['a key of nothing', valueAt(null, 'a'), undefined],
  ['a number for a text', stringAt({ a: 1 }, 'a'), undefined],
  ['a mixed list', stringsIn(['a', 1, null, 'b']), ['a', 'b']],
  ['a text for a list', stringsIn('ab'), []],
])('JSON of strangers: %s', (_title, found, expected) => {
  expect(found).toEqual(expected);
});
