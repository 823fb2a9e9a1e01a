import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProgram } from '../../../src/kernel/base/find-program.ts';

let base = '';
const at = (path: string) => join(base, path);

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'cc-')));
  for (const folder of ['project', 'project/sub/bin', 'system', 'home/bin', 'home/plain']) {
    await mkdir(at(folder), { recursive: true });
    await writeFile(at(`${folder}/git`), '#!/bin/sh\n');
    await chmod(at(`${folder}/git`), 0o755);
  }
  await mkdir(at('project/.git'));
  await mkdir(at('home/.git'));
  await mkdir(at('empty'));
  await symlink('project/sub/bin', at('alias'));
});
afterAll(() => rm(base, { recursive: true }));

test.each([
  ['.', 'system/git'],
  ['', 'system/git'],
  ['sub/bin', 'system/git'],
  ['node_modules/.bin', 'system/git'],
  ['/project', 'system/git'],
  ['/project/sub/bin', 'system/git'],
  ['/alias', 'system/git'],
  ['/empty', 'system/git'],
  ['/home/bin', 'home/bin/git'],
])('%j in front of PATH', (entry, found) => {
  const first = entry.startsWith('/') ? at(entry) : entry;
  const env = { PATH: [first, at('system')].join(delimiter), HOME: at('home') };
  expect(findProgram('git', env, at('project'))).toBe(at(found));
  expect(findProgram('git', env, at('project/sub'))).toBe(at(found));
});

test('a home that is a repository is no project', () => {
  const env = { PATH: at('home/bin'), HOME: at('home') };
  expect(findProgram('git', env, at('home/plain'))).toBe(at('home/bin/git'));
});

test('none', () => {
  expect(
    findProgram('git', { PATH: `.${delimiter}${at('empty')}` }, at('project')),
  ).toBeUndefined();
  expect(findProgram('git', {}, at('project'))).toBeUndefined();
});
