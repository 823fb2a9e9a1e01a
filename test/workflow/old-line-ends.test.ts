import { expect, test } from 'vitest';
import { FOLDER, ID, PLAN, sessionAt } from '../support/sessions.ts';

test('a plan with the line ends of old Macs keeps its steps when it is repaired', async () => {
  await using project = await sessionAt('intent');
  await project.write(`${FOLDER}/plan.md`, PLAN.replaceAll('\n', '\r'));
  const refused = await project.ccJson('ralplan', '--session', ID);
  expect(refused).toMatchObject({ exitCode: 7, value: { error: { code: 'SESSION_DAMAGED' } } });
  expect((await project.cc('repair', '--session', ID)).exitCode).toBe(0);
  expect(await project.read(`${FOLDER}/plan.md`)).toBe(PLAN);
  expect((await project.cc('ralplan', '--approve', '--session', ID)).exitCode).toBe(0);
  expect((await project.cc('ralph', '--session', ID)).exitCode).toBe(0);
});
