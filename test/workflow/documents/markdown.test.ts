import { expect, test } from 'vitest';
import { canonicalOf } from '../../../src/workflow/documents/canonical.ts';
import { parseMarkdown, sectionsOf } from '../../../src/workflow/documents/markdown.ts';
import { sourceOf } from '../../../src/workflow/documents/source-text.ts';

const visible = (text: string) => parseMarkdown(text).source.text;
const canonical = (text: string) => canonicalOf(parseMarkdown(text).blocks);

test.each([
  ['in a line', 'a <!-- b --> c', 'a c'],
  ['at the end', 'a <!-- b -->\nc', 'a \nc'],
  ['between letters', 'a<!-- b -->c', 'ac'],
  ['on a line of its own', 'a\n<!-- b -->\nc', 'a\nc'],
  ['on several lines', 'a\n  <!-- b\n\n- c -->  \nd', 'a\nd'],
  ['two on one line', 'a\n<!-- b --> <!-- c -->\nd', 'a\nd'],
  ['above dashes', 'a\n<!-- b -->\n---\n', 'a\n\n---\n'],
  ['in front of an item', '- <!-- a --> b\n  - c\n', '- b\n  - c\n'],
  ['in HTML', '<div>\n<!-- a -->\nb</div>\n', '<div>\nb</div>\n'],
  ['with a fence in it', '<!--\n```\n-->\na\n', 'a\n'],
])('a comment %s', (_, text, seen) => {
  expect(visible(text)).toBe(seen);
});

test.each([
  ['code', 'a `<!-- b -->` c'],
  ['a fence', '```\n<!-- a -->\n```\n'],
  ['an indented block', 'a\n\n    <!-- b -->\n'],
  ['escaped', 'a \\<!-- b -->'],
  ['over two paragraphs', 'a <!-- b\n\nc --> d'],
])('%s is no comment', (_, text) => {
  expect(visible(text)).toBe(text);
});

test('a comment without end is named, and what it hides counts', () => {
  expect(parseMarkdown('a\n\n<!-- b\n\n1. c\n')).toMatchObject({ openComments: [3] });
});

test('offsets and lines lead back to the file', () => {
  const file = '\uFEFF---\r\nx: 1\r\n---\r\n<!-- a\r\nb -->\r\nc\r\n<!-- d -->e\rf\n';
  const source = sourceOf(file, 17);
  expect(source.text).toBe('<!-- a\nb -->\nc\n<!-- d -->e\nf\n');
  const { source: seen } = parseMarkdown(file, 17);
  expect(seen.text).toBe('c\ne\nf\n');
  const places = ['c', 'e', 'f'].map((sign) => {
    const offset = seen.text.indexOf(sign);
    return [file.charAt(seen.originalOf(offset)), seen.lineOf(offset)];
  });
  expect(places).toEqual([
    ['c', 6],
    ['e', 7],
    ['f', 8],
  ]);
  expect(seen.originalOf(seen.text.length)).toBe(file.length);
});

test('headings make sections, at the top of the document only', () => {
  const text =
    'a\n# One:\n## 2. *Two* ##\nb\nThree\n-----\n> # no\n\n- # no\n\n```\n# no\n```\n###### 四：\n';
  const { blocks: document, source } = parseMarkdown(text);
  const sections = sectionsOf(document).map(({ name, depth, blocks, heading }) => {
    const line = heading === undefined ? 0 : source.lineOf(heading.start);
    return [name, depth, blocks.map(({ type }) => type).join(' '), line];
  });
  expect(sections).toEqual([
    ['', 0, 'paragraph', 0],
    ['one', 1, '', 2],
    ['two', 2, '', 3],
    ['b three', 2, 'blockquote list code', 4],
    ['四', 6, '', 14],
  ]);
});

test.each([
  ['wrapping', 'a\nb  \nc', 'a b c'],
  ['bullets', '* a\n* b', '- a\n- b'],
  ['loose lists', '- a\n\n- b\n', '- a\n- b'],
  ['numbers', '3) a\n3) b\n', '3. a\n4. b'],
  ['ticks', '- [x] a\n- [ ] b\n', '- a\n- b'],
  ['underlined headings', 'a\n===\n', '# a'],
  ['tildes', '~~~js x\na\n~~~\n', '```js x\na\n```'],
  ['an indented block', '    a\n', '```\na\n```'],
  ['backslashes', 'a \\* b', 'a * b'],
  ['columns', '|a|b|\n|:-|--|\n| c |d', '| a | b |\n| --- | --- |\n| c | d |'],
  ['a quote', '>a\nb', '> a b'],
  ['nested blocks', '- a\n\n  b\n  - c\n', '- a\n  b\n\n  - c'],
  ['a ruler', '***', '---'],
])('%s do not show', (_, text, plain) => {
  expect(canonical(text)).toBe(plain);
});

test('no fence can be closed by what it holds', () => {
  expect(canonical('~~~\n```\n````\n~~~\n')).toBe('`````\n```\n````\n`````');
});
