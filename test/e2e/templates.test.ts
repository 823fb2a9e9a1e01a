import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseIntent } from '../../src/workflow/documents/read-intent.ts';
import { lintPlan } from '../../src/workflow/documents/lint.ts';
import { parsePlan } from '../../src/workflow/documents/plan.ts';
import { ROOT } from '../support/sources.ts';
import { TempRepo } from '../support/temp-repo.ts';

const TIMEOUT_MS = 60_000;
const TEMPLATE = join(ROOT, 'templates', 'coding-workflow');
const readTemplate = (name: string) => readFile(join(TEMPLATE, name), 'utf8');

test('the template holds no hook and no session', async () => {
  const names = await readdir(TEMPLATE, { recursive: true });
  const files = names.map((name) => name.replaceAll('\\', '/')).sort();
  expect(files).toEqual(['README.md', 'examples', 'examples/intent.md', 'examples/plan.md']);
});

test('the example of an intent says what an intent can say', async () => {
  const intent = parseIntent(await readTemplate('examples/intent.md'));
  expect(intent.findings).toEqual([]);
  expect(intent.goal).toMatch(/^Let the export command write CSV\n/);
  expect(intent.criteria.map(({ id }) => id)).toEqual(['AC1', 'AC2', 'AC3']);
  const { clarifications, nonGoals, constraints, assumptions, openQuestions } = intent;
  const lists = { clarifications, nonGoals, constraints, assumptions, openQuestions };
  const counts = Object.entries(lists).map(([name, list]) => `${name} ${list.length}`);
  expect(counts).toEqual([
    'clarifications 1',
    'nonGoals 1',
    'constraints 1',
    'assumptions 1',
    'openQuestions 1',
  ]);
});

test('the example of a plan is one for that intent, without a finding', async () => {
  const intent = parseIntent(await readTemplate('examples/intent.md'));
  const plan = parsePlan(await readTemplate('examples/plan.md'));
  expect([...plan.findings, ...lintPlan(plan, intent.criteria)]).toEqual([]);
  expect(plan.steps).toMatchObject([
    { id: 'csv-writer', actions: [{ kind: 'file', path: 'src/export/csv.js' }] },
    { id: 'flag', after: ['csv-writer'], timeoutMs: 120_000 },
    { kind: 'docs', after: [], scope: ['docs/**'] },
  ]);
  expect(plan.checks).toMatchObject([{ command: 'npm test' }]);
  expect(plan.proofs).toMatchObject([
    { kind: 'command', criterion: 'AC2' },
    { kind: 'review', criterion: 'AC3' },
  ]);
  expect(plan.budget).toEqual({ timeMs: 1_800_000 });
});

test('the plan of the demo has every kind of literal action, and no finding', async () => {
  const plan = parsePlan(await readFile(join(ROOT, 'templates/demo/plan.md'), 'utf8'));
  expect(plan.findings).toEqual([]);
  const kinds = plan.steps.map(({ actions }) => actions.map(({ kind }) => kind).join());
  expect(kinds).toEqual(['file', 'diff', 'run']);
});

test('cc init --template never writes over a file', { timeout: TIMEOUT_MS }, async () => {
  await using repo = await TempRepo.create();
  await repo.write('.chainlesschain/README.md', 'Ours.\n');
  const init = await repo.cc('init', '--template', 'coding-workflow', '--json');
  expect(init).toMatchObject({ exit: 0 });
  expect(JSON.parse(init.stdout).files).toEqual([
    '.chainlesschain/.gitignore',
    '.chainlesschain/.gitattributes',
    '.chainlesschain/hooks/pre-execute.js.example',
    '.chainlesschain/examples/intent.md',
    '.chainlesschain/examples/plan.md',
  ]);
  expect(await repo.read('.chainlesschain/README.md')).toBe('Ours.\n');
  const plan = await repo.read('.chainlesschain/examples/plan.md');
  expect(plan).toBe(await readTemplate('examples/plan.md'));

  const list = await repo.cc('session', 'list', '--json');
  expect(JSON.parse(list.stdout)).toMatchObject({ sessions: [] });
  const check = await repo.cc('check');
  expect(check).toMatchObject({ exit: 0, stdout: '0 sessions, nothing wrong\n' });
});
