import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrontMatter } from '../../../src/workflow/documents/front-matter.ts';
import { parseIntent } from '../../../src/workflow/documents/intent.ts';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';
import { planHashOf, renderMeaning } from '../../../src/workflow/documents/plan-hash.ts';

const SCRAPS = [
  ...Array.from('`*_[]()<>!-+#=|&:.1 ,~\\{}"\'\n\r\t\0'),
  '---\n',
  '\r\n',
  '\uFEFF',
  '<!--',
  '-->',
  '```',
  '~~~',
  '```ts file=a\n',
  '```sh run\n',
  '   ',
  '1. ',
  '- ',
  '> ',
  '## Steps\n',
  '## Verification\n',
  '## Goal\n',
  'approved: true\n',
  '- verify: `x`\n',
  '- scope: ',
  '- after: 1\n',
  'AC1: ',
  '步骤',
  '：',
  '🚀',
  '\u200B',
  '\u2028',
  '\uD800',
  '| a |\n|---|\n',
  '[x] ',
  '<div>\n',
  '<?',
  '<![CDATA[',
];

test('random text is read without throwing, twice alike', () => {
  const scrap = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...SCRAPS) },
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  let seen = 0;
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 60 }), (scraps) => {
      const text = scraps.join('');
      const plan = parsePlan(text);
      const intent = parseIntent(text);
      expect(planHashOf(intent, plan)).toBe(planHashOf(parseIntent(text), parsePlan(text)));
      expect(typeof renderMeaning(intent, plan)).toBe('string');
      expect(typeof readFrontMatter(text).ok).toBe('boolean');
      seen += plan.steps.length;
    }),
    { numRuns: 300 },
  );
  expect(seen).toBeGreaterThan(10);
});

const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

test('five thousand steps with keys, in a chain', { timeout: 60_000 }, () => {
  const text = many(
    5000,
    (index) =>
      `${index + 1}. Step ${index % 10}\n   - scope: \`src/${index}.ts\`\n   - verify: \`t\`\n`,
  );
  const { steps, findings } = parsePlan(text);
  expect(steps).toHaveLength(5000);
  expect(steps.at(-1)).toMatchObject({ id: 'step-9-500', scope: ['src/4999.ts'], line: 14_998 });
  expect(findings).toEqual([]);
});

test.each([
  ['one long line', `1. ${'word `code` **b** [a](b) <b> '.repeat(8_000)}\n`, 1],
  ['many lines', `1. a\n\n${'   some words of prose\n'.repeat(45_000)}`, 1],
  ['a long block', `1. a\n\n   ~~~txt file=a\n${'   const x = 1;\n'.repeat(15_000)}   ~~~\n`, 1],
  ['open comments', `1. a ${'<!-- '.repeat(50_000)}\n`, 1],
  ['open code', `1. a ${many(700, (index) => `${'`'.repeat(index + 1)} `)}\n`, 1],
  ['open brackets', `1. a ${'['.repeat(100_000)}\n`, 1],
  ['dashes', `1. a\n\n${'-'.repeat(100_000)}\n`, 1],
  ['spaces', `1. a${' '.repeat(100_000)}b\n`, 1],
  ['a long key', `1. a\n   - scope: ${'a,'.repeat(50_000)}\n`, 1],
  ['a long id', `1. a\n   - after: ${'1 '.repeat(30_000)}x\n`, 1],
  ['lists in lists', `${'- '.repeat(100_000)}a\n`, 0],
  ['quotes in quotes', `${'>'.repeat(100_000)}a\n`, 0],
  ['too much', `1. a\n${'b'.repeat(2_000_001)}`, 0],
  ['stairs of lists', many(90, (index) => `${' '.repeat(2 * index)}- a\n`), 1],
  ['higher stairs', many(300, (index) => `${' '.repeat(2 * index)}- a\n`), 0],
])('%s', { timeout: 60_000 }, (_, text, steps) => {
  const plan = parsePlan(text);
  expect(plan.steps).toHaveLength(steps);
  expect(planHashOf(parseIntent(''), plan)).toMatch(/^p1:/);
});
