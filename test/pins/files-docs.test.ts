import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as yaml from 'yaml';
import { STEP_KEYS, SYNONYMS } from '../../src/workflow/documents/step-keys.ts';
import { readFrontMatter } from '../../src/workflow/documents/front-matter.ts';
import type { Finding } from '../../src/workflow/documents/plan-model.ts';
import { parsePlan } from '../../src/workflow/documents/plan.ts';
import { parseIntent } from '../../src/workflow/documents/read-intent.ts';
import { CHECK_REASONS, parseVerify } from '../../src/workflow/evidence/verify-file.ts';
import { parseIntakeJson } from '../../src/workflow/intake/interview-input.ts';
import { parseMode } from '../../src/workflow/mode-file.ts';
import { parseTasks } from '../../src/workflow/tasks/tasks-file.ts';
import { ROOT } from '../support/sources.ts';

const TEXT = await readFile(join(ROOT, 'docs', 'files.md'), 'utf8');

/** Fences that name a file: its examples. */
const EXAMPLES = [
  ...TEXT.matchAll(/^(?<fence>`{3,4})\w+ (?<name>[\w.]+)\n(?<text>[^]*?)^\k<fence>$/gm),
].map(({ groups }) => ({ name: groups?.['name'] ?? '', text: groups?.['text'] ?? '' }));

const textsOf = (wanted: string) =>
  EXAMPLES.filter(({ name }) => name === wanted).map(({ text }) => text);
const only = (wanted: string) => textsOf(wanted)[0] ?? '';
const errors = (findings: readonly Finding[]) => findings.filter(({ level }) => level === 'error');

test('every format has its example', () => {
  expect(EXAMPLES.map(({ name }) => name)).toEqual([
    'intent.md',
    'stdin',
    'plan.md',
    'plan.md',
    'plan.md',
    'tasks.json',
    'verify.json',
    'mode.json',
    'progress.log',
    'config.yaml',
  ]);
});

test('the intent is read whole', () => {
  const intent = parseIntent(only('intent.md'));
  expect(intent.findings).toEqual([]);
  expect(intent).toMatchObject({
    goal: 'Let the report command print JSON',
    criteria: [{ id: 'AC1' }, { id: 'AC2', text: 'without the flag the output is what it was' }],
  });
  expect(parseIntakeJson(only('stdin')).map(({ slot }) => slot)).toEqual([
    ...['goal', 'scope', 'scope', 'criterion', 'non-goals', 'constraints', 'criterion'],
  ]);
});

test('a numbered list is a plan', () => {
  const plan = parsePlan(textsOf('plan.md')[0] ?? '');
  expect(errors(plan.findings)).toEqual([]);
  expect(plan.steps.map(({ title }) => title)).toEqual([
    'Write the function',
    'Let the command call it',
    'Say so in the manual',
  ]);
});

test('the long plan uses every key and is read without a finding', () => {
  const text = textsOf('plan.md')[1] ?? '';
  const plan = parsePlan(text);
  expect(plan.findings).toEqual([]);
  expect(readFrontMatter(text)).toMatchObject({ ok: true, data: { approved: false } });
  expect(plan.steps[0]).toMatchObject({
    id: 'json-form',
    scope: ['src/**', 'test'],
    after: [],
    verify: [{ command: 'npm test' }, { command: 'npm run slow-test', onlyInCi: true }],
    doneWhen: ['money is in cents'],
    criteria: ['AC1'],
    allow: ['npm run build'],
    network: false,
    cwd: 'packages/report',
    timeoutMs: 90_000,
    budget: { turns: 40, costUsd: 2, timeMs: 1_800_000 },
  });
  for (const key of STEP_KEYS) expect(text).toContain(`   - ${key}: `);
  expect(plan.proofs.map(({ kind }) => kind)).toEqual(['command', 'review', 'waived']);
  expect(plan.budget).toEqual({ turns: 200, timeMs: 7_200_000 });
});

test('the literal actions are actions', () => {
  const plan = parsePlan(textsOf('plan.md')[2] ?? '');
  expect(errors(plan.findings)).toEqual([]);
  expect(plan.steps[0]?.actions.map(({ kind }) => kind)).toEqual(['file', 'diff', 'run']);
});

test('the JSON files and the settings are read', () => {
  expect(parseTasks('tasks.json', only('tasks.json')).tasks).toMatchObject([
    { id: 'json-form', status: 'completed' },
  ]);
  expect(parseVerify('verify.json', only('verify.json')).criteria).toMatchObject([
    { proof: 'checks' },
    { proof: 'review' },
  ]);
  expect(parseMode('mode.json', only('mode.json')).stage).toBe('verify');
  expect(yaml.parse(only('config.yaml'))).toEqual({ 'retries.max': 3 });
  for (const line of only('progress.log').trim().split('\n')) {
    expect(line).toMatch(/^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] \[[a-z]+\] \S/);
  }
});

test.each(STEP_KEYS)('the table has the key "%s" with every other spelling', (key) => {
  const row = TEXT.split('\n').find((line) => line.startsWith(`| \`${key}\` |`)) ?? '';
  const also = [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word);
  expect(also).toEqual(SYNONYMS[key]);
});

test.each(CHECK_REASONS)('the reason "%s" is named', (reason) => {
  expect(TEXT).toContain(`\`${reason}\``);
});
