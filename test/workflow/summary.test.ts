import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, PLAN, type Prepared, sessionAt } from '../support/sessions.ts';

const NAMED = ['--session', ID];

/** The summary that `complete` writes, from its second section to that of the checks. */
async function proofs(prepared: Prepared, ...accept: readonly string[]): Promise<string> {
  await using project = await sessionAt('executed', prepared);
  await project.cc('verify', ...accept, ...NAMED);
  expect((await project.cc('complete', ...NAMED)).exitCode).toBe(0);
  const text = await project.read(`${FOLDER}/summary.md`);
  return /## Not Proven\n\n([^]*)\n## Checks/.exec(text)?.[1] ?? '';
}

test('a criterion that checks prove names their commands', async () => {
  expect(await proofs({})).toBe(
    '_(every criterion is proven)_\n\n## Proven\n\n- AC1 answer.txt says 42: `sh check.sh`\n',
  );
});

test('a criterion with a check of its own, and one without', async () => {
  const intent = INTENT.replace('says 42\n', 'says 42\n- AC2: it is short\n');
  const plan = PLAN.replace('- `sh check.sh`', '- `sh check.sh`\n- AC2: `test -s answer.txt`');
  expect(await proofs({ intent, plan })).toContain(
    '- AC1 answer.txt says 42: `sh check.sh`\n- AC2 it is short: `test -s answer.txt`\n',
  );
});

test('without criteria nothing is called proven', async () => {
  const intent = INTENT.replace(
    /## Acceptance Criteria[^]*/,
    '## Open Questions\n\n- Which one?\n',
  );
  const plan = PLAN.replace('   - criteria: AC1\n', '');
  expect(await proofs({ intent, plan })).toBe(
    '_(no criteria were given; only the checks below speak for this change)_\n',
  );
});

test('where all that is left was waived, nothing is proven', async () => {
  const plan = PLAN.replace('- `sh check.sh`', '- `sh check.sh`\n- AC1: waived: no time');
  expect(await proofs({ plan })).toBe(
    '- AC1 answer.txt says 42: waived: no time\n\n## Proven\n\n_(nothing)_\n',
  );
});

test("a person's word stands with its reason", async () => {
  const plan = PLAN.replace('- `sh check.sh`', '- `sh check.sh`\n- AC1: review');
  expect(await proofs({ plan }, '--accept', 'AC1', '--reason', 'read it')).toContain(
    '- AC1 answer.txt says 42: reviewed by Ann (command line): read it\n',
  );
});
