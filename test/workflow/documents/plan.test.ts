import { describe, expect, test } from 'vitest';
import { lintPlan } from '../../../src/workflow/documents/lint.ts';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';

const titlesOf = (text: string) => parsePlan(text).steps.map(({ title }) => title);
const rulesOf = (text: string) =>
  parsePlan(text).findings.map(({ level, rule, line }) => `${level} ${rule} ${line}`);
/** Without what a step without scope and check is told. */
const faultsOf = (text: string) =>
  rulesOf(text).filter((rule) => !/ (?:no-scope|no-check) /.test(rule));
const stepOf = (...lines: readonly string[]) => {
  const plan = parsePlan(`1. One\n${lines.map((line) => `   ${line}\n`).join('')}`);
  const [step] = plan.steps;
  const faults = plan.findings
    .filter(({ rule }) => rule !== 'no-scope' && rule !== 'no-check')
    .map(({ level, rule, line }) => `${level} ${rule} ${line}`);
  return { ...step, faults };
};

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

describe('keys', () => {
  test.each([
    ['- id: my-id', { id: 'my-id' }],
    ['- kind: fix', { kind: 'fix' }],
    ['- **Kind**: Fix', { kind: 'fix' }],
    ['- **kind:** fix', { kind: 'fix' }],
    ['- 类型：修复', { kind: 'fix' }],
    ['- role: tester', { role: 'tester/main' }],
    ['- 角色: tester/docs', { role: 'tester/docs' }],
    [
      '- scope: src/a.ts, `b c.ts`，src/{d,e}.ts',
      { scope: ['src/a.ts', 'b c.ts', 'src/{d,e}.ts'] },
    ],
    ['- scope: src/**/*.ts, test/**', { scope: ['src/**/*.ts', 'test/**'] }],
    ['- Files: ./src//a.ts', { scope: ['src/a.ts'] }],
    ['- paths: app/[id]/(group)/page.tsx', { scope: ['app/[id]/(group)/page.tsx'] }],
    ['- 范围：src/', { scope: ['src/'] }],
    ['- scope: .', { scope: ['**'] }],
    ['- scope: ..data/x', { scope: ['..data/x'] }],
    ['- after: none', { after: [] }],
    ['- depends on: 无', { after: [] }],
    ['- verify: `npm test`', { verify: [{ command: 'npm test', onlyInCi: false, line: 2 }] }],
    [
      '- verify: run `a` and `b` (ci)',
      { verify: [{ command: 'a' }, { command: 'b', onlyInCi: true }] },
    ],
    ['- 验证: ``echo `x` ``', { verify: [{ command: 'echo `x`' }] }],
    ['- done when: it works, always', { doneWhen: ['it works, always'] }],
    ['- doneWhen: `x` is there', { doneWhen: ['`x` is there'] }],
    ['- 完成条件：可用', { doneWhen: ['可用'] }],
    ['- criteria: AC1, ac-2 and AC03', { criteria: ['AC1', 'AC2', 'AC3'] }],
    ['- AC: AC1', { criteria: ['AC1'] }],
    ['- 标准: AC1、AC2', { criteria: ['AC1', 'AC2'] }],
    ['- allow: `npm ci`, `npx tsc`', { allow: ['npm ci', 'npx tsc'] }],
    ['- 允许: `make`', { allow: ['make'] }],
    ['- network: yes', { network: true }],
    ['- network: no', { network: false }],
    ['- 网络: a.example, b.example:8080', { network: ['a.example', 'b.example:8080'] }],
    ['- cwd: ./packages/a/', { cwd: 'packages/a' }],
    ['- working directory: `sub dir`', { cwd: 'sub dir' }],
    ['- cwd: .', { cwd: undefined }],
    ['- timeout: 90s', { timeoutMs: 90_000 }],
    ['- timeout: 1h 30m', { timeoutMs: 5_400_000 }],
    ['- 超时：10分钟', { timeoutMs: 600_000 }],
    [
      '- budget: turns 40, cost $2, time 30m',
      { budget: { turns: 40, costUsd: 2, timeMs: 1_800_000 } },
    ],
    ['- 预算: 40 turns', { budget: { turns: 40 } }],
    ['- [ ] kind: fix', { kind: 'fix' }],
  ])('%s', (line, fields) => {
    const step = stepOf(line);
    expect(step).toMatchObject(fields);
    expect(step.faults).toEqual([]);
    expect(step.prose).toBe('');
  });

  test('a step without keys has the defaults', () => {
    expect(parsePlan('1. One\n').steps).toEqual([
      {
        id: 'one',
        title: 'One',
        ticked: false,
        kind: 'feature',
        role: 'executor/main',
        scope: [],
        after: undefined,
        verify: [],
        doneWhen: [],
        criteria: [],
        allow: [],
        network: false,
        cwd: undefined,
        timeoutMs: undefined,
        budget: {},
        prose: '',
        actions: [],
        line: 1,
      },
    ]);
  });

  test('a list may be repeated or stand below its key', () => {
    const step = stepOf(
      '- scope: a.ts',
      '- scope:',
      '  - b.ts',
      '  - `c.ts`, d.ts',
      '- verify:',
      '  - `one`',
      '  - `two` (ci)',
      '- done when: x',
      '- done when:',
      '  - y',
    );
    expect(step).toMatchObject({
      scope: ['a.ts', 'b.ts', 'c.ts', 'd.ts'],
      verify: [
        { command: 'one', onlyInCi: false, line: 7 },
        { command: 'two', onlyInCi: true, line: 8 },
      ],
      doneWhen: ['x', 'y'],
      faults: [],
    });
  });

  test.each([
    ['verfy', 'verify'],
    ['Scpoe', 'scope'],
    ['scop', 'scope'],
    ['criterai', 'criteria'],
    ['done whn', 'done when'],
    ['timout', 'timeout'],
    ['afer', 'after'],
    ['netwrok', 'network'],
    ['note', undefined],
    ['why', undefined],
    ['https', undefined],
    ['hint', undefined],
  ])('%s is near to %s', (words, key) => {
    const plan = parsePlan(`1. One\n   - ${words}: \`x\`\n`);
    expect(plan.steps).toMatchObject([{ prose: `- ${words}: \`x\`` }]);
    const near = plan.findings.filter(({ rule }) => rule === 'near-miss');
    expect(near).toEqual(
      key === undefined
        ? []
        : [
            {
              level: 'warning',
              rule: 'near-miss',
              file: 'plan.md',
              line: 2,
              message: `'${words}' is not a key; did you mean '${key}'?`,
            },
          ],
    );
  });

  test.each([
    ['- kind: epic', 'error bad-value 2'],
    ['- id: a b', 'error bad-value 2'],
    ['- id: ../x', 'error bad-value 2'],
    ['- role: a/b/c', 'error bad-value 2'],
    ['- timeout: soon', 'error bad-value 2'],
    ['- timeout: 0s', 'error bad-value 2'],
    ['- timeout: 90', 'error bad-value 2'],
    ['- budget: a lot', 'error bad-value 2'],
    ['- budget: turns 0', 'error bad-value 2'],
    ['- network: maybe', 'error bad-value 2'],
    ['- network: https://a.example/x', 'error bad-value 2'],
    ['- cwd: /tmp', 'error bad-value 2'],
    ['- cwd: a/../..', 'error bad-value 2'],
    ['- scope: /etc/passwd', 'error bad-value 2'],
    ['- scope: ~/x', 'error bad-value 2'],
    ['- scope: C:\\x', 'error bad-value 2'],
    ['- scope: a/../../b', 'error bad-value 2'],
    ['- scope: `a\\..\\b`', 'error bad-value 2'],
    ['- scope: {a,..}/b', 'error bad-value 2'],
    ['- scope: .git/hooks/x', 'error bad-value 2'],
    ['- scope: sub/.GIT./x', 'error bad-value 2'],
    ['- scope: .chainlesschain', 'error bad-value 2'],
    ['- scope: !src', 'error bad-value 2'],
    ['- scope: src/a.ts src/b.ts', 'warning ambiguous-scope 2'],
    ['- verify: npm test', 'warning not-a-command 2'],
    ['- allow: everything', 'warning not-a-command 2'],
    ['- criteria: it is fast', 'warning not-a-criterion 2'],
    ['- scope:', 'warning empty-value 2'],
  ])('the value of %s: %s', (line, fault) => {
    expect(stepOf(line).faults).toEqual([fault]);
  });

  test('what is not wholly read as a command stays in the prose as well', () => {
    expect(stepOf('- verify: `npm test` prints no warning')).toMatchObject({
      verify: [{ command: 'npm test' }],
      prose: 'verify: `npm test` prints no warning',
    });
    expect(stepOf('- verify: npm test')).toMatchObject({ verify: [], prose: 'verify: npm test' });
  });

  test('a key that is given twice, and not the same', () => {
    expect(stepOf('- kind: fix', '- kind: fix').faults).toEqual([]);
    expect(stepOf('- kind: fix', '- kind: docs').faults).toEqual(['error duplicate-key 3']);
  });

  test('a key without a bullet is a part of the title, and that is said', () => {
    expect(faultsOf('1. One\n   verify: `x`\n')).toEqual(['warning key-without-bullet 2']);
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

test('criteria are judged with the intent at hand', () => {
  const plan = parsePlan(
    '1. a\n   - criteria: AC1, AC9\n\n## Verification\n\n- AC2: review\n- AC8: `x`\n',
  );
  const criteria = ['AC1', 'AC2', 'AC3'].map((id) => ({ id, text: 'x', line: 1 }));
  expect(
    lintPlan(plan, criteria).map(({ level, rule, line, message }) => [level, rule, line, message]),
  ).toEqual([
    ['error', 'unknown-criterion', 1, "'AC9' is no criterion of intent.md"],
    [
      'warning',
      'unnamed-criterion',
      1,
      'No step names AC3, and no line under Verification proves it',
    ],
    ['error', 'unknown-criterion', 7, "'AC8' is no criterion of intent.md"],
  ]);
});
