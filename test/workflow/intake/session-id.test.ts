import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberOf } from '../../../src/kernel/base/ids.ts';
import { sessionIdSchema } from '../../../src/kernel/protocol/vocabulary.ts';
import { proposeSessionId } from '../../../src/workflow/intake/session-id.ts';

const DAY = new Date(2026, 10, 30, 12);

test.each([
  ['add a --json flag to the report command', '20261130-add-json-flag-report'],
  ['Add OAuth', '20261130-add-oauth'],
  ["Don't crash on an empty file", '20261130-dont-crash-empty'],
  ['Café menu: größer', '20261130-cafe-menu-gro-er'],
  ['给 report 命令加上 --json 选项', '20261130-report-json'],
  ['../../etc/passwd', '20261130-etc-passwd'],
  ['CON', '20261130-con'],
  ['do it to the', '20261130-do-it-to-the'],
  ['x'.repeat(100), `20261130-${'x'.repeat(40)}`],
  [
    'implement incremental synchronisation of all remote repositories',
    '20261130-implement-incremental-synchronisation',
  ],
  ['修复登录', '20261130-7344bd'],
  ['12', '20261130-6b51d4'],
])('%j becomes %s', (goal, id) => {
  expect(proposeSessionId(goal, DAY, [])).toBe(id);
});

test.each([
  [['20261130-add-oauth'], '20261130-add-oauth-2'],
  [['20261130-ADD-OAuth', '20261130-add-oauth-2'], '20261130-add-oauth-3'],
  [['20261130-add-oauth-2'], '20261130-add-oauth'],
])('with %j taken it is %s', (taken, id) => {
  expect(proposeSessionId('Add OAuth', DAY, taken)).toBe(id);
});

test('every text makes a safe id of its own length, and never that of a member', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('a.m1-main'));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 4 }), (goal, count) => {
      const taken: string[] = [];
      for (let at = 0; at < count; at++) taken.push(proposeSessionId(goal, DAY, taken));
      for (const id of taken) {
        expect(sessionIdSchema.safeParse(id).success).toBe(true);
        expect(id.length).toBeLessThanOrEqual(80);
        expect(memberOf(id)).toBeUndefined();
        expect(id).toMatch(/^20261130-[a-z0-9]/);
      }
      expect(new Set(taken.map((id) => id.toLowerCase())).size).toBe(count);
    }),
  );
});
