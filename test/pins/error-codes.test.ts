import { expect, test } from 'vitest';
import { CcError, ERROR_CODES } from '../../src/kernel/base/errors.ts';
import { ERROR_CODES as ON_THE_WIRE } from '../../src/kernel/protocol/error-codes.ts';
import { RUN_ENDINGS } from '../../src/kernel/protocol/vocabulary.ts';

test('every code, its exit status and whether trying again may help', () => {
  const table = Object.entries(ERROR_CODES).map(
    ([code, { exit, retryable }]) => `${code} ${exit}${retryable ? ' retryable' : ''}`,
  );
  expect(table).toEqual([
    'RUNTIME_INTERNAL_ERROR 1',
    'SESSION_PERSISTENCE_FAILED 1 retryable',
    'TOOL_EXECUTION_FAILED 1 retryable',
    'TOOL_NOT_REGISTERED 1',
    'CHECK_MUTATES_TREE 1',
    'WORKTREE_NOT_ISOLATED 1',
    'FENCED 1',
    'CONTEXT_COMPACTION_FAILED 1 retryable',
    'HOOK_VETOED 2',
    'HOOK_FAILED 2',
    'PROVIDER_UNREACHABLE 5 retryable',
    'PROVIDER_AUTH 5',
    'PROVIDER_RATE_LIMITED 5 retryable',
    'PROVIDER_OVERLOADED 5 retryable',
    'PROVIDER_CONTEXT_EXCEEDED 5',
    'PROVIDER_PROTOCOL 5 retryable',
    'MCP_SERVER_UNAVAILABLE 5 retryable',
    'REQUEST_INVALID 6',
    'SESSION_ID_INVALID 6',
    'SESSION_NOT_FOUND 6',
    'CONFIG_INVALID 6',
    'INVALID_DEPENDENCY 6',
    'DUPLICATE_NODE 6',
    'INTENT_REQUIRED 7',
    'PLAN_REQUIRED 7',
    'PLAN_INVALID 7',
    'PLAN_APPROVAL_REQUIRED 7',
    'PLAN_CHANGED_SINCE_APPROVAL 7',
    'PLAN_REJECTED 7',
    'APPROVAL_NOT_YOURS 7',
    'VERIFICATION_REQUIRED 7',
    'VERIFICATION_STALE 7',
    'RETRIES_EXHAUSTED 7',
    'STAGE_MISMATCH 7',
    'REVIEW_BLOCKING 7',
    'PERSON_REQUIRED 7',
    'TRUST_REQUIRED 7',
    'HOOKS_UNTRUSTED 7',
    'SESSION_DAMAGED 7',
    'PATH_OUTSIDE_WORKSPACE 7',
    'TOOL_PERMISSION_DENIED 7',
    'INPUT_REQUIRED 8',
    'BLOCKED_ON_HUMAN 8',
    'SESSION_BUSY 9 retryable',
    'REQUEST_CANCELLED 130 retryable',
  ]);
  expect(ON_THE_WIRE).toBe(ERROR_CODES);
});

test('endings of a run and their exit statuses', () => {
  expect(Object.entries(RUN_ENDINGS)).toEqual([
    ['done', 0],
    ['failed', 1],
    ['limit', 3],
    ['budget', 4],
    ['blocked-on-human', 8],
    ['stalled', 10],
    ['cancelled', 130],
  ]);
});

test('what leaves the process of an error, and what stays', () => {
  const error = new CcError('SESSION_BUSY', 'Somebody writes', {
    hint: 'cc status',
    details: { pid: 7 },
    cause: new Error('secret path'),
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'SESSION_BUSY',
    message: 'Somebody writes',
    hint: 'cc status',
    details: { pid: 7 },
    retryable: true,
  });
});

test.each([
  ['an error of ours', new CcError('PLAN_INVALID', 'x'), 'PLAN_INVALID'],
  ['a cancellation', new DOMException('stop', 'AbortError'), 'REQUEST_CANCELLED'],
  ['a defect', new TypeError('x is not a function'), 'RUNTIME_INTERNAL_ERROR'],
  ['something that is no error', 'text', 'RUNTIME_INTERNAL_ERROR'],
])('%s gets its code', (_title, thrown, code) => {
  expect(CcError.from(thrown).code).toBe(code);
});
