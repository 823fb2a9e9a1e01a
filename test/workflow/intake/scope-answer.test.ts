import { describe, expect, test } from 'vitest';
import {
  badPartOf,
  missingIn,
  partsOfScope,
  printScope,
} from '../../../src/workflow/intake/scope-answer.ts';
import { TempFolder } from './temp-folder.ts';

test.each([
  ['src', ['src']],
  ['src test', ['src', 'test']],
  ['src, test', ['src', 'test']],
  ['src,test;docs', ['src', 'test', 'docs']],
  ['src、test，docs；lib', ['src', 'test', 'docs', 'lib']],
  ['src and test', ['src', 'test']],
  ['src, lib and test', ['src', 'lib', 'test']],
  ['src 和 test', ['src', 'test']],
  ['src和test与docs/', ['src', 'test', 'docs/']],
  ['文档/和平.md', ['文档/和平.md']],
  ['- src\n- test\n', ['src', 'test']],
  ['`src/**` `test`', ['src/**', 'test']],
  ['"my docs" \'old docs\'', ['my docs', 'old docs']],
  ['“我的 文档”，src', ['我的 文档', 'src']],
  ['src/{a,b}/**, test', ['src/{a,b}/**', 'test']],
  ['src/{a test', ['src/{a', 'test']],
  ['src src', ['src']],
  ['src\\cli', ['src/cli']],
  ['"', ['"']],
  ['', []],
])('%j names %j', (text, parts) => {
  expect(partsOfScope(text)).toEqual(parts);
});

test('what is printed is read back', () => {
  const paths = ['src', 'my docs', 'a,b'];
  expect(printScope(paths)).toBe('src, "my docs", "a,b"');
  expect(partsOfScope(printScope(paths))).toEqual(paths);
});

describe('what can be no scope', () => {
  test.each([
    ['/etc', '/etc', 'is not relative to the project'],
    ['src, ../x', '../x', 'climbs out with ..'],
    ['~/x', '~/x', 'is not relative to the project'],
    ['C:/x', 'C:/x', 'is not relative to the project'],
    ['.git/hooks', '.git/hooks', 'is inside .git, which no step may change'],
    ['!src', '!src', 'begins with !, which would mean the rest'],
    ['what?', 'what?', 'is no path'],
    ['the src', 'the', 'is neither a path of this project nor a glob'],
    ['parser only', 'parser', 'is neither a path of this project nor a glob'],
  ])('%j: %s', async (text, part, problem) => {
    await using folder = await TempFolder.create({ 'src/a.ts': '' });
    expect(await badPartOf(folder.root, text)).toEqual({ part, problem });
  });

  test.each([
    'src',
    'src and src/a.ts',
    'new',
    'new, newer',
    'src new/',
    'src *.md',
    'src README.md',
  ])('%j is one', async (text) => {
    await using folder = await TempFolder.create({ 'src/a.ts': '' });
    expect(await badPartOf(folder.root, text)).toBeUndefined();
  });
});

test('a path where nothing stands is told from one that is there, a glob is not judged', async () => {
  await using folder = await TempFolder.create({ 'src/a.ts': '' });
  expect(await missingIn(folder.root, ['src', 'new', 'new/**'])).toEqual(['new']);
});
