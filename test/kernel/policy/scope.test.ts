import { expect, test } from 'vitest';
import { implicitScope, isInScope } from '../../../src/kernel/policy/scope.ts';

test.each<[boolean, string, readonly string[]]>([
  [true, 'any/thing.ts', []],
  [true, 'any/.hidden', ['.']],
  [true, 'any/thing.ts', ['./']],
  [true, 'src/cli/a.ts', ['src/cli']],
  [true, 'src/cli/deep/.env', ['src/cli/']],
  [true, 'src/cli/a.ts', ['./src/cli']],
  [true, 'src/cli', ['src/cli']],
  [false, 'src/client/a.ts', ['src/cli']],
  [false, 'src/a.ts', ['src/cli']],
  [false, 'SRC/cli/a.ts', ['src/cli']],
  [true, 'src/a.ts', ['src/*.ts']],
  [false, 'src/deep/a.ts', ['src/*.ts']],
  [false, 'src/deep/a.ts', ['src/*']],
  [true, 'src/deep/a.ts', ['src/**']],
  [true, 'src/.hidden/a.ts', ['src/**/*.ts']],
  [true, 'packages/x/src/a.ts', ['packages/*/src/']],
  [true, 'a.md', ['*.{md,txt}']],
  [true, 'app/[id]/(group)/page.tsx', ['app/[id]']],
  [true, 'b.ts', ['a.ts', 'b.ts']],
  [false, 'c.ts', ['a.ts', 'b.ts']],
  [false, 'src/secret/a.ts', ['src', '!src/secret']],
  [true, 'src/open/a.ts', ['src', '!src/secret']],
  [false, 'src/secret.ts', ['!src/secret.ts']],
  [true, 'src/open.ts', ['!src/secret.ts']],
  [false, 'anything', ['../']],
  [false, 'anything', ['/etc']],
])('%s: %s in %j', (expected, path, scope) => {
  expect(isInScope(path, scope)).toBe(expected);
});

const FILES = [
  'package.json',
  'package-lock.json',
  'packages/a/package.json',
  'packages/a/src/x.test.ts',
  'packages/a/src/__tests__/y.ts',
  'py/pyproject.toml',
  'py/uv.lock',
  'py/tests/test_z.py',
  'rust/Cargo.toml',
  'net/App.csproj',
];

test.each<[string, readonly string[], readonly string[]]>([
  ['the whole project implies nothing more', [], []],
  ['a manifest: the lockfile that is there', ['package.json'], ['package-lock.json']],
  [
    "a member's manifest: the lockfile above it",
    ['packages/a/package.json'],
    ['package-lock.json'],
  ],
  ['a scope that covers both', ['py'], []],
  ['a Python manifest', ['py/pyproject.toml'], ['py/uv.lock']],
  ['no lockfile yet', ['rust/Cargo.toml'], ['rust/Cargo.lock']],
  ['a project file of .NET', ['net/*.csproj'], ['net/packages.lock.json']],
  ['a test in Python', ['py/tests/test_z.py'], ['py/tests/__snapshots__']],
  ['a test by its suffix', ['packages/a/src/x.test.ts'], ['packages/a/src/__snapshots__']],
  ['a test by its folder', ['**/__tests__/*.ts'], ['packages/a/src/__tests__/__snapshots__']],
  ['a test that is still to be made', ['lib/new.spec.ts'], ['lib/__snapshots__']],
  ['a manifest that is still to be made', ['go/go.mod'], ['go/go.sum']],
  ['a source file', ['packages/a/src/x.ts'], []],
])('%s', (_title, scope, implied) => {
  expect(implicitScope(scope, FILES)).toEqual(implied);
});

test('every lockfile that a new package.json may get', () => {
  expect(implicitScope(['web/package.json'], [])).toEqual([
    'web/bun.lock',
    'web/bun.lockb',
    'web/npm-shrinkwrap.json',
    'web/package-lock.json',
    'web/pnpm-lock.yaml',
    'web/yarn.lock',
  ]);
});

test('what was taken out of the scope stays out', () => {
  expect(implicitScope(['package.json', '!package-lock.json'], FILES)).toEqual([]);
});
