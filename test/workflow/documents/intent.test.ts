import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addItems,
  hasGoal,
  parseIntent,
  printIntent,
  removeItems,
  setGoal,
} from '../../../src/workflow/documents/intent.ts';

const EMPTY = `# Intent

**Session:** s1
**Created:** 2026-11-30T09:00:00.000Z

## Goal

_(not provided)_

## Clarifications

_(none yet)_

## Non-Goals

_(none yet)_

## Constraints

_(none yet)_

## Acceptance Criteria

_(none yet)_

## Assumptions

_(none yet)_

## Open Questions

_(none yet)_
`;
const CREATED = { sessionId: 's1', createdAt: '2026-11-30T09:00:00.000Z' };

test('an empty draft is printed with every section', () => {
  expect(printIntent({ ...CREATED, goal: ' ' })).toBe(EMPTY);
  expect(parseIntent(EMPTY)).toEqual({
    goal: '',
    clarifications: [],
    nonGoals: [],
    constraints: [],
    criteria: [],
    assumptions: [],
    openQuestions: [],
    findings: [],
  });
});

test('a draft is printed and read back', () => {
  const draft = {
    goal: 'Add a `--json` flag\n# to <!-- the --> report',
    clarifications: ['For *machines* (asked)', '- not a list'],
    nonGoals: ['No XML'],
    constraints: ['[x] nothing', '# nothing'],
    criteria: [{ id: 'AC2', text: '<b> & `code`' }],
    assumptions: ['1. one'],
    openQuestions: ['Which\nencoding?'],
  };
  const printed = printIntent({ ...CREATED, ...draft });
  expect(printed).toContain(
    '\n## Acceptance Criteria\n\n- AC2: \\<b> & `code`\n\n## Assumptions\n',
  );
  expect(parseIntent(printed)).toEqual({
    ...draft,
    goal: 'Add a `--json` flag # to <!-- the --> report',
    criteria: [{ id: 'AC2', text: '<b> & `code`', line: 27 }],
    openQuestions: ['Which encoding?'],
    findings: [],
  });
});

test('what is printed is read back, whatever it says', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) =>
    text
      .replace(/[ \t\r\n]+/g, ' ')
      .replace(/\0/g, '')
      .trim(),
  );
  const word = line.filter((text) => /^[^ ].*[^ ]$/u.test(text) && !/^_?\(/.test(text));
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 3 }), (goal, items) => {
      const text = printIntent({ ...CREATED, goal, constraints: items, openQuestions: items });
      expect(parseIntent(text)).toMatchObject({ constraints: items, openQuestions: items });
      const added = addItems(setGoal(EMPTY, goal), 'constraints', items);
      expect(parseIntent(added)).toMatchObject({
        goal: parseIntent(text).goal,
        constraints: items,
      });
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['', false],
  ['  ', false],
  ['_(not provided)_', false],
  ['Log in', true],
])('a goal of %j', (goal, has) => {
  expect(hasGoal({ goal })).toBe(has);
});

test.each([
  ['its heading', '## Goal\n\nLog in\n', 'Log in'],
  ['an underlined heading', 'Goal\n----\nLog in\n', 'Log in'],
  ['another depth', '# goal:\nLog in\n', 'Log in'],
  ['a Chinese heading', '## 目标\n\n登录\n', '登录'],
  ['CRLF and a mark', '\uFEFF## Goal\r\n\r\nLog\r\nin\r\n', 'Log in'],
  ['front matter', '---\na: 1\n---\n## Goal\nLog in\n', 'Log in'],
  ['a comment', '## Goal\n\n<!-- what? -->\nLog in <!-- how? -->\n', 'Log in'],
  ['only a comment', '## Goal\n\n<!-- Log in -->\n', ''],
  ['a list', '## Goal\n\nLog in:\n\n* with `a`\n* with b\n', 'Log in:\n\n- with `a`\n- with b'],
  [
    'a heading below',
    '## Goal\n\nLog in\n\n### Why\n\nSafe\n\n## Risks\n\nx',
    'Log in\n\n### Why\n\nSafe',
  ],
  ['a heading in a fence', '```\n## Goal\nno\n```\n## Goal\nLog in\n', 'Log in'],
  ['the next section', '## Goal\n\n## Constraints\n\n- x\n', ''],
  ['the parent', '# Intent (member of p)\n\n## Parent Goal\n\nLog in\n', 'Log in'],
  [
    'the whole intent of the parent',
    '# Intent (member of p)\n\n**Role:** x\n\n## Parent Goal\n\n# Intent\n\n**Session:** p\n\n## Goal\n\nLog in\n',
    'Log in',
  ],
  ['nothing inherited', '# Intent (member of p)\n\n## Parent Goal\n\n_(inherited)_\n', ''],
])('the goal under %s', (_, text, goal) => {
  expect(parseIntent(text).goal).toBe(goal);
});

test('sections in Chinese, and those of people who write no bullets', () => {
  const text =
    '# 意图\n\n## 目标\n\n登录\n\n## 澄清\n\n- a\n\n## 非目标\n\n1. b\n2. c\n\n## 约束：\n\nNo packages.\n\nNo network.\n\n' +
    '## 验收标准\n\n- AC1：d\n- e\n\n## 假设\n\n* [x] f\n  - g\n\n## 待定问题\n\n- h?\n\n## 我的\n\n- mine\n';
  expect(parseIntent(text)).toMatchObject({
    goal: '登录',
    clarifications: ['a'],
    nonGoals: ['b', 'c'],
    constraints: ['No packages.', 'No network.'],
    criteria: [
      { id: 'AC1', text: 'd', line: 24 },
      { id: 'AC2', text: 'e', line: 25 },
    ],
    assumptions: ['f\n- g'],
    openQuestions: ['h?'],
    findings: [],
  });
});

test.each([
  ['counted', '- a\n- b\n', ['AC1 a', 'AC2 b'], []],
  [
    'counted around those given',
    '- a\n- AC1: b\n- c\n- **AC3**: d\n- e',
    ['AC2 a', 'AC1 b', 'AC4 c', 'AC3 d', 'AC5 e'],
    [],
  ],
  ['in another spelling', '- ac-7: a\n- AC 08： b\n', ['AC7 a', 'AC8 b'], []],
  ['a word that only looks like one', '- UTF8: a\n- ACME: b\n', ['AC1 UTF8: a', 'AC2 ACME: b'], []],
  ['given twice', '- AC1: a\n- AC1: b\n', ['AC1 a', 'AC1 b'], ['error duplicate-id 4']],
])('ids of criteria: %s', (_, list, criteria, faults) => {
  const intent = parseIntent(`## Criteria\n\n${list}`);
  expect(intent.criteria.map(({ id, text }) => `${id} ${text}`)).toEqual(criteria);
  expect(intent.findings.map(({ level, rule, line }) => `${level} ${rule} ${line}`)).toEqual(
    faults,
  );
});

test('characters that cannot be seen are reported', () => {
  expect(parseIntent('## Goal\n\nLog\u200B in\u2066\n').findings).toEqual([
    {
      level: 'warning',
      rule: 'invisible-character',
      file: 'intent.md',
      line: 3,
      message: 'Characters that cannot be seen: U+200B, U+2066',
    },
  ]);
});

test.each([
  ['a placeholder', '## Constraints\n\n_(none yet)_\n', '## Constraints\n\n- a\n- b\n'],
  ['a placeholder as an item', '## Constraints\n- _(none)_\n', '## Constraints\n- a\n- b\n'],
  ['a list', '## Constraints\n\n- x\n\n## Mine\n', '## Constraints\n\n- x\n- a\n- b\n\n## Mine\n'],
  ['stars', '## Constraints\n\n * x\n   more\n', '## Constraints\n\n * x\n   more\n * a\n * b\n'],
  ['numbers', '## Constraints\n\n8) x\n', '## Constraints\n\n8) x\n9) a\n10) b\n'],
  ['a loose list', '## Constraints\n- x\n\n- y\n', '## Constraints\n- x\n\n- y\n\n- a\n\n- b\n'],
  ['a nested list', '## Constraints\n- x\n  - y\n', '## Constraints\n- x\n  - y\n- a\n- b\n'],
  [
    'a fence in an item',
    '## Constraints\n- x\n  ```\n  y\n  ```\n',
    '## Constraints\n- x\n  ```\n  y\n  ```\n- a\n- b\n',
  ],
  [
    'a comment behind an item',
    '## Constraints\n- x <!-- y\n- z -->\n',
    '## Constraints\n- x <!-- y\n- z -->\n- a\n- b\n',
  ],
  [
    'a comment below',
    '## Constraints\n- x\n<!-- y -->\n',
    '## Constraints\n- x\n- a\n- b\n<!-- y -->\n',
  ],
  ['text', '## Constraints\n\nx\n\n# End\n', '## Constraints\n\nx\n\n- a\n- b\n\n# End\n'],
  ['nothing', '## Constraints\n\n# End\n', '## Constraints\n\n- a\n- b\n\n# End\n'],
  ['nothing at all', '## Constraints', '## Constraints\n\n- a\n- b'],
  ['no line end', '## Constraints\n- x', '## Constraints\n- x\n- a\n- b'],
  [
    'no section, with later ones',
    '# Intent\n\n## Assumptions\n\n- y\n',
    '# Intent\n\n## Constraints\n\n- a\n- b\n\n## Assumptions\n\n- y\n',
  ],
  ['no section, with earlier ones', '## Goal\n\nx', '## Goal\n\nx\n\n## Constraints\n\n- a\n- b\n'],
  ['no text', '', '## Constraints\n\n- a\n- b\n'],
  ['a Chinese heading', '## 约束\n\n- x\n', '## 约束\n\n- x\n- a\n- b\n'],
])('adds items to %s', (_, text, edited) => {
  expect(addItems(text, 'constraints', ['a', ' ', 'b'])).toBe(edited);
  const windows = (unix: string) => `\uFEFF${unix.replaceAll('\n', '\r\n')}`;
  // Without a line end there is none to follow.
  if (text.includes('\n')) {
    expect(addItems(windows(text), 'constraints', ['a', 'b'])).toBe(windows(edited));
  }
});

test('an item is text, whatever it looks like', () => {
  const edited = addItems('## Constraints\n\n_(none yet)_\n', 'constraints', [
    "$& $'",
    '# x\n- y',
    '<!-- z',
  ]);
  expect(edited).toBe("## Constraints\n\n- $& $'\n- \\# x - y\n- \\<!-- z\n");
});

test('a criterion gets the next free id', () => {
  const text = '## Acceptance Criteria\n\n- AC2: x\n';
  expect(addItems(text, 'criteria', ['a', 'AC7: b', 'c'])).toBe(
    '## Acceptance Criteria\n\n- AC2: x\n- AC1: a\n- AC7: b\n- AC3: c\n',
  );
});

test.each([
  ['the first', 'a', '## Open Questions\n\n- b\n  - more\n- c\n\n## Mine\n'],
  ['one with a list below', 'b\n- more', '## Open Questions\n\n- a\n- c\n\n## Mine\n'],
  ['the last', 'c', '## Open Questions\n\n- a\n- b\n  - more\n\n## Mine\n'],
  ['none', 'zzz', '## Open Questions\n\n- a\n- b\n  - more\n- c\n\n## Mine\n'],
])('removes %s', (_, gone, edited) => {
  const text = '## Open Questions\n\n- a\n- b\n  - more\n- c\n\n## Mine\n';
  expect(removeItems(text, 'openQuestions', (item) => item === gone)).toBe(edited);
  const windows = (unix: string) => `\uFEFF${unix.replaceAll('\n', '\r\n')}`;
  expect(removeItems(windows(text), 'openQuestions', (item) => item === gone)).toBe(
    windows(edited),
  );
});

test.each([
  ['a list', '## Open Questions\n\n- a\n- b\n', '## Open Questions\n\n_(none yet)_\n'],
  [
    'a loose list',
    '## Open Questions\n\n- a\n\n- b\n\n## X\n',
    '## Open Questions\n\n_(none yet)_\n\n## X\n',
  ],
  ['no line end', '## Open Questions\n- a', '## Open Questions\n_(none yet)_'],
  [
    'a comment',
    '## Open Questions\n\n<!-- x -->\n- a <!-- y -->\n',
    '## Open Questions\n\n<!-- x -->\n_(none yet)_\n',
  ],
])('the last item leaves a placeholder: %s', (_, text, edited) => {
  expect(removeItems(text, 'openQuestions', () => true)).toBe(edited);
});

test('a criterion is removed by its text, without its id', () => {
  const text = '## Acceptance Criteria\n\n- AC1: a\n- AC2: b\n';
  expect(removeItems(text, 'criteria', (item) => item === 'a')).toBe(
    '## Acceptance Criteria\n\n- AC2: b\n',
  );
});

test.each([
  ['a placeholder', EMPTY, EMPTY.replace('_(not provided)_', 'Log in')],
  [
    'a goal',
    '## Goal\r\n\r\nOld\r\nwords\r\n\r\n## X\r\n',
    '## Goal\r\n\r\nLog in\r\n\r\n## X\r\n',
  ],
  ['nothing', '## Goal\n\n## X\n', '## Goal\n\nLog in\n\n## X\n'],
  ['no section', '# Intent\n\n## Non-Goals\n', '# Intent\n\n## Goal\n\nLog in\n\n## Non-Goals\n'],
  ['the goal of the parent', '## Parent Goal\n\n_(inherited)_\n', '## Parent Goal\n\nLog in\n'],
])('sets the goal in place of %s', (_, text, edited) => {
  expect(setGoal(text, 'Log in')).toBe(edited);
});

test.each([
  ['an open comment', '## Goal\n\n<!-- x\n'],
  ['an open fence', '## Goal\n\nx\n\n```\ny\n'],
])('what would be swallowed by %s is not written', (_, text) => {
  expect(() => addItems(text, 'constraints', ['a'])).toThrow(
    expect.objectContaining({ code: 'SESSION_DAMAGED', hint: 'cc repair' }),
  );
});
