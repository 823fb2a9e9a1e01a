import { expect, test } from 'vitest';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';
import { answering, TempProject } from '../support/temp-project.ts';

test('the whole path, from the documents that a person wrote to the summary', async () => {
  await using project = await sessionAt('complete');
  expect(await project.read('answer.txt')).toBe('42\n');
  expect(await project.json(`${FOLDER}/mode.json`)).toMatchObject({
    stage: 'complete',
    retries: 0,
  });
  expect(await project.json(`${FOLDER}/verify.json`)).toMatchObject({
    status: 'passed',
    checks: [{ id: 'check-1', command: 'sh check.sh', status: 'passed' }],
    criteria: [{ id: 'AC1', proof: 'checks' }],
    tasks: { write: 'completed' },
    nextAction: 'complete',
  });
  expect(await project.read(`${FOLDER}/summary.md`)).toContain(
    '- AC1 answer.txt says 42: `sh check.sh`',
  );
});

test('a bare numbered list is a plan', async () => {
  await using project = await sessionAt('intent');
  await project.write(`${FOLDER}/plan.md`, '1. make answer.txt say 42\n2. tell Ben\n');
  expect(await project.ccJson('ralplan', '--approve', '--session', ID)).toMatchObject({
    exitCode: 0,
    value: { approved: true, next: 'cc ralph' },
  });
  expect(await project.json(`${FOLDER}/tasks.json`)).toMatchObject({
    tasks: [
      { title: 'make answer.txt say 42', dependsOn: [], status: 'pending' },
      { title: 'tell Ben', dependsOn: ['make-answer-txt-say-42'], status: 'pending' },
    ],
  });
});

test('cc next goes from a goal to completion', async () => {
  await using project = await TempProject.createRepository({ 'a.txt': 'a\n' });
  project.io = { prompter: answering('say 42', '.', 'answer.txt says 42', true, true) };
  expect((await project.cc('next')).exitCode).toBe(0);
  expect((await project.cc('next')).exitCode).toBe(0);
  expect(await project.ccJson('status')).toMatchObject({ value: { stage: 'plan' } });
});
