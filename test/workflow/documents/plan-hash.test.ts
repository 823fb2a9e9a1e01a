import { expect, test } from 'vitest';
import { parseIntent } from '../../../src/workflow/documents/intent.ts';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';
import { planHashOf, renderMeaning } from '../../../src/workflow/documents/plan-hash.ts';
import { EDITABLE_INTENT, EDITABLE_PLAN, PLAN_EDITS } from '../../support/plan-edits.ts';

const hashOf = (plan: string, intent = EDITABLE_INTENT) =>
  planHashOf(parseIntent(intent), parsePlan(plan));
const shownOf = (plan: string, intent = EDITABLE_INTENT) =>
  renderMeaning(parseIntent(intent), parsePlan(plan));

test('the table holds at least sixty edits of each a title of its own', () => {
  expect(PLAN_EDITS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(PLAN_EDITS.map(({ title }) => title)).size).toBe(PLAN_EDITS.length);
  expect(PLAN_EDITS.filter(({ semantic }) => semantic).length).toBeGreaterThan(30);
  expect(PLAN_EDITS.filter(({ semantic }) => !semantic).length).toBeGreaterThan(30);
});

test('the plan of the table has no finding', () => {
  expect(parsePlan(EDITABLE_PLAN).findings).toEqual([]);
  expect(hashOf(EDITABLE_PLAN)).toMatch(/^p1:[0-9a-f]{64}$/);
});

test.each(PLAN_EDITS)('$title (semantic: $semantic)', ({ edit, semantic }) => {
  const edited = edit(EDITABLE_PLAN);
  expect(edited).not.toBe(EDITABLE_PLAN);
  expect(hashOf(edited) !== hashOf(EDITABLE_PLAN)).toBe(semantic);
  // What a model is shown changes exactly when the hash does.
  expect(shownOf(edited) !== shownOf(EDITABLE_PLAN)).toBe(semantic);
});

test.each([
  ['the goal', 'Print the report', 'Print each report', true],
  ['a non-goal', 'No XML', 'No CSV', true],
  ['a constraint', 'No new packages', 'New packages', true],
  ['a criterion', 'report --json prints', 'report --json writes', true],
  ['the id of a criterion', 'AC2:', 'AC3:', true],
  ['an assumption', 'Node 20', 'Node 22', true],
  ['a clarification', 'Machines read it', 'People read it', false],
  ['an open question', '_(none yet)_', '- Which encoding?', false],
  ['a comment', '## Goal\n', '## Goal\n<!-- mine -->\n', false],
  ['wrapping', 'Print the report as', 'Print the report\nas', false],
  ['a heading in Chinese', '## Goal', '## 目标', false],
])('an edit of %s in the intent', (_, from, to, semantic) => {
  expect(EDITABLE_INTENT).toContain(from);
  const edited = EDITABLE_INTENT.replace(from, to);
  expect(hashOf(EDITABLE_PLAN, edited) !== hashOf(EDITABLE_PLAN)).toBe(semantic);
});

test('a plan is shown whole, and without what does not count', () => {
  const plan =
    '# Plan: P <!-- secret -->\n\n1. [x] One\n   - network: a.example\n   - budget: turns 3\n' +
    '   - cwd: sub\n   - timeout: 2s\n\n   ```ts file=a.ts\n   1\n   ```\n\n## Risks\n\n- secret\n';
  expect(shownOf(plan, '## Goal\n\nG\n\n## Clarifications\n\n- secret\n')).toBe(
    '# P\n\n## Goal\n\nG\n\n## Steps\n\n1. One\n   - id: one\n   - kind: feature\n' +
      '   - role: executor/main\n   - scope: the whole project\n   - network: a.example\n' +
      '   - cwd: `sub`\n   - timeout: 2000ms\n   - budget: turns 3\n\n' +
      '   ```file="a.ts"\n   1\n   ```\n',
  );
});
