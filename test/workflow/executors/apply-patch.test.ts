import { expect, test } from 'vitest';
import {
  applyToText,
  type PatchFile,
  readPatch,
} from '../../../src/workflow/executors/apply-patch.ts';

function onlyFile(patch: string): PatchFile {
  const read = readPatch(patch);
  if (!read.ok || read.files.length !== 1) throw new Error(JSON.stringify(read));
  const [file] = read.files;
  if (file === undefined) throw new Error('No file');
  return file;
}

/** A patch of `f` with these hunks. */
const changing = (hunks: string) => `--- a/f\n+++ b/f\n${hunks}`;
const apply = (text: string | undefined, patch: string) => applyToText(text, onlyFile(patch));
const applied = (text: string | undefined) => ({ ok: true, text, already: false });

const B_TO_X = changing('@@ -1,3 +1,3 @@\n a\n-b\n+X\n c\n');
const ADD_X = changing('@@ -1,2 +1,3 @@\n a\n+X\n b\n');

test.each([
  ['LF', 'a\nb\nc\n', B_TO_X, 'a\nX\nc\n'],
  ['CRLF', 'a\r\nb\r\nc\r\n', B_TO_X, 'a\r\nX\r\nc\r\n'],
  ['mixed ends, each line its own', 'a\r\nb\nc\r\n', B_TO_X, 'a\r\nX\nc\r\n'],
  ['a patch with CRLF', 'a\nb\nc\n', B_TO_X.replaceAll('\n', '\r\n'), 'a\nX\nc\n'],
  [
    'CRLF in the lines only',
    'a\r\nb\r\nc\r\n',
    B_TO_X.replace(/^([ +-]\w)$/gm, '$1\r'),
    'a\r\nX\r\nc\r\n',
  ],
  ["an added line takes its neighbour's end", 'a\r\nb\n', ADD_X, 'a\r\nX\r\nb\n'],
  ['a byte order mark', '\uFEFFa\nb\nc\n', B_TO_X, '\uFEFFa\nX\nc\n'],
  [
    'a mark in the patch too',
    '\uFEFFa\nb\nc\n',
    B_TO_X.replace(' a', ' \uFEFFa'),
    '\uFEFFa\nX\nc\n',
  ],
  [
    'a first line with a mark',
    '\uFEFFa\nb\n',
    changing('@@ -1,2 +1,2 @@\n-\uFEFFa\n+\uFEFFA\n b\n'),
    '\uFEFFA\nb\n',
  ],
  ['moved down', 'new\na\nb\nc\n', B_TO_X, 'new\na\nX\nc\n'],
  ['moved up', 'a\nb\nc\n', B_TO_X.replace('-1,3 +1,3', '-40,3 +40,3'), 'a\nX\nc\n'],
  ['the stated line, where others would fit', 'a\nb\nc\na\nb\nc\n', B_TO_X, 'a\nX\nc\na\nb\nc\n'],
  [
    'dollar patterns',
    'a\nb\nc\n',
    B_TO_X.replace('+X', () => "+$& $$ $' $`"),
    "a\n$& $$ $' $`\nc\n",
  ],
  [
    'an empty line without its space',
    'a\n\nb\n',
    changing('@@ -1,3 +1,3 @@\n a\n\n-b\n+X\n'),
    'a\n\nX\n',
  ],
  ['lines that look like headers', '-- x\n', changing('@@ -1 +1 @@\n--- x\n+++ y\n'), '++ y\n'],
  ['everything goes', 'a\nb\n', changing('@@ -1,2 +0,0 @@\n-a\n-b\n'), ''],
  ['an empty file fills', '', changing('@@ -0,0 +1,2 @@\n+a\n+b\n'), 'a\nb\n'],
  [
    'no newline before, none after',
    'a\nb',
    changing(
      '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+X\n\\ No newline at end of file\n',
    ),
    'a\nX',
  ],
  [
    'a newline is added',
    'a\r\nb',
    changing('@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n'),
    'a\r\nb\r\n',
  ],
  [
    'a newline is taken away',
    'a\nb\n',
    changing('@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n'),
    'a\nb',
  ],
  [
    'a line after one without newline',
    'a\r\nb',
    changing(
      '@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n',
    ),
    'a\r\nb\r\nc',
  ],
  ['nothing said about the missing newline', 'a\nb\nc', B_TO_X, 'a\nX\nc'],
  [
    'unequal numbers of lines',
    'a\r\nb\nc\r\n',
    changing('@@ -1,3 +1,4 @@\n a\n-b\n+1\n+2\n c\n'),
    'a\r\n1\n2\nc\r\n',
  ],
  [
    'a block that is written anew and becomes shorter',
    'a\nb\nc\n',
    changing('@@ -1,3 +1,2 @@\n-a\n-b\n-c\n+a\n+b\n'),
    'a\nb\n',
  ],
  [
    'a line after an untouched one does not take the end of a line that went before',
    'a\r\nb\nc\r\nd\r\n',
    changing('@@ -1,4 +1,4 @@\n a\n-b\n c\n+X\n d\n'),
    'a\r\nc\r\nX\r\nd\r\n',
  ],
  [
    'a hunk that moved like the one before it, where others would fit',
    'new\na\nz\nq\nq\n',
    changing('@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@\n-q\n+Q\n'),
    'new\nA\nz\nQ\nq\n',
  ],
])('%s', (_title, text, patch, expected) => {
  expect(apply(text, patch)).toEqual(applied(expected));
});

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
const TWO_HUNKS = changing(
  '@@ -2,3 +2,4 @@\n line 2\n line 3\n+new\n line 4\n@@ -15,3 +16,2 @@\n line 15\n-line 16\n line 17\n',
);

test('several hunks, also when all have moved', () => {
  const expected = LINES.replace('line 4\n', 'new\nline 4\n').replace('line 16\n', '');
  expect(apply(LINES, TWO_HUNKS)).toEqual(applied(expected));
  expect(apply(`x\ny\n${LINES}`, TWO_HUNKS)).toEqual(applied(`x\ny\n${expected}`));
});

const APPEND = changing('@@ -1,2 +1,3 @@\n a\n b\n+X\n');
const PREPEND = changing('@@ -1,1 +1,2 @@\n+X\n a\n');
const DROP_LAST = changing('@@ -1,2 +1,1 @@\n a\n-b\n');

test.each([
  ['a replacement', 'a\nb\nc\n', B_TO_X],
  ['a replacement in CRLF', 'a\r\nb\r\nc\r\n', B_TO_X],
  ['an insertion', 'a\nb\n', ADD_X],
  ['an insertion at the end', 'a\nb\n', APPEND],
  ['an insertion at the end of a hunk, not of the file', 'a\nb\nc\n', APPEND],
  ['an insertion at the beginning', 'a\nb\n', PREPEND],
  ['a deletion at the end', 'a\nb\n', DROP_LAST],
  ['several hunks', LINES, TWO_HUNKS],
  ['several hunks that have moved', `x\n${LINES}`, TWO_HUNKS],
  ['a creation', undefined, '--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n'],
  ['a deletion of the file', 'a\n', '--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n'],
])('%s that was made already is known', (_title, text, patch) => {
  const first = apply(text, patch);
  expect(first).toMatchObject({ ok: true, already: false });
  const result = first.ok ? first.text : 'refused';
  expect(apply(result, patch)).toEqual({ ok: true, text: result, already: true });
});

test.each([
  [
    'a line of context differs',
    'a\nb\nd\n',
    B_TO_X,
    'f: hunk 1 (line 1) expects "c" in line 3, where "d" stands',
  ],
  [
    'space differs',
    'a\n b\nc\n',
    B_TO_X,
    'f: hunk 1 (line 1) expects "b" in line 2, where " b" stands',
  ],
  ['the file is too short', 'a\n', B_TO_X, 'f: hunk 1 (line 1) reaches beyond the end of the file'],
  ['the file is not there', undefined, B_TO_X, 'There is no file f'],
  ['two places fit', '1\na\nb\nc\na\nb\nc\n', B_TO_X, 'The patch fits f in more than one place'],
  [
    'both sides fit elsewhere',
    '1\na\nX\nc\na\nb\nc\n',
    B_TO_X,
    'The patch fits f in more than one place',
  ],
  [
    'there is no context',
    'a\nb\n',
    changing('@@ -1,0 +2,1 @@\n+X\n'),
    'f: hunk 1 (line 2) has no line of context, so its place is not sure',
  ],
  [
    'what is to be deleted is something else',
    'a\nc\nd\n',
    DROP_LAST,
    'f: hunk 1 (line 1) expects "b" in line 2, where "c" stands',
  ],
  [
    'what is to be deleted at the start of a hunk is something else',
    'z\nc\n',
    changing('@@ -1,2 +1,1 @@\n-b\n c\n'),
    'f: hunk 1 (line 1) expects "b" in line 1, where "z" stands',
  ],
  [
    'half of it was made already',
    LINES.replace('line 4\n', 'new\nline 4\n'),
    TWO_HUNKS,
    'f: hunk 1 (line 2) expects "line 4" in line 4, where "new" stands',
  ],
  [
    'the newline is not missing',
    'a\nb\n',
    changing('@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+X\n'),
    'f: hunk 1 (line 1) expects another end of the file',
  ],
  [
    'a new file is there with other content',
    'z\n',
    '--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n',
    'f exists already, with other content',
  ],
  [
    'a deleted file holds more',
    'a\nb\n',
    '--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n',
    'f is not what the patch would delete',
  ],
])('refuses when %s', (_title, text, patch, problem) => {
  expect(apply(text, patch)).toEqual({ ok: false, problem });
});

test('a new file has the ends that the patch gives it', () => {
  const create = '--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n';
  expect(apply(undefined, create)).toEqual(applied('a\nb\n'));
  const lines = create.replaceAll(/^(\+[ab])$/gm, '$1\r');
  expect(apply(undefined, lines)).toEqual(applied('a\r\nb\r\n'));
  expect(apply(undefined, create.replaceAll('\n', '\r\n'))).toEqual(applied('a\nb\n'));
  expect(apply(undefined, `${create}\\ No newline at end of file\n`)).toEqual(applied('a\nb'));
  expect(apply(undefined, create.replace('+a', '+\uFEFFa'))).toEqual(applied('\uFEFFa\nb\n'));
  expect(apply('a\r\nb\r\n', create)).toEqual({ ok: true, text: 'a\r\nb\r\n', already: true });
});
