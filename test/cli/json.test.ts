import { expect, test } from 'vitest';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const HASH = /^p1:[0-9a-f]{64}$/;

test('an approval tells the hash of what was approved', async () => {
  await using project = await sessionAt('plan');
  expect((await project.ccJson('ralplan', '--approve', '--session', ID)).value).toMatchObject({
    approved: true,
    planHash: expect.stringMatching(HASH),
  });
});

test.each([
  ['that nobody can be asked about', [], 'INPUT_REQUIRED'],
  ['of another plan', ['--hash', 'p1:0', '--session', ID], 'PLAN_CHANGED_SINCE_APPROVAL'],
])('an approval %s tells the hash of what there is', async (_case, more, code) => {
  await using project = await sessionAt('plan');
  expect((await project.ccJson('ralplan', '--approve', ...more)).value).toMatchObject({
    error: { code, details: { planHash: expect.stringMatching(HASH) } },
  });
});

test('files of an interview are in its session, those of the project are apart', async () => {
  await using project = await TempProject.createRepository({ 'a.txt': 'a\n' });
  const { value } = await project.ccJson('deep-interview', 'say 42', '--session', ID);
  expect(value).toMatchObject({
    files: ['intent.md', 'mode.json'],
    projectFiles: ['.chainlesschain/.gitignore', '.chainlesschain/.gitattributes'],
  });
  for (const name of value['files'] as string[]) await project.read(`${FOLDER}/${name}`);
});

test('answers on standard input may have the names of the questions', async () => {
  await using project = await sessionAt('intent');
  project.io = {
    readInput: async () => '{"criterion": "it is short", "non-goals": ["speed"]}',
  };
  const { exitCode } = await project.ccJson('deep-interview', '--stdin', '--session', ID);
  expect(exitCode).toBeLessThan(9);
  const intent = await project.read(`${FOLDER}/intent.md`);
  expect(intent).toContain('it is short');
  expect(intent).toContain('speed');
});
