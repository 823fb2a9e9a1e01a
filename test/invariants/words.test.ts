import { expect, test } from 'vitest';
import { listSources, readSource } from '../support/sources.ts';

/** This file holds the words that it looks for. */
const SELF = 'test/invariants/words.test.ts';

const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'work left undone', pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/ },
  { what: 'a mocked module', pattern: /\bvi\.(?:mock|doMock|spyOn|stubGlobal)\b/ },
  {
    what: 'a test that is skipped, alone or still to write',
    pattern: /\b(?:test|it|describe|suite)\b(?:\.\w+)*\.(?:skip|skipIf|runIf|only|todo|fails)\b/,
  },
  {
    what: 'a rule switched off without a reason',
    pattern:
      /(?:@ts-(?:ignore|nocheck)|@ts-expect-error\s*$|(?<!\/\/[^\n]*\n\s*)\/\/ (?:oxlint|eslint)-disable(?![^\n]*--))/m,
  },
  {
    what: 'zod as one name, which keeps all of it in the bundle',
    pattern: /^import (?!(?:type )?\* as z\b).* from 'zod(?:\/\w+)?'/m,
  },
  { what: 'a default export', pattern: /^export default\b/m },
  { what: 'an enum or namespace', pattern: /^\s*(?:export )?(?:const )?(?:enum|namespace) \w/m },
  {
    what: 'a place of a developer',
    pattern: /\/(?:home|Users)\/(?!ann\b|alice\b|bob\b|user\b|me\b|node\b|dev\b)[a-z][\w-]*\//i,
  },
];

function faultsOf(path: string, text: string): string[] {
  return FORBIDDEN.flatMap(({ what, pattern }) => {
    const found = pattern.exec(text);
    if (found === null) return [];
    return [`${path}:${text.slice(0, found.index).split('\n').length} ${what}`];
  });
}

test('sources, tests and scripts are free of words that hide something', async () => {
  const files = (await Promise.all(['src', 'test', 'scripts'].map(listSources))).flat();
  const own = files.filter((path) => path !== SELF && !path.startsWith('test/fixtures/'));
  const faults = await Promise.all(own.map(async (path) => faultsOf(path, await readSource(path))));
  expect(faults.flat()).toEqual([]);
  expect(own.filter((path) => path.startsWith('src/')).length).toBeGreaterThan(10);
  expect(own.filter((path) => path.endsWith('.test.ts')).length).toBeGreaterThan(5);
  expect(own.filter((path) => path.startsWith('scripts/')).length).toBeGreaterThan(2);
});

test.each([
  ['// TODO later', 'work left undone'],
  ["vi.mock('node:fs');", 'a mocked module'],
  ["test.skip('a', () => {});", 'a test that is skipped, alone or still to write'],
  ["describe.concurrent.only('a', () => {});", 'a test that is skipped, alone or still to write'],
  ["test.skipIf(root)('a', () => {});", 'a test that is skipped, alone or still to write'],
  ['// @ts-ignore', 'a rule switched off without a reason'],
  ['// oxlint-disable-next-line no-console', 'a rule switched off without a reason'],
  ["import { z } from 'zod';", 'zod as one name, which keeps all of it in the bundle'],
  ['export default 1;', 'a default export'],
  ['export enum A {}', 'an enum or namespace'],
])('would notice %s', (text, what) => {
  expect(faultsOf('a.ts', `\n${text}\n`)).toEqual([expect.stringContaining(what)]);
});

test.each([
  [
    'a reason after a disabled rule',
    '// oxlint-disable-next-line no-console -- the renderer is a console',
  ],
  ['a reason above it', '// Terminals obey it.\n// oxlint-disable-next-line no-console'],
  ['zod as it is meant', "import * as z from 'zod';\nimport type * as z from 'zod';"],
  ['a plain test', "test('only a plain test', () => {});"],
  ['words in prose', '// The person skips a task; todo is a tool.'],
])('accepts %s', (_case, text) => {
  expect(faultsOf('a.ts', text)).toEqual([]);
});
