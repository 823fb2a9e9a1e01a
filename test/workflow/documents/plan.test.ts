import { describe, expect, test } from 'vitest';
import { lintPlan } from '../../../src/workflow/documents/lint.ts';
import { isInScope } from '../../../src/kernel/policy/policy.ts';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';

const titlesOf = (text: string) => parsePlan(text).steps.map(({ title }) => title);
const rulesOf = (text: string) =>
  parsePlan(text).findings.map(({ level, rule, line }) => `${level} ${rule} ${line}`);
/** Without what a step without scope and check is told. */
const faultsOf = (text: string) =>
  rulesOf(text).filter((rule) => !/ (?:no-scope|no-check) /.test(rule));
describe('what is a step', () => {
  test.each([
    ['a bare numbered list', '1. One\n2. Two\n'],
    ['brackets', '1) One\n2) Two'],
    ['bullets', '- One\n- Two\n'],
    ['stars and plus signs', '* One\n* Two\n'],
    ['boxes', '- [ ] One\n- [x] Two\n'],
    ['numbered boxes', '1. [ ] One\n2. [X] Two\n'],
    ['a heading with a list', '# Add it\n\n1. One\n2. Two\n'],
    ['text above the list', 'We need:\n\n- this\n- that\n\n1. One\n2. Two\n'],
    ['Steps', '## Steps\n\n1. One\n2. Two\n\n## Risks\n\n- no step\n'],
    ['Plan', '# Plan\n1. One\n2. Two\n## Verification\n- `npm test`\n'],
    ['Tasks', '# tasks:\n- One\n- Two\n'],
    ['Chinese headings', '# 计划：报告\n\n## 步骤：\n\n1. One\n2. Two\n'],
    ['任务', '任务\n===\n- One\n- Two\n'],
    ['an underlined heading', 'Steps\n-----\n1. One\n2. Two\n'],
    ['a heading of six', '###### Steps ######\n1. One\n2. Two\n'],
    ['headings below', '## Steps\n### First\n1. One\n### Then\n2. Two\n'],
    ['Steps win over Plan', '# Plan\n- text\n## Steps\n1. One\n2. Two\n'],
    ['another section with a list', '## Steps\n1. One\n2. Two\n## Notes\n1. call Ann\n'],
    ['no empty line in between', '## Steps\n1. One\n   - kind: fix\n2. Two\n'],
    ['an item on two lines', '1. One\n2.\n   Two\n'],
    ['front matter', '---\nsession: s1\n---\n1. One\n2. Two\n'],
    ['CRLF and a mark', '\uFEFF1. One\r\n2. Two\r\n'],
    ['old line ends', '1. One\r2. Two\r'],
    [
      'a comment around items',
      '<!-- 1. Zero -->\n1. One\n<!-- 1. x -->\n2. Two\n<!--\n3. y\n-->\n',
    ],
    ['fenced items', '```\n1. Zero\n```\n1. One\n2. Two\n'],
    ['a list in a list', '1. One\n   1. a\n   2. b\n   - c\n2. Two\n'],
    ['an item in a quote', '> 1. Zero\n\n1. One\n2. Two\n'],
    ['a placeholder', '## Steps\n1. One\n2. Two\n\n_(none)_\n'],
  ])('%s', (_, text) => {
    expect(titlesOf(text)).toEqual(['One', 'Two']);
  });

  test.each([
    ['nothing', ''],
    ['words', 'Do it.\n'],
    ['a placeholder', '## Steps\n\n_(none)_\n'],
    ['an empty section beside a list', '## Steps\n\n## Notes\n\n1. x\n'],
    ['only verification', '## Verification\n\n- `npm test`\n'],
    ['a fence', '```\n1. a\n```\n'],
    ['a comment', '<!--\n1. a\n-->\n'],
  ])('there is none in %s', (_, text) => {
    expect(titlesOf(text)).toEqual([]);
    expect(rulesOf(text)).toContainEqual(expect.stringMatching(/^error no-steps \d+$/));
  });

  test.each([
    ['[x] a', true, 'a'],
    ['[X] a', true, 'a'],
    ['[ ] a', false, 'a'],
    ['[~] a', false, 'a'],
    ['[-] a', false, 'a'],
    ['[] a', false, 'a'],
    ['[ x] a', false, 'a'],
    ['[a](b)', false, '[a](b)'],
    ['[x](b)', false, '[x](b)'],
    ['\\[x] a', false, '[x] a'],
    ['[done] a', false, '[done] a'],
    ['[x]a', false, '[x]a'],
  ])('the mark of %s', (item, ticked, title) => {
    expect(parsePlan(`- ${item}\n- b\n`).steps).toMatchObject([{ ticked, title }, { title: 'b' }]);
  });

  test.each([
    ['**Bold** words', 'Bold words'],
    ['`code` and\n   wrapped', '`code` and wrapped'],
    ['Add __init__.py to src/**/*.py, test/**', 'Add __init__.py to src/**/*.py, test/**'],
    ['a \\*star\\* &amp; <b>tag</b>', 'a *star* &amp; <b>tag</b>'],
    ['登录 🚀', '登录 🚀'],
    ['## A heading', 'A heading'],
  ])('the title of %s', (item, title) => {
    expect(titlesOf(`1. ${item}\n`)).toEqual([title]);
  });

  test('what is written too far left still belongs to the step above', () => {
    const plan = parsePlan(
      '1. One\n  - verify: `a`\n2. Two\n- verify: `b`\n- a remark\n\nA paragraph.\n\n3. Three\n   - kind: fix\n   lazy words\n',
    );
    expect(plan.steps).toMatchObject([
      { title: 'One', verify: [{ command: 'a' }] },
      { title: 'Two', verify: [{ command: 'b' }], prose: '- a remark\n\nA paragraph.' },
      { title: 'Three', kind: 'fix', prose: 'lazy words' },
    ]);
    const bullets = parsePlan('- One\n - verify: `a`\n- Two\n');
    expect(bullets.steps).toMatchObject([{ verify: [{ command: 'a' }] }, { title: 'Two' }]);
  });

  test.each([
    ['a heading', '# Plan: Report\n', 'Report'],
    ['a Chinese heading', '# 计划：报告\n', '报告'],
    ['another heading', '# Report\n', 'Report'],
    ['none', '## Steps\n', ''],
    ['a placeholder', '# Plan: (untitled)\n', ''],
    ['a key', '---\ntitle: Report\n---\n', 'Report'],
    ['a heading before a key', '---\ntitle: A\n---\n# Plan: B\n', 'B'],
  ])('the title of the plan from %s', (_, text, title) => {
    expect(parsePlan(`${text}\n1. a\n`).title).toBe(title);
  });
});

describe('ids and dependencies', () => {
  test.each([
    [
      ['Add OAuth!', 'Add OAuth?'],
      ['add-oauth', 'add-oauth-2'],
    ],
    [
      ['登录 页面', '!!!'],
      ['登录-页面', 'step'],
    ],
    [
      ['Ärger & Öl', 'C++'],
      ['ärger-öl', 'c'],
    ],
    [['word '.repeat(30)], ['word-word-word-word-word-word-word-word-word']],
  ])('made from %j', (titles, ids) => {
    const text = titles.map((title) => `1. ${title}\n`).join('');
    expect(parsePlan(text).steps.map(({ id }) => id)).toEqual(ids);
  });

  test('a title never takes an id that is given', () => {
    const plan = parsePlan('1. One\n2. Two\n   - id: one\n');
    expect(plan.steps.map(({ id }) => id)).toEqual(['one-2', 'one']);
  });

  test.each([
    ['one', ['one']],
    ['1', ['one']],
    ['step 1', ['one']],
    ['#1', ['one']],
    ['Step One, first', ['one']],
    ['1, 2', ['one', 'second']],
    ['steps 1 and 2', ['one', 'second']],
    ['second、one', ['second', 'one']],
    ['`second`', ['second']],
  ])('after: %s', (value, after) => {
    const plan = parsePlan(
      `1. Step One, first\n   - id: one\n2. Second\n3. Third\n   - after: ${value}\n`,
    );
    expect(plan.steps[2]?.after).toEqual(after);
  });

  test.each([
    ['an unknown id', '1. a\n2. b\n   - after: zzz\n', ['error unknown-id 3']],
    ['a number too large', '1. a\n   - after: 9\n', ['error unknown-id 2']],
    ['itself', '1. a\n   - after: a\n', ['error cycle 2']],
    [
      'a circle',
      '1. a\n   - after: 3\n2. b\n   - after: 1\n3. c\n   - after: 2\n',
      ['error cycle 2'],
    ],
    ['the step below, which waits for it', '1. a\n   - after: b\n2. b\n', ['error cycle 2']],
    ['a duplicate id', '1. a\n   - id: x\n2. b\n   - id: X\n', ['error duplicate-id 4']],
    ['no fault', '1. a\n   - after: b\n2. b\n   - after: none\n', []],
  ])('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  test('a circle is named', () => {
    const { findings } = parsePlan('1. a\n   - after: c\n2. b\n3. c\n');
    expect(findings.find(({ rule }) => rule === 'cycle')?.message).toBe(
      'These steps wait for each other: a → c → b → a',
    );
  });
});

describe('what a person is told', () => {
  test('a step without scope and check', () => {
    expect(rulesOf('1. a\n')).toEqual(['warning no-scope 1', 'warning no-check 1']);
    expect(rulesOf('1. a\n   - scope: x\n\n## Verification\n- `t`\n')).toEqual([]);
    // One line for all of them: a list of ten is no reason for twenty warnings.
    expect(rulesOf('1. a\n2. b\n3. c\n')).toEqual(['warning no-scope 1', 'warning no-check 1']);
    expect(
      parsePlan('1. a\n   - scope: x\n2. b\n3. c\n').findings.find(
        ({ rule }) => rule === 'no-scope',
      ),
    ).toMatchObject({
      line: 3,
      message: "'b' and 1 more: no scope: it may change the whole project",
    });
  });

  test.each([
    ['broken keys', '---\na: 1\na: 2\n---\n1. a\n', ['error front-matter 3']],
    ['keys without end', '---\na: 1\n\n1. a\n', ['error front-matter 1']],
    ['a comment without end', '1. a\n\n<!-- b\n\n2. c\n', ['error unclosed-comment 3']],
    ['a NUL byte', '1. a\0\0\n', ['error nul-byte 1']],
    ['zero width', '1. a\n\n   b\u200Bc\u200D\n', ['warning invisible-character 3']],
    ['turned direction', '1. a \u202Eb\n', ['warning invisible-character 1']],
    ['an emoji of several', '1. 👩🏽‍💻 ❤️‍🔥 works\n', []],
    ['bullets above numbers', '## Steps\n- a\n\n1. b\n', ['warning not-a-step 2']],
    ['an empty step', '1. a\n2.\n3. c\n', ['warning empty-step 2']],
    ['a step without title', '1. a\n2. - kind: fix\n', ['warning no-title 2']],
    ['too deep', `1. a\n${'> '.repeat(60)}b\n`, ['error too-large 2']],
  ])('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  test('a finding has a place and a sentence', () => {
    expect(parsePlan('').findings).toEqual([
      {
        level: 'error',
        rule: 'no-steps',
        file: 'plan.md',
        line: 1,
        message: "There are no steps; write them as a numbered list under '## Steps'",
      },
    ]);
  });
});

test('tradeoffs, risks and the budget of the plan', () => {
  const plan = parsePlan(
    '1. a\n\n## Trade-offs\n\n- _(none)_\n\n## 风险\n\n- slow\n  - very\n\nAnd large.\n\n## Budget\n\n- turns 40\n- cost $2.50\n',
  );
  expect(plan).toMatchObject({
    tradeoffs: [],
    risks: ['slow\n- very', 'And large.'],
    budget: { turns: 40, costUsd: 2.5 },
  });
  expect(faultsOf('1. a\n\n## Budget\n\n- much\n')).toEqual(['error bad-value 5']);
});

const criterion = (id: string) => ({ id, text: 'x', line: 1 });

test.each([
  ['a check of the plan', '1. a\n\n## Verification\n\n- `x`\n', 0],
  ['a check of a step that names it', '1. a\n   - criteria: AC1\n   - verify: `x`\n', 0],
  ['a line of its own', '1. a\n\n## Verification\n\n- AC1: review\n', 0],
  ['a check of a step that does not name it', '1. a\n   - verify: `x`\n', 1],
  ['a step without a check', '1. a\n   - criteria: AC1\n', 1],
  ['a check that is left to CI', '1. a\n\n## Verification\n\n- `x` (ci)\n', 1],
])('a criterion with %s: warned as verify would count', (_title, text, warnings) => {
  expect(lintPlan(parsePlan(text), [criterion('AC1')])).toHaveLength(warnings);
});

test.each(['', ' /etc', ' ../x, /y', ' ,'])('a scope of "%s" allows nothing', (scope) => {
  const plan = parsePlan(`1. a\n   - scope:${scope}\n`);
  const [step] = plan.steps;
  expect(isInScope('src/a.ts', step?.scope ?? [])).toBe(false);
  const rules = plan.findings.map(({ level, message }) => `${level} ${message}`);
  expect(rules.join('\n')).toMatch(/^error .*names nothing/m);
  expect(rules.join('\n')).not.toContain('may change the whole project');
});

test('criteria are judged with the intent at hand', () => {
  const plan = parsePlan(
    '1. a\n   - criteria: AC1, AC9\n\n## Verification\n\n- AC2: review\n- AC8: `x`\n',
  );
  const criteria = ['AC1', 'AC2', 'AC3'].map(criterion);
  expect(
    lintPlan(plan, criteria).map(({ level, rule, line, message }) => [level, rule, line, message]),
  ).toEqual([
    ['error', 'unknown-criterion', 1, "'AC9' is no criterion of intent.md"],
    ...['AC1', 'AC3'].map((id) => [
      'warning',
      'unproven-criterion',
      1,
      `Nothing proves ${id}: no line under Verification, and no check of a step that names it`,
    ]),
    ['error', 'unknown-criterion', 7, "'AC8' is no criterion of intent.md"],
  ]);
});
