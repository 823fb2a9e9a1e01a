import { describe, expect, test } from 'vitest';
import { FOLDER, ID, planOf, sessionAt } from '../../support/sessions.ts';

const NAMED = ['--session', ID];
const PLAN_FILE = `${FOLDER}/plan.md`;
const OPEN = [
  '# Intent',
  '',
  '## Goal',
  '',
  'Say 42',
  '',
  '## Open Questions',
  '',
  '- scope: Which files or folders may be changed? →',
  '- criterion: How will you see that it is done? →',
  '- Who owns this?',
  '',
].join('\n');
const WITH_CHECK = { 'package.json': '{"scripts":{"test":"sh check.sh"}}\n' };

describe('words behind ralplan', () => {
  test.each<[readonly string[], string, string]>([
    [['keep it small'], 'STAGE_MISMATCH', `cc ralplan --revise 'keep it small' --session s1`],
    [['keep', 'it', 'small'], 'STAGE_MISMATCH', `cc ralplan --revise 'keep it small' --session s1`],
    [['revise', 'the', 'API'], 'STAGE_MISMATCH', `cc ralplan --revise 'the API' --session s1`],
    [['step', 'Tell Ben'], 'STAGE_MISMATCH', `cc ralplan --step 'Tell Ben' --session s1`],
    [['approve'], 'REQUEST_INVALID', 'cc ralplan --approve'],
    [['Reject'], 'REQUEST_INVALID', 'cc ralplan --reject'],
    [['revise'], 'REQUEST_INVALID', 'cc ralplan --revise'],
    [['edit'], 'REQUEST_INVALID', 'cc ralplan --edit'],
    [['diff'], 'REQUEST_INVALID', 'cc ralplan --diff'],
    [['step'], 'REQUEST_INVALID', 'cc ralplan --help'],
    [['--reject', 'too wide'], 'REQUEST_INVALID', `cc ralplan --reject --reason 'too wide'`],
    [['--step', 'Tell', 'Ben'], 'REQUEST_INVALID', `cc ralplan --step 'Tell Ben'`],
    [['--approve', 'now'], 'REQUEST_INVALID', 'cc ralplan --approve'],
    [['--edit', 'now'], 'REQUEST_INVALID', 'cc ralplan --edit'],
    [['--diff', 'now'], 'REQUEST_INVALID', 'cc ralplan --diff'],
    [['<direction>'], 'REQUEST_INVALID', 'cc ralplan --help'],
    [['--step', '…'], 'REQUEST_INVALID', 'cc ralplan --help'],
  ])('%j on a plan that is there changes nothing', async (words, code, hint) => {
    await using project = await sessionAt('approved');
    const before = await project.snapshot();
    const { exitCode, value } = await project.ccJson('ralplan', ...words, ...NAMED);
    expect(value).toMatchObject({ error: { code } });
    const { error } = value as { error: { hint: string } };
    expect(error.hint.replace(/ --session s1$/, '')).toBe(hint.replace(/ --session s1$/, ''));
    expect(exitCode).toBe(code === 'STAGE_MISMATCH' ? 7 : 6);
    expect(await project.snapshot()).toEqual(before);
  });

  test('the option that was meant is named', async () => {
    await using project = await sessionAt('approved');
    const { stderr } = await project.cc('ralplan', 'approve', ...NAMED);
    expect(stderr).toContain('"approve" is an option: write --approve');
  });

  test('stand under the title of a first draft, and name no title', async () => {
    await using project = await sessionAt('intent');
    expect((await project.cc('ralplan', 'keep it small', ...NAMED)).exitCode).toBe(0);
    const plan = await project.read(PLAN_FILE);
    expect(plan).toContain('# Plan: Say 42\n\nDirection: keep it small\n\n## Steps\n');
    expect((await project.cc('ralplan', ...NAMED)).exitCode).toBe(0);
    expect(await project.read(PLAN_FILE)).toBe(plan);
  });

  test('with --revise draft anew, and the old plan is kept', async () => {
    await using project = await sessionAt('plan', { plan: planOf([{ title: 'Mine' }]) });
    const old = await project.read(PLAN_FILE);
    const run = await project.ccJson('ralplan', '--revise', 'keep it small', ...NAMED);
    expect(run.exitCode).toBe(0);
    expect(await project.read(PLAN_FILE)).toContain('\nDirection: keep it small\n');
    const [copy] = run.value['copies'] as string[];
    expect(await project.read(`${FOLDER}/${copy}`)).toBe(old);
  });
});

describe('a plan without the section Verification', () => {
  const BARE = '1. make answer.txt say 42\n2. tell Ben\n';
  const ADDED = `${BARE}\n## Verification\n\n- \`npm test\`\n`;
  const NOTE = 'added to plan.md: ## Verification with npm test';

  test('gets the checks of the project when it is read', async () => {
    await using project = await sessionAt('plan', { plan: BARE, files: WITH_CHECK });
    const { stdout } = await project.cc('ralplan', ...NAMED);
    expect(stdout).toContain(`\n${NOTE}\n`);
    expect(stdout).not.toContain('no check');
    expect(stdout).not.toContain('kept ');
    expect(await project.read(PLAN_FILE)).toBe(ADDED);
    expect((await project.cc('ralplan', ...NAMED)).stdout).not.toContain(NOTE);
  });

  test('gets them before it is approved: what is shown is what is hashed', async () => {
    await using project = await sessionAt('plan', { plan: BARE, files: WITH_CHECK });
    const { exitCode, stdout, stderr } = await project.cc('ralplan', '--approve', ...NAMED);
    expect(exitCode).toBe(0);
    expect(stdout + stderr).toContain(NOTE);
    expect(stdout + stderr).toContain("checks    the plan's checks");
    expect((await project.read(PLAN_FILE)).endsWith(ADDED)).toBe(true);
    expect(await project.ccJson('status', ...NAMED)).toMatchObject({
      value: { plan: { state: 'approved' } },
    });
  });

  test('stays as it is when the approval is refused', async () => {
    await using project = await sessionAt('plan', { plan: BARE, files: WITH_CHECK });
    const before = await project.snapshot();
    expect((await project.cc('ralplan', '--approve', '--hash', 'p1:0', ...NAMED)).exitCode).toBe(7);
    expect(await project.snapshot()).toEqual(before);
  });

  test.each<[string, string]>([
    ['an empty section', `${BARE}\n## Verification\n`],
    ['an empty section in Chinese', `${BARE}\n## 验证\n\n_(none)_\n`],
    ['checks of its own at every step', '1. a\n   - verify: `sh check.sh`\n'],
  ])('%s is left alone', async (_title, plan) => {
    await using project = await sessionAt('plan', { plan, files: WITH_CHECK });
    expect((await project.cc('ralplan', ...NAMED)).exitCode).toBe(0);
    expect(await project.read(PLAN_FILE)).toBe(plan);
  });

  test('stands in front of the risks', async () => {
    const plan = `${BARE}\n## Risks\n\n- none known\n`;
    await using project = await sessionAt('plan', { plan, files: WITH_CHECK });
    await project.cc('ralplan', ...NAMED);
    expect(await project.read(PLAN_FILE)).toBe(
      `${BARE}\n## Verification\n\n- \`npm test\`\n\n## Risks\n\n- none known\n`,
    );
  });

  test('is left alone once somebody approved it', async () => {
    await using project = await sessionAt('plan', { plan: BARE });
    await project.cc('ralplan', '--approve', ...NAMED);
    await project.write('package.json', WITH_CHECK['package.json']);
    const plan = await project.read(PLAN_FILE);
    expect((await project.cc('ralplan', ...NAMED)).exitCode).toBe(0);
    expect(await project.read(PLAN_FILE)).toBe(plan);
  });
});

test('open questions are said on the screens of draft and approval', async () => {
  await using project = await sessionAt('intent', { intent: OPEN });
  const warning = '2 questions are open in intent.md: scope, criterion';
  expect((await project.cc('ralplan', ...NAMED)).stdout).toContain(`  ! ${warning}\n`);
  const { stdout, stderr } = await project.cc('ralplan', '--approve', ...NAMED);
  expect(stdout + stderr).toContain(`Warnings:\n  ${warning}\n`);
});

test('a scope in the intent that is no path is refused by name, and nothing wider is drafted', async () => {
  const intent = OPEN.replace('## Open Questions', '## Constraints\n\n- Scope: /etc\n\n## Notes');
  await using project = await sessionAt('intent', { intent });
  expect((await project.cc('ralplan', ...NAMED)).stdout).toContain(
    "The scope '/etc' is not relative to the project; it names nothing",
  );
  expect(await project.ccJson('ralplan', '--approve', ...NAMED)).toMatchObject({
    value: { error: { code: 'PLAN_INVALID' } },
  });
});

test.each([
  ['src test', '`src`, `test`'],
  ['src and test', '`src`, `test`'],
  ['the parser', '`the`, `parser`'],
])('the scope "%s" of the intent is drafted as %s', async (scope, drafted) => {
  const intent = OPEN.replace(
    '## Open Questions',
    `## Constraints\n\n- Scope: ${scope}\n\n## Notes`,
  );
  await using project = await sessionAt('intent', { intent });
  await project.cc('ralplan', ...NAMED);
  expect(await project.read(PLAN_FILE)).toContain(`   - scope: ${drafted}\n`);
});

describe('a hand edit of the plan', () => {
  const TWO = planOf([{ title: 'One' }, { title: 'Two' }]);
  const ONE = planOf([{ title: 'One' }]);

  test('that takes a step out keeps no copy of what cc wrote itself', async () => {
    await using project = await sessionAt('plan', { plan: TWO });
    await project.cc('ralplan', ...NAMED);
    await project.write(PLAN_FILE, ONE);
    expect((await project.cc('ralplan', ...NAMED)).stdout).not.toContain('kept ');
  });

  test('keeps a copy where a key of the person would be lost', async () => {
    await using project = await sessionAt('plan', { plan: TWO });
    await project.cc('ralplan', ...NAMED);
    const tasks = await project.read(`${FOLDER}/tasks.json`);
    await project.write(
      `${FOLDER}/tasks.json`,
      tasks.replace('"id": "two",', '"id": "two", "ticket": 7,'),
    );
    await project.write(PLAN_FILE, ONE);
    expect((await project.cc('ralplan', ...NAMED)).stdout).toContain('kept artifacts/tasks.json.');
  });
});
