import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIntent } from '../../../src/workflow/documents/intent.ts';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';
import { planHashOf } from '../../../src/workflow/documents/plan-hash.ts';
import { addSteps, type PlanDraft, printPlan } from '../../../src/workflow/documents/print-plan.ts';

const EMPTY: PlanDraft = {
  sessionId: 's1',
  updatedAt: '2026-11-30T09:00:00.000Z',
  title: '',
  steps: [],
  checks: [],
  proofs: [],
  tradeoffs: [],
  risks: [],
};

test('an empty draft is printed with every section', () => {
  expect(printPlan(EMPTY)).toBe(
    '---\nsession: s1\napproved: false\nupdated: 2026-11-30T09:00:00.000Z\n---\n\n# Plan: (untitled)\n\n' +
      '## Steps\n\n_(none)_\n\n## Tradeoffs\n\n_(none)_\n\n## Verification\n\n_(none)_\n\n## Risks\n\n_(none)_\n',
  );
});

test('a draft is printed with its keys', () => {
  const printed = printPlan({
    ...EMPTY,
    title: 'C #',
    steps: [
      {
        title: 'Add `--json`',
        id: 'json',
        kind: 'feature',
        scope: ['src/**', 'a b.ts'],
        after: [],
        verify: ['npm test', 'npm run e2e (ci)'],
        doneWhen: ['it works'],
        criteria: ['AC1', 'AC2'],
        prose: 'One.\n\n- Two',
      },
      { title: '', after: ['json', 'x, y'] },
    ],
    checks: ['npm test', 'npm run bench (ci)'],
    proofs: ['AC2: review'],
    tradeoffs: ['slow'],
    risks: ['# none'],
  });
  expect(printed.slice(printed.indexOf('# Plan'))).toBe(`# Plan: C \\#

## Steps

1. Add \`--json\`
   - id: json
   - kind: feature
   - scope: \`src/**\`, \`a b.ts\`
   - after: none
   - verify: \`npm test\`
   - verify: \`npm run e2e\` (ci)
   - done when: it works
   - criteria: AC1, AC2

   One.

   \\- Two
2. (untitled)
   - after: json
   - after: x, y

## Tradeoffs

- slow

## Verification

- \`npm test\`
- \`npm run bench\` (ci)
- AC2: review

## Risks

- \\# none
`);
});

const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...Array.from('`*_[]()<>!-+#=|&:.1 ,~'), '登', '🚀'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 24,
  })
  .map((value) => value.replace(/[\0 \t\r\n]+/g, ' ').trim())
  .filter((value) => /^[^ ]/.test(value) && !/^_?\((?:none|untitled)/i.test(value));
const command = text.map((value) => `run ${value}`).filter((value) => !value.endsWith(' (ci)'));
const path = fc.stringMatching(/^[a-z]{1,5}(?:\/[a-z*_`,{} -]{0,5}[a-z*]){0,2}$/);
const step = fc.record(
  {
    title: text,
    kind: fc.constantFrom('feature' as const, 'fix' as const, 'docs' as const),
    scope: fc.array(path, { maxLength: 3 }),
    verify: fc.array(command, { maxLength: 2 }),
    doneWhen: fc.array(text, { maxLength: 2 }),
    criteria: fc.uniqueArray(fc.constantFrom('AC1', 'AC2'), { maxLength: 2 }),
    prose: fc.array(text, { maxLength: 2 }).map((lines) => lines.join('\n\n')),
  },
  { requiredKeys: ['title'] },
);
const draft = fc.record({
  title: text,
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  checks: fc.array(command, { maxLength: 2 }),
  tradeoffs: fc.array(text, { maxLength: 2 }),
  risks: fc.array(text, { maxLength: 2 }),
});

test('what is printed is read back, whatever it says', () => {
  fc.assert(
    fc.property(draft, (given) => {
      const plan = parsePlan(printPlan({ ...EMPTY, ...given }));
      expect(plan.findings.filter(({ level }) => level === 'error')).toEqual([]);
      expect({
        title: plan.title,
        steps: plan.steps.map(({ title, kind, scope, verify, doneWhen, criteria, prose }) => ({
          title,
          kind,
          scope,
          verify: verify.map((check) => check.command),
          doneWhen,
          criteria,
          prose,
        })),
        checks: plan.checks.map((check) => check.command),
        tradeoffs: plan.tradeoffs,
        risks: plan.risks,
      }).toEqual({
        ...given,
        steps: given.steps.map((one) => ({
          kind: 'feature',
          scope: [],
          verify: [],
          doneWhen: [],
          criteria: [],
          prose: '',
          ...one,
        })),
      });
    }),
    { numRuns: 100 },
  );
});

test('print, read, print is stable', () => {
  const intent = parseIntent('');
  fc.assert(
    fc.property(draft, (given) => {
      const once = printPlan({ ...EMPTY, ...given });
      const read = parsePlan(once);
      const steps = read.steps.map((one) => ({
        ...one,
        verify: one.verify.map((check) => check.command),
        after: one.after ?? ['none'],
      }));
      const again = printPlan({
        ...EMPTY,
        ...read,
        proofs: [],
        checks: read.checks.map((check) => check.command),
        steps: steps.map(({ after, ...one }) => (after[0] === 'none' ? one : { ...one, after })),
      });
      expect(planHashOf(intent, parsePlan(again))).toBe(planHashOf(intent, read));
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['numbers', '1. a\n2. b\n', '1. a\n2. b\n3. x\n4. y\n'],
  ['brackets', '3) a\n', '3) a\n4) x\n5) y\n'],
  ['ones', '1. a\n1. b\n', '1. a\n1. b\n1. x\n1. y\n'],
  ['bullets', '* a\n* b\n', '* a\n* b\n* x\n* y\n'],
  ['boxes', '- [x] a\n- [ ] b\n', '- [x] a\n- [ ] b\n- [ ] x\n- [ ] y\n'],
  ['indented items', '  1. a\n  2. b\n', '  1. a\n  2. b\n  3. x\n  4. y\n'],
  ['a loose list', '1. a\n\n2. b\n', '1. a\n\n2. b\n\n3. x\n\n4. y\n'],
  ['no line end', '1. a', '1. a\n2. x\n3. y'],
  ['keys', '9. a\n   - kind: fix\n', '9. a\n   - kind: fix\n10. x\n11. y\n'],
  [
    'keys too far left',
    '1. a\n  - kind: fix\n\n## Risks\n',
    '1. a\n  - kind: fix\n2. x\n3. y\n\n## Risks\n',
  ],
  ['a paragraph behind', '1. a\n\ntext\n', '1. a\n\ntext\n\n2. x\n\n3. y\n'],
  [
    'a comment behind',
    '1. a\n<!-- z -->\n\n## Risks\n',
    '1. a\n2. x\n3. y\n<!-- z -->\n\n## Risks\n',
  ],
  [
    'a fence',
    '1. a\n\n   ~~~sh run\n   b\n   ~~~\n## Risks\n',
    '1. a\n\n   ~~~sh run\n   b\n   ~~~\n2. x\n3. y\n## Risks\n',
  ],
  ['a placeholder', '## Steps\n\n_(none)_\n\n## Risks\n', '## Steps\n\n1. x\n2. y\n\n## Risks\n'],
  ['an empty section', '## Steps\n\n## Risks\n', '## Steps\n\n1. x\n2. y\n\n## Risks\n'],
  [
    'no section',
    '# Plan: P\n\n## Risks\n\n- r\n',
    '# Plan: P\n\n## Steps\n\n1. x\n2. y\n\n## Risks\n\n- r\n',
  ],
  ['nothing', '', '## Steps\n\n1. x\n2. y\n'],
  [
    'an underlined heading',
    'Steps\n---\n1. a\n\nRisks\n---\n',
    'Steps\n---\n1. a\n2. x\n3. y\n\nRisks\n---\n',
  ],
])('steps are added to %s', (_, before, after) => {
  const steps = [{ title: 'x' }, { title: 'y' }];
  expect(addSteps(before, steps)).toBe(after);
  const windows = (unix: string) => `\uFEFF${unix.replaceAll('\n', '\r\n')}`;
  if (before.includes('\n')) expect(addSteps(windows(before), steps)).toBe(windows(after));
});

test('a title is text, whatever it looks like', () => {
  const edited = addSteps('1. a\n', [{ title: '$& [x] `b`\n## c', verify: ['d'] }]);
  expect(edited).toBe('1. a\n2. $& [x] `b` ## c\n   - verify: `d`\n');
});

test.each([
  ['an open comment', '## Steps\n\n<!-- 1. a\n'],
  ['an open fence', '1. a\n\n```\nb\n'],
])('what would be swallowed by %s is not written', (_, plan) => {
  expect(() => addSteps(plan, [{ title: 'x' }])).toThrow(
    expect.objectContaining({ code: 'SESSION_DAMAGED', hint: 'cc repair' }),
  );
});
