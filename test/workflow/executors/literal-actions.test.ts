import { expect, test } from 'vitest';
import type { LiteralAction } from '../../../src/workflow/documents/plan-model.ts';
import { targetsOf, toolCallsFor } from '../../../src/workflow/executors/literal-actions.ts';

const AROUND = { files: new Map<string, Uint8Array>(), cwd: undefined, timeoutMs: undefined };
const script: LiteralAction = { kind: 'run', script: 'make\n', line: 3 };
const file: LiteralAction = { kind: 'file', path: 'a', content: 'x\n', line: 3 };
const patch = '--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n';
const diff: LiteralAction = { kind: 'diff', patch, line: 3 };

test.each([
  [undefined, 600_000],
  [90_000, 90_000],
  [1_800_000, 600_000],
  [5, 1_000],
])('a step with %s ms gives its script %i', (timeoutMs, expected) => {
  expect(toolCallsFor(script, { ...AROUND, timeoutMs, cwd: 'sub' })).toEqual({
    ok: true,
    calls: [
      {
        toolName: 'run_shell',
        arguments: { command: 'make\n', cwd: 'sub', timeoutMs: expected },
      },
    ],
  });
});

test('the files that an action names', () => {
  expect(targetsOf(file)).toEqual({ ok: true, paths: ['a'] });
  expect(targetsOf(diff)).toEqual({ ok: true, paths: ['a', 'b'] });
  expect(targetsOf(script)).toEqual({ ok: true, paths: [] });
  expect(targetsOf({ ...diff, patch: 'x' })).toEqual({
    ok: false,
    code: 'REQUEST_INVALID',
    message: 'Line 3: It changes no file',
  });
});

test('deletions come last', () => {
  const files = new Map([
    ['a', Buffer.from('x\n')],
    ['b', Buffer.from('x\r\n')],
  ]);
  expect(toolCallsFor(diff, { ...AROUND, files })).toEqual({
    ok: true,
    calls: [
      { toolName: 'write_file', arguments: { path: 'b', content: 'y\r\n' } },
      { toolName: 'delete_file', arguments: { path: 'a' } },
    ],
  });
});

test('a file that is not there is written as it stands', () => {
  expect(toolCallsFor(file, AROUND)).toEqual({
    ok: true,
    calls: [{ toolName: 'write_file', arguments: { path: 'a', content: 'x\n' } }],
  });
});
