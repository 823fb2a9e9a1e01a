import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';

const read = (...lines: readonly string[]) => {
  const { checks, proofs, findings } = parsePlan(
    `1. a\n   - scope: x\n   - verify: \`y\`\n\n## Verification\n\n${lines.join('\n')}\n`,
  );
  return {
    checks,
    proofs,
    faults: findings.map(({ level, rule, line }) => `${level} ${rule} ${line}`),
  };
};
const command = (text: string, onlyInCi = false, line = 7) => ({ command: text, onlyInCi, line });

test.each([
  ['- `npm test`', [command('npm test')]],
  ['* `npm test`', [command('npm test')]],
  ['1. `npm test`', [command('npm test')]],
  ['- [ ] `npm test`', [command('npm test')]],
  ['- Run `npm test`', [command('npm test')]],
  ['- 运行 `npm test`', [command('npm test')]],
  ['- `npm test` passes', [command('npm test')]],
  ['- `a`, `b` and `c`', [command('a'), command('b'), command('c')]],
  ['- `npm test` (ci)', [command('npm test', true)]],
  ['- `npm test`（CI）', [command('npm test', true)]],
  ['- `a` (ci), `b`', [command('a', true), command('b')]],
  ['- ``echo `x` ``', [command('echo `x`')]],
  ['- `a  b\\` c', [command('a  b\\')]],
  ['- `npm test` <!-- slow -->', [command('npm test')]],
])('the check %s', (line, checks) => {
  expect(read(line)).toEqual({ checks, proofs: [], faults: [] });
});

test.each([
  ['- AC1: `npm test`', [{ kind: 'command', criterion: 'AC1', command: command('npm test') }]],
  ['- **AC1**: `a` (ci)', [{ kind: 'command', criterion: 'AC1', command: command('a', true) }]],
  ['- ac-1：review', [{ kind: 'review', criterion: 'AC1', line: 7 }]],
  ['- AC1: Review', [{ kind: 'review', criterion: 'AC1', line: 7 }]],
  [
    '- AC1, AC2: review',
    [
      { kind: 'review', criterion: 'AC1', line: 7 },
      { kind: 'review', criterion: 'AC2', line: 7 },
    ],
  ],
  [
    '- AC3: waived: no time: really',
    [{ kind: 'waived', criterion: 'AC3', reason: 'no time: really', line: 7 }],
  ],
  ['- AC3: waived — by Ann', [{ kind: 'waived', criterion: 'AC3', reason: 'by Ann', line: 7 }]],
  [
    '- AC1:\n  - `a`\n  - `b`',
    [
      { kind: 'command', criterion: 'AC1', command: command('a', false, 8) },
      { kind: 'command', criterion: 'AC1', command: command('b', false, 9) },
    ],
  ],
])('the proof %s', (line, proofs) => {
  expect(read(line)).toEqual({ checks: [], proofs, faults: [] });
});

test.each([
  ['- AC3: waived', 'error waiver-without-reason 7'],
  ['- AC3: waived:', 'error waiver-without-reason 7'],
  ['- npm test', 'warning not-a-command 7'],
  ['- ./run.sh', 'warning not-a-command 7'],
  ['- pytest', 'warning not-a-command 7'],
  ['- See that `report.json` exists', 'warning not-a-command 7'],
  ['- AC1: npm test', 'warning not-a-command 7'],
  ['`npm test`', 'warning not-a-command 7'],
  ['npm test', 'warning not-a-command 7'],
  ['```sh\nnpm test\n```', 'warning not-a-command 7'],
])('%s: %s', (line, fault) => {
  expect(read(line)).toEqual({ checks: [], proofs: [], faults: [fault] });
});

test.each([['- Look at the page'], ['- makeup is fine'], ['Everything works.'], ['_(none)_']])(
  '%s is prose',
  (line) => {
    expect(read(line)).toEqual({ checks: [], proofs: [], faults: [] });
  },
);

test.each([['## Verify:'], ['### 验证'], ['Verification\n---']])('under %s', (heading) => {
  expect(parsePlan(`1. a\n\n${heading}\n\n- \`t\`\n`).checks).toMatchObject([{ command: 't' }]);
});
