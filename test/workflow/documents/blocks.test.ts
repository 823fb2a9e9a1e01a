import { expect, test } from 'vitest';
import type { Block, ListItem } from '../../../src/workflow/documents/block-model.ts';
import { blocksOf } from '../../../src/workflow/documents/blocks.ts';

/** Every block with the characters that it covers, and its column. */
function coveredBy(text: string): readonly unknown[] {
  const cover = (block: Block | ListItem): readonly unknown[] => [
    block.type,
    block.column,
    text.slice(block.start, block.end),
    ...('children' in block ? block.children.map(cover) : []),
  ];
  return blocksOf(text).map(cover);
}

test.each([
  ['a paragraph', ' a\n  b  \n', [['paragraph', 1, 'a\n  b  ']]],
  [
    'a heading',
    '# a #\n\nb\n--\n',
    [
      ['heading', 0, '# a #'],
      ['heading', 0, 'b\n--'],
    ],
  ],
  [
    'a fence',
    '```js\na\n\n```\nb',
    [
      ['code', 0, '```js\na\n\n```'],
      ['paragraph', 0, 'b'],
    ],
  ],
  [
    'a ruler',
    'a\n\n***\n',
    [
      ['paragraph', 0, 'a'],
      ['thematicBreak', 0, '***'],
    ],
  ],
])('%s', (_title, text, covered) => {
  expect(coveredBy(text)).toEqual(covered);
});

test('items on one line and on several', () => {
  expect(coveredBy('- 10) a\n      b\n- c\n\n\nd')).toEqual([
    [
      'list',
      0,
      '- 10) a\n      b\n- c',
      [
        'listItem',
        0,
        '- 10) a\n      b',
        [
          'list',
          2,
          '10) a\n      b',
          ['listItem', 2, '10) a\n      b', ['paragraph', 6, 'a\n      b']],
        ],
      ],
      ['listItem', 0, '- c', ['paragraph', 2, 'c']],
    ],
    ['paragraph', 0, 'd'],
  ]);
});

test('quotes inside quotes, and a line that goes on without the sign', () => {
  expect(coveredBy('> a\n> > - b\n>> c\nd\n>\n> e\n')).toEqual([
    [
      'blockquote',
      0,
      '> a\n> > - b\n>> c\nd\n>\n> e',
      ['paragraph', 2, 'a'],
      [
        'blockquote',
        2,
        '> - b\n>> c\nd',
        [
          'list',
          4,
          '- b\n>> c\nd',
          ['listItem', 4, '- b\n>> c\nd', ['paragraph', 6, 'b\n>> c\nd']],
        ],
      ],
      ['paragraph', 2, 'e'],
    ],
  ]);
});

test.each([
  [
    'an empty item',
    '-\n- a\n',
    [
      ['listItem', 0, '-'],
      ['listItem', 0, '- a', ['paragraph', 2, 'a']],
    ],
  ],
  ['a tab', '-\ta\n', [['listItem', 0, '-\ta', ['paragraph', 2, 'a']]]],
])('%s', (_title, text, items) => {
  const [[, , , ...found] = []] = coveredBy(text) as unknown[][];
  expect(found).toEqual(items);
});

test.each([
  ['bullets', '- a\n- b\n', { ordered: false, first: 1, spread: false }],
  ['numbers', '7) a\n8) b\n', { ordered: true, first: 7, spread: false }],
  ['apart', '- a\n\n- b\n', { ordered: false, first: 1, spread: true }],
  ['an item that is', '- a\n\n  b\n- c\n', { ordered: false, first: 1, spread: false }],
])('a list of %s', (_title, text, list) => {
  expect(blocksOf(text)[0]).toMatchObject(list);
});

test('a row keeps its cells, also those that are too many', () => {
  const text =
    '> | a | b |\n> |:-:|---|\n> | `c\\|d` |\n> e | f | g |\n> | \\\\| <!-- h --> |  |\n';
  const [quote] = blocksOf(text);
  const [table] = quote?.type === 'blockquote' ? quote.children : [];
  const rows = table?.type === 'table' ? table.rows : [];
  expect(rows.map((row) => row.map(({ raw }) => raw))).toEqual([
    ['a', 'b'],
    ['`c\\|d`'],
    ['e', 'f', 'g'],
    ['\\\\', '<!-- h -->', ''],
  ]);
  for (const { raw, start, end } of rows.flat()) expect(text.slice(start, end)).toBe(raw);
  expect(table).toMatchObject({ columns: 2 });
});

test.each([
  ['nothing', '```\n```\n', '', ''],
  ['an empty line', '```\n\n```\n', '', '\n'],
  ['words', '~~~  sh \t run  \na\n~~~\n', 'sh run', 'a\n'],
  ['an indented block', '    a\n\n      b\n', '', 'a\n\n  b\n'],
  ['a fence inside an item', '1. a\n   ```x\n     b\n   ```\n', 'x', '  b\n'],
])('code with %s', (_title, text, info, content) => {
  const all = blocksOf(text).flatMap((block) =>
    block.type === 'list' ? block.children.flatMap(({ children }) => children) : [block],
  );
  expect(all.at(-1)).toMatchObject({ type: 'code', info, content });
});

test('nothing inside a line is parsed', () => {
  const text = '[a]: b\n*c* `d` \\e &amp; <f>\n  g';
  expect(blocksOf(text)).toMatchObject([
    { type: 'paragraph', raw: '[a]: b\n*c* `d` \\e &amp; <f>\ng' },
  ]);
});
