import { diffLines } from 'diff';
import { expect, test } from 'vitest';
import { readFrontMatter, setKeys } from '../../../src/workflow/documents/front-matter.ts';
import { addItems, parseIntent } from '../../../src/workflow/documents/intent.ts';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';
import { addSteps } from '../../../src/workflow/documents/print-plan.ts';

const KEYS = '---\nsession: s1 # mine\napproved: false\nteam: 蓝色\n---\n\n';
const BODIES = [
  ['plain text', '## Steps\n\n1. One\n2. Two\n\n## Constraints\n\n- c\n'],
  ['CJK', '## 步骤\n\n1. 登录页面\n2. 注销\n\n## 约束\n\n- 不加依赖\n'],
  ['emoji', '## Steps 🚀\n\n## Steps\n\n1. 👩‍💻 One\n\n2. 🎉\n\n## Constraints\n- ❤️\n\n- 🎉\n'],
  [
    'tables',
    '## Steps\n\n1. One\n\n   | a | b |\n   |---|---|\n   | `c` | 1. d |\n\n## Constraints\n\n| a |\n|---|\n\n- c\n',
  ],
  [
    'HTML comments',
    '<!-- 1. Zero\n-->\n## Steps\n<!-- x -->\n1. One <!-- y\n2. no -->\n<!-- z -->\n\n## Constraints\n\n- c <!-- d\n- e -->\n<!-- f -->\n',
  ],
  [
    'nested lists',
    '## Steps\n\n- One\n  - a\n    1. b\n       - c\n- Two\n  1. d\n\n## Constraints\n\n1. c\n   - d\n     - e\n',
  ],
  [
    'underlined headings',
    'Plan: P\n=======\n\nSteps\n-----\n1. One\n\nConstraints\n-----------\n* c\n',
  ],
  [
    'fences of tildes',
    '## Steps\n\n1. One\n\n   ~~~~md file=a.md\n   ## Steps\n   ~~~\n   1. no\n   ~~~~\n\n## Constraints\n\n- c\n  ~~~\n  - no\n  ~~~\n',
  ],
  ['trailing space and tabs', '## Steps  \n\n1.\tOne\t \n2.  Two \n\n## Constraints\t\n\n-\tc  \n'],
  ['no line end', '## Constraints\n\n- c\n\n## Steps\n\n1. One'],
  [
    'sections of the person',
    '# Mine\n\ntext $& <b>\n\n## Constraints\n- c\n## Steps\n1. One\n## Mine\n- x\n',
  ],
] as const;
const SHAPES = [
  ['LF', (text: string) => text],
  ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
  ['CRLF and a mark', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`],
] as const;
const ROWS = BODIES.flatMap(([name, body]) =>
  SHAPES.map(([shape, shaped]) => ({ name, shape, text: shaped(KEYS + body) })),
);

/** Lines that went and came, each with its line end. */
function changed(before: string, after: string) {
  const parts = diffLines(before, after, { stripTrailingCr: false });
  const lines = (isWanted: (part: (typeof parts)[number]) => boolean) =>
    parts.filter(isWanted).flatMap(({ value }) => value.split(/(?<=\n)/));
  return { gone: lines(({ removed }) => removed), come: lines(({ added }) => added) };
}
const eolOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');

test.each(ROWS)('setKeys changes one line: $name, $shape', ({ text }) => {
  const eol = eolOf(text);
  const edited = setKeys(text, { approved: true });
  expect(changed(text, edited)).toEqual({
    gone: [`approved: false${eol}`],
    come: [`approved: true${eol}`],
  });
  expect(readFrontMatter(edited)).toMatchObject({ ok: true, data: { approved: true } });
  expect(setKeys(edited, { approved: false })).toBe(text);
});

test.each(ROWS)('addItems adds one line: $name, $shape', ({ text }) => {
  const edited = addItems(text, 'constraints', ['new $& item']);
  const { gone, come } = changed(text, edited);
  expect(gone).toEqual([]);
  expect(come.map((line) => line.trim()).filter((line) => line !== '')).toEqual([
    expect.stringMatching(/^(?:[-*]|2\.) new \$& item$/),
  ]);
  expect(parseIntent(edited).constraints).toEqual([
    ...parseIntent(text).constraints,
    'new $& item',
  ]);
});

test.each(ROWS)('addSteps adds one line: $name, $shape', ({ text }) => {
  const edited = addSteps(text, [{ title: 'New $& step' }]);
  const { gone, come } = changed(text, edited);
  // The line that had no end is the one line that gets one.
  expect(gone).toEqual(text.endsWith('One') ? ['1. One'] : []);
  expect(
    come.map((line) => line.trim()).filter((line) => line !== '' && line !== '1. One'),
  ).toEqual([expect.stringMatching(/^(?:-|\d\.) New \$& step$/)]);
  const titles = parsePlan(text).steps.map(({ title }) => title);
  expect(parsePlan(edited).steps.map(({ title }) => title)).toEqual([...titles, 'New $& step']);
});

test('the table reads the same in every shape', () => {
  for (const [name, body] of BODIES) {
    const read = SHAPES.map(([, shaped]) => {
      const { steps, findings } = parsePlan(shaped(KEYS + body));
      return JSON.stringify({ steps, findings });
    });
    expect(new Set(read).size, name).toBe(1);
    expect(parsePlan(KEYS + body).steps[0]?.line, name).toBeGreaterThan(5);
  }
});
