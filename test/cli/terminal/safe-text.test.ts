import { expect, test } from 'vitest';
import { safeJson, safeLine, safeText } from '../../../src/cli/terminal/safe-text.ts';

test.each([
  ['colours', '\u001b[31mred', '\\x1b[31mred'],
  ['the title of a window', '\u001b]0;owned\u0007', '\\x1b]0;owned\\x07'],
  ['an eight-bit control sequence', '\u009b2J', '\\x9b2J'],
  ['going back to write over', 'safe\rrm -rf', 'safe\\x0drm -rf'],
  ['backspaces', 'ab\b\bcd', 'ab\\x08\\x08cd'],
  ['text from right to left', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['an isolate', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
  ['an Arabic letter mark', 'a\u061cb', 'a\\u061cb'],
  ['nothing that is there', 'a\u200bb\ufeffc\u00add', 'a\\u200bb\\ufeffc\\u00add'],
  ['tags', 'a\u{e0041}b', 'a\\ue0041b'],
])('%s is shown, not obeyed', (_what, text, shown) => {
  expect(safeText(text)).toBe(shown);
});

test.each([
  ['tabs and lines', 'a\tb\nc'],
  ['a family, held together by joiners', '👨‍👩‍👧'],
  ['Persian', 'می‌خواهم'],
  ['Chinese', '计划已批准'],
])('%s stay', (_what, text) => {
  expect(safeText(text)).toBe(text);
});

test('line ends of Windows become ours', () => {
  expect(safeText('a\r\nb\r\n')).toBe('a\nb\n');
});

test('one line stays one line', () => {
  expect(safeLine('first\r\n  second\rthird')).toBe('first second third');
});

test('JSON holds the same value and nothing that a terminal obeys', () => {
  const value = { text: '\u001b[2J\u009b2J\u202e\u007f\u{e0041} é 计划 👨‍👩‍👧' };
  const printed = safeJson(value);
  expect(printed).toBe('{"text":"\\u001b[2J\\u009b2J\\u202e\\u007f\\udb40\\udc41 é 计划 👨‍👩‍👧"}');
  expect(JSON.parse(printed)).toEqual(value);
});
