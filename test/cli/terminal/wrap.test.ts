import { expect, test } from 'vitest';
import { widthOf, wrapText } from '../../../src/cli/terminal/wrap.ts';

test.each([
  ['fits', 'one two', 7, ['one two']],
  ['is broken at a space', 'one two three', 8, ['one two', 'three']],
  ['has a word longer than a line', 'a abcdefgh b', 4, ['a', 'abcd', 'efgh', 'b']],
  ['has characters of two columns', '计划已批准', 4, ['计划', '已批', '准']],
  ['is empty', '', 10, ['']],
])('a text that %s', (_case, text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});

test.each([
  ['abc', 3],
  ['计划', 4],
  ['a计', 3],
  ['🚀', 2],
])('%s takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});
