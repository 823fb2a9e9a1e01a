import { expect, test } from 'vitest';
import { inTheMannerOf, joinLines, splitLines } from '../../../src/workflow/executors/line-ends.ts';

test.each(['', '\n', 'a', 'a\n', 'a\r\nb\nc', '\r\n\r\n', 'a\rb\n', 'ä\u2028b\n'])(
  'split and joined again: %j',
  (text) => {
    expect(joinLines(splitLines(text))).toBe(text);
  },
);

test('lines with their ends', () => {
  expect(splitLines('a\r\nb\nc')).toEqual([
    { text: 'a', end: '\r\n' },
    { text: 'b', end: '\n' },
    { text: 'c', end: '' },
  ]);
});

test.each([
  ['LF stays LF', 'a\nb\n', 'a\nc\n', 'a\nc\n'],
  ['CRLF stays CRLF', 'a\r\nb\r\n', 'a\nc\nd\n', 'a\r\nc\r\nd\r\n'],
  ['the end of the file is as written', 'a\r\nb\r\n', 'a\nb', 'a\r\nb'],
  ['a mark stays', '\uFEFFa\r\n', 'b\n', '\uFEFFb\r\n'],
  ['a mark is not doubled', '\uFEFFa\n', '\uFEFFb\n', '\uFEFFb\n'],
  ['a mark that the author wants', 'a\n', '\uFEFFb\n', '\uFEFFb\n'],
  ['an empty file has no manner', '', 'a\nb\n', 'a\nb\n'],
  ['mixed: a line that stays keeps its end', 'a\r\nb\nc\r\n', 'a\nX\nb\nc\n', 'a\r\nX\r\nb\nc\r\n'],
  ['mixed: lines after a removal', 'a\nx\ny\nb\r\nc\n', 'a\nb\nc\n', 'a\nb\r\nc\n'],
  [
    'mixed: a new line after one without end',
    'a\nb\r\nc\r\nd',
    'a\nb\nc\nd\ne\n',
    'a\nb\r\nc\r\nd\r\ne\r\n',
  ],
  ['a lone CR is a character', 'a\rb\n', 'a\rc\n', 'a\rc\n'],
])('%s', (_title, old, content, expected) => {
  expect(inTheMannerOf(old, content)).toBe(expected);
});

test('mixed ends in a text that is mostly new: whatever stays keeps its end, however long it takes', () => {
  const line = (at: number) => `line ${at}`;
  const numbers = Array.from({ length: 20_000 }, (_, at) => at);
  const old = numbers.map((at) => `${line(at)}${at % 2 === 0 ? '\r\n' : '\n'}`).join('');
  const isChanged = (at: number) => at % 3 === 0;
  const now = numbers.map((at) => `${isChanged(at) ? 'new ' : ''}${line(at)}\n`).join('');
  const lines = splitLines(inTheMannerOf(old, now));
  const wrong = lines.filter(
    ({ end }, at) => !isChanged(at) && end !== (at % 2 === 0 ? '\r\n' : '\n'),
  );
  expect(lines).toHaveLength(20_000);
  expect(wrong).toEqual([]);
});
