import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  codeSpan,
  escapeLine,
  piecesOf,
  plainText,
  titleText,
} from '../../../src/workflow/documents/inline.ts';

test.each([
  ['`a` b', ['code a', 'text  b']],
  ['``a ` b``', ['code a ` b']],
  ['`` ` ``', ['code `']],
  ['` a `', ['code a']],
  ['`  `', ['code   ']],
  ['`a\nb`', ['code a b']],
  ['`a', ['text `a']],
  ['``a`', ['text ``a`']],
  ['\\`a`', ['text `a`']],
  ['\\``a`', ['text `', 'code a']],
  ['`a\\`b', ['code a\\', 'text b']],
  ['`<!-- a -->`', ['code <!-- a -->']],
  ['a <!-- `b` -->c', ['text a ', 'comment ', 'text c']],
  ['<!-->a', ['comment ', 'text a']],
  ['<!--->a', ['comment ', 'text a']],
  ['<!-- a', ['text <!-- a']],
  ['\\<!-- a -->', ['text <!-- a -->']],
  ['a\\b \\* \\\\', ['text a\\b * \\']],
])('the pieces of %j', (raw, pieces) => {
  expect(piecesOf(raw).map(({ kind, value }) => `${kind} ${value}`)).toEqual(pieces);
});

test.each([
  ['a  b\t\nc ', 'a b c'],
  ['a <!-- x --> b', 'a b'],
  ['``a``', '`a`'],
  ['`a  b`', '`a  b`'],
  ['a\u00A0\u00A0b', 'a\u00A0\u00A0b'],
])('%j reads as %j', (raw, text) => {
  expect(plainText(raw)).toBe(text);
});

test.each([
  ['**a b** c', 'a b c'],
  ['a (**b**): c', 'a (b): c'],
  ['src/**/*.ts and **/x', 'src/**/*.ts and **/x'],
  ['\\**a**', '**a**'],
  ['__init__', '__init__'],
  ['**`a` b**', '`a` b'],
  ['`a **b** c`', '`a **b** c`'],
])('the title %j is %j', (raw, text) => {
  expect(titleText(raw)).toBe(text);
});

test('code is read back as it was', () => {
  const code = fc.string({ unit: fc.constantFrom('`', ' ', 'a', '\\', '<!--'), minLength: 1 });
  fc.assert(
    fc.property(code, (value) => {
      expect(piecesOf(codeSpan(value))).toMatchObject([{ kind: 'code', value }]);
    }),
  );
});

test('an escaped text reads as the text', () => {
  const sign = fc.constantFrom(
    ...Array.from('`\\*_[]<>!-+#=|&;:.1 ax~\n'),
    '<!--',
    '-->',
    '**',
    '&lt;',
    '[x] ',
  );
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 24 }), (signs) => {
      const text = signs
        .join('')
        .replace(/[ \n]+/g, ' ')
        .trim();
      expect(plainText(escapeLine(text))).toBe(text);
      expect(titleText(escapeLine(text))).toBe(text);
      expect(piecesOf(escapeLine(text)).filter(({ kind }) => kind === 'comment')).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
