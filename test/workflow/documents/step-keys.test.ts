import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';

const faultsOf = (text: string) =>
  parsePlan(text)
    .findings.filter(({ rule }) => rule !== 'no-scope' && rule !== 'no-check')
    .map(({ level, rule, line }) => `${level} ${rule} ${line}`);
const stepOf = (...lines: readonly string[]) => {
  const plan = parsePlan(`1. One\n${lines.map((line) => `   ${line}\n`).join('')}`);
  const [step] = plan.steps;
  const faults = plan.findings
    .filter(({ rule }) => rule !== 'no-scope' && rule !== 'no-check')
    .map(({ level, rule, line }) => `${level} ${rule} ${line}`);
  return { ...step, faults };
};

test.each([
  ['- id: my-id', { id: 'my-id' }],
  ['- kind: fix', { kind: 'fix' }],
  ['- **Kind**: Fix', { kind: 'fix' }],
  ['- **kind:** fix', { kind: 'fix' }],
  ['- 类型：修复', { kind: 'fix' }],
  ['- role: tester', { role: 'tester/main' }],
  ['- 角色: tester/docs', { role: 'tester/docs' }],
  ['- scope: src/a.ts, `b c.ts`，src/{d,e}.ts', { scope: ['src/a.ts', 'b c.ts', 'src/{d,e}.ts'] }],
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
  ['- scope:', 'error bad-value 2'],
  ['- scope: ,', 'error bad-value 2'],
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

test.each([
  ['verify command', '`npm test`'],
  ['Check command', '`npm test`'],
  ['检查', '`npm test`'],
  ['校验', '`npm test`'],
  ['测试命令', '`npm test`'],
])('"%s" is a check', (words, value) => {
  const plan = parsePlan(`1. One\n   - ${words}: ${value}\n`);
  expect(plan.steps).toMatchObject([{ verify: [{ command: 'npm test' }] }]);
  expect(plan.findings.filter(({ line }) => line === 2)).toEqual([]);
});

test.each([
  ['command', '`npm test`', "'command' is not a key; did you mean 'verify'?"],
  ['命令', '`npm test`', "'命令' is not a key; did you mean 'verify'?"],
  ['owner', 'Ben', "'owner' is not a key, so this line is prose; keys are id, kind, "],
  ['due date', 'May', "'due date' is not a key, so this line is prose; keys are id, kind, "],
  ['负责人', '小王', "'负责人' is not a key, so this line is prose; keys are id, kind, "],
])('"%s: %s" under a step is told with its line', (words, value, message) => {
  const plan = parsePlan(`1. One\n   - scope: \`a\`\n   - ${words}: ${value}\n`);
  expect(plan.findings).toContainEqual({
    level: 'warning',
    rule: expect.stringMatching(/^(?:near-miss|unknown-key)$/),
    file: 'plan.md',
    line: 3,
    message: expect.stringContaining(message),
  });
});

test.each([
  ['a remark', 'Note: mind the gap'],
  ['a Chinese remark', '注意：别改接口'],
  ['an address', 'https://example.com'],
  ['a path', 'see src/a.ts: it is long'],
  ['a sentence', 'Keep the order of the rows: it counts'],
  ['a Chinese sentence', '请保持每一行的顺序：很重要'],
  ['words without a value', 'the parts:'],
])('%s is no attempt at a key', (_what, line) => {
  const plan = parsePlan(`1. One\n   - ${line}\n`);
  expect(plan.findings.filter(({ rule }) => /key|near/.test(rule))).toEqual([]);
});
