import { expect, test } from 'vitest';
import {
  bodyStartOf,
  readFrontMatter,
  setKeys,
} from '../../../src/workflow/documents/front-matter.ts';

const approvedIn = (text: string) => {
  const found = readFrontMatter(text);
  return found.ok ? found.data['approved'] === true : false;
};
const keysOf = (...lines: readonly string[]) => `---\n${lines.join('\n')}\n---\n\n# Plan\n`;

test.each([
  ['true', keysOf('approved: true'), true],
  ['True', keysOf('approved: True'), true],
  ['CRLF', '---\r\napproved: true\r\n---\r\nbody', true],
  ['a byte-order mark', '\uFEFF---\napproved: true\n---\nbody', true],
  ['both', '\uFEFF---\r\napproved: true\r\n---\r\nbody', true],
  ['trailing space behind the fences', '--- \t\napproved: true  \n---  \nbody', true],
  ['a fence at the very end', '---\napproved: true\n---', true],
  ['a comment behind it', keysOf('approved: true # by Ann'), true],
  ['three dashes in a block of text', keysOf('note: |', '  ---x', 'approved: true'), true],
  ['yes', keysOf('approved: yes'), false],
  ['on', keysOf('approved: on'), false],
  ['1', keysOf('approved: 1'), false],
  ['a quoted true', keysOf('approved: "true"'), false],
  ['a quoted false', keysOf('approved: "false"'), false],
  ['null', keysOf('approved: null'), false],
  ['nothing', keysOf('approved:'), false],
  ['a list', keysOf('approved: [true]'), false],
  ['a key in capitals', keysOf('Approved: true'), false],
  ['a longer key', keysOf('unapproved: true'), false],
  ['a nested key', keysOf('plan:', '  approved: true'), false],
  ['a tag', keysOf('approved: !!str true'), false],
  ['another body', 'text\n\n---\napproved: true\n---\n', false],
  ['an example in a fence', '```\n---\napproved: true\n---\n```\n', false],
])('an approval with %s', (_, text, approved) => {
  expect(approvedIn(text)).toBe(approved);
});

test.each([
  ['no space behind the colon', keysOf('session: s1', 'approved:true', 'x: 1'), 3],
  ['a tab as indentation', keysOf('a: 1', 'b:', '\tapproved: true'), 4],
  ['a duplicate key', keysOf('approved: false', 'a: 1', 'approved: true'), 4],
  ['a line that begins with dashes', keysOf('a: 1', '---x', 'approved: true'), 3],
  ['no end', '---\napproved: true\n\n# Plan\n', 1],
  ['an end of four dashes', '---\napproved: true\n----\nbody', 1],
  ['a start of four dashes', '----\napproved: true\n----\n', 1],
  ['another language', '---js\nglobalThis.pwned = true\n---\n', 1],
  ['an alias', keysOf('a: &x true', 'approved: *x'), 3],
  ['many aliases', keysOf('a: &a [1, 1]', 'b: &b [*a, *a]', 'c: [*b, *b]'), 3],
  ['a list on top', keysOf('- approved: true'), 2],
  ['words only', keysOf('approved'), 2],
  ['a NUL byte', keysOf('a: 1', 'approved: true\0'), 3],
  ['nothing but an opening', '---', 1],
])('%s cannot be read, and the line is named', (_, text, line) => {
  const found = readFrontMatter(text);
  expect(found).toMatchObject({ ok: false, line });
  expect(found.ok ? '' : found.problem).not.toBe('');
  // The second time as well: nothing is remembered.
  expect(readFrontMatter(text)).toMatchObject({ ok: false, line });
  expect(Reflect.has(globalThis, 'pwned')).toBe(false);
  expect(() => setKeys(text, { approved: true })).toThrow(
    expect.objectContaining({ code: 'SESSION_DAMAGED', hint: 'cc repair' }),
  );
});

test('keys know their lines in the file', () => {
  const found = readFrontMatter(
    '\uFEFF---\r\n# mine\r\nsession: s1\r\n\r\napproved: true\r\n---\r\nx',
  );
  expect(found.ok && found.lineOf('session')).toBe(3);
  expect(found.ok && found.lineOf('approved')).toBe(5);
  expect(found.ok && found.lineOf('seal')).toBeUndefined();
});

test.each([
  ['no keys', '# Plan\n', '# Plan\n', 0],
  ['a byte-order mark', '\uFEFF# Plan\n', '# Plan\n', 1],
  ['an empty block', '---\n---\nbody', 'body', 8],
  ['only a comment', '---\n# c\n---\nbody', 'body', 12],
  ['keys', '---\na: 1\n---\r\n\r\n---\nbody', '\r\n---\nbody', 14],
])('the body of a text with %s', (_, text, body, start) => {
  expect(readFrontMatter(text)).toMatchObject({ ok: true, body });
  expect(bodyStartOf(text)).toBe(start);
});

test.each([
  ['replaces a value', 'a: 1\napproved: false\nz: 2\n', 'a: 1\napproved: true\nz: 2\n'],
  ['keeps a comment', 'approved: false # later\n', 'approved: true # later\n'],
  ['keeps quotes of others', "b: 'x'\napproved: no\n", "b: 'x'\napproved: true\n"],
  ['replaces a list', 'approved: [true]\n', 'approved: true\n'],
  ['fills an empty value', 'approved:\nb: 1\n', 'approved: true\nb: 1\n'],
  ['adds a key at the end', 'b: 1\n', 'b: 1\napproved: true\n'],
])('%s', (_, keys, edited) => {
  const body = '\n---\ntext $& end';
  expect(setKeys(`---\n${keys}---\n${body}`, { approved: true })).toBe(
    `---\n${edited}---\n${body}`,
  );
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
  expect(setKeys(windows(`---\n${keys}---\n${body}`), { approved: true })).toBe(
    windows(`---\n${edited}---\n${body}`),
  );
});

test('makes a block where there is none', () => {
  expect(setKeys('\uFEFF# Plan\r\n', { approved: false })).toBe(
    '\uFEFF---\r\napproved: false\r\n---\r\n# Plan\r\n',
  );
});

test.each([
  ['a replacement pattern', "$& $' $` $1 $$"],
  ['a comment', 'x # y: z'],
  ['a word that is a boolean', 'true'],
  ['a date', '2026-11-30T09:00:00.000Z'],
  ['several lines', 'a\nb: c\n---\nd'],
  ['a long text', 'word '.repeat(200).trim()],
  ['a character of zero width', '\uFEFFa\u2028b'],
])('writes %s on one line and reads it back', (_, note) => {
  const edited = setKeys('---\na: 1\n---\nbody', { note, approved: true });
  expect(edited.split('\n')).toHaveLength(6);
  expect(readFrontMatter(edited)).toMatchObject({ ok: true, data: { a: 1, note, approved: true } });
});

test.each([
  ['a value of several lines', 'approved: |\n  false\n'],
  ['a nested value', 'approved:\n  by: Ann\n'],
])('refuses to edit %s', (_, keys) => {
  expect(() => setKeys(`---\n${keys}---\n`, { approved: true })).toThrow(
    expect.objectContaining({ code: 'SESSION_DAMAGED' }),
  );
});
