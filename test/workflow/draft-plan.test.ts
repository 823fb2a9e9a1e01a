import { expect, test } from 'vitest';
import { FOLDER, ID, literalFile, planOf, sessionAt } from '../support/sessions.ts';

const NAMED = ['--session', ID];
const PLAN = planOf([
  { title: 'One', lines: ['- id: one', '- criteria: AC1', ...literalFile('answer.txt', '42')] },
  { title: 'Two', lines: ['- id: two'] },
]);

const MOMENTS: Readonly<Record<string, (plan: string) => string>> = {
  'without steps': (plan) => plan.slice(0, plan.indexOf('## Steps')),
  'with an id that is not there': (plan) => plan.replace('- id: two', '- id: two\n   - after: ten'),
  empty: () => '',
  'without the step': (plan) => plan.replace(/1\. One[^]*(?=2\. Two)/, ''),
  'with another text of the step': (plan) => plan.replace('   42', '   43'),
};

test.each(Object.keys(MOMENTS))(
  'a plan that is for a moment %s takes no completed step with it',
  async (how) => {
    await using project = await sessionAt('approved', { plan: PLAN });
    expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(8);
    const plan = await project.read(`${FOLDER}/plan.md`);
    const states = async () => {
      const { tasks } = (await project.json(`${FOLDER}/tasks.json`)) as {
        tasks: readonly { id: string; status: string }[];
      };
      return tasks.map(({ id, status }) => `${id} ${status}`);
    };
    expect(await states()).toEqual(['one completed', 'two running']);

    const broken = MOMENTS[how]?.(plan) ?? plan;
    expect(broken).not.toBe(plan);
    await project.write(`${FOLDER}/plan.md`, broken);
    await project.cc('ralplan', ...NAMED);
    await project.write(`${FOLDER}/plan.md`, plan);
    await project.cc('ralplan', ...NAMED);

    expect(await states()).toEqual(['one completed', 'two running']);
    expect(await project.json(`${FOLDER}/tasks.json`)).not.toHaveProperty('aside');
    expect((await project.ccJson('status', ...NAMED)).value).toMatchObject({
      plan: { state: 'approved' },
    });
    await project.write('answer.txt', 'by hand\n');
    await project.cc('ralph', ...NAMED);
    expect(await project.read('answer.txt')).toBe('by hand\n');
  },
);
