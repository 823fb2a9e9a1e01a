/** What a plan could never do is said before it is approved. */
import { expect, test } from 'vitest';
import { FOLDER, ID, literalFile, planOf, sessionAt } from '../../support/sessions.ts';

const NAMED = ['--session', ID];
const PACKAGE = {
  'package.json': '{"scripts":{"test":"echo \\"no test specified\\" && exit 1"}}\n',
};

const step = (...lines: readonly string[]) => planOf([{ title: 'Write', lines }]);
const diffOf = (path: string) => [
  '',
  '```diff apply',
  `--- a/${path}`,
  `+++ b/${path}`,
  '@@ -1 +1 @@',
  '-no',
  '+42',
  '```',
];

test.each<[string, string, RegExp]>([
  [
    'a file outside of the scope',
    step('- scope: `test`', ...literalFile('src/x.js', 'x')),
    /plan\.md:13: This will be refused: src\/x\.js is outside of the step's scope \(test\)/,
  ],
  [
    'a patch outside of the scope',
    step('- scope: `test`', ...diffOf('answer.txt')),
    /plan\.md:13: This will be refused: answer\.txt is outside/,
  ],
  [
    'a protected file',
    step(...literalFile('sub/.bashrc', 'x')),
    /plan\.md:12: This will be refused: sub\/\.bashrc is protected/,
  ],
  [
    'a check that cannot fail',
    planOf([{ title: 'One' }], ['- `true`']),
    /plan\.md:14: `true` proves nothing/,
  ],
  [
    'a check whose status is swallowed',
    planOf([{ title: 'One' }], ['- `npm test || true`']),
    /`npm test \|\| true` proves nothing: `\|\| true` swallows/,
  ],
  [
    'a placeholder',
    planOf([{ title: 'One' }], ['- `npm test`']),
    /`npm test` proves nothing: .*placeholder/,
  ],
  [
    "a criterion's check that cannot fail",
    planOf([{ title: 'One' }], ['- `sh check.sh`', '- AC1: `true`']),
    /`true` proves nothing/,
  ],
  [
    "a step's own check that cannot fail",
    step('- verify: `exit 0`'),
    /plan\.md:11: `exit 0` proves nothing/,
  ],
])('%s', async (_title, plan, warning) => {
  await using project = await sessionAt('plan', { plan, files: PACKAGE });
  expect((await project.cc('ralplan', ...NAMED)).stdout).toMatch(warning);
  const { stdout, stderr } = await project.cc('ralplan', '--approve');
  expect(`${stdout}${stderr}`).toMatch(warning);
  const { value } = await project.ccJson('ralplan', ...NAMED);
  expect(value['findings']).toContainEqual(
    expect.objectContaining({ level: 'warning', message: expect.any(String) }),
  );
});

test('what follows from the scope is allowed, and an honest check is no finding', async () => {
  const plan = planOf([
    { title: 'Add', lines: ['- scope: `package.json`', ...literalFile('package-lock.json', '{}')] },
  ]);
  await using project = await sessionAt('plan', { plan, files: { 'package.json': '{}\n' } });
  const { stdout } = await project.cc('ralplan', ...NAMED);
  expect(stdout).not.toMatch(/refused|proves nothing/);
  expect(await project.read(`${FOLDER}/plan.md`)).toBe(plan);
});
