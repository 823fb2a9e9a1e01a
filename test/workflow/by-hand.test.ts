/** Steps that are the person's: shown one by one, checked one by one. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, literalFile, planOf, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const PASSES = ['- `test -f check.sh`'];

const titled = (...titles: readonly string[]) =>
  planOf(
    titles.map((title) => ({ title })),
    PASSES,
  );

async function statuses(project: TempProject): Promise<readonly unknown[]> {
  const { tasks } = await project.json(`${FOLDER}/tasks.json`);
  return (tasks as readonly { status: string }[]).map(({ status }) => status);
}

const ralph = (project: TempProject, ...more: readonly string[]) =>
  project.ccJson('ralph', ...more, ...NAMED);

test('--done is about the one step that was shown; the next one is shown in its turn', async () => {
  await using project = await sessionAt('approved', { plan: titled('One', 'Two', 'Three') });
  expect((await ralph(project)).value).toMatchObject({ stop: { title: 'One' } });
  expect(await ralph(project, '--done')).toMatchObject({
    exitCode: 8,
    value: { completed: ['One'], doneTasks: 1, openTasks: 2, stop: { title: 'Two' } },
  });
  expect(await statuses(project)).toEqual(['completed', 'running', 'pending']);
  await ralph(project, '--done');
  expect(await ralph(project, '--done')).toMatchObject({ exitCode: 0, value: { openTasks: 0 } });
});

test('--done covers the first step that is ready when none was shown', async () => {
  await using project = await sessionAt('approved', { plan: titled('One', 'Two') });
  expect(await ralph(project, '--done')).toMatchObject({
    exitCode: 8,
    value: { completed: ['One'], stop: { title: 'Two' } },
  });
});

test('--done covers the step that was shown by name, and no earlier one', async () => {
  const plan = planOf(
    ['One', 'Two'].map((title) => ({ title, lines: ['- after: none'] })),
    PASSES,
  );
  await using project = await sessionAt('approved', { plan });
  const shown = await ralph(project, '--task', 'two');
  expect(shown.value).toMatchObject({ next: 'cc ralph --task two', stop: { title: 'Two' } });
  expect(await ralph(project, '--done')).toMatchObject({
    exitCode: 8,
    value: { completed: ['Two'], stop: { title: 'One' } },
  });
});

test('--done with a name covers that step alone', async () => {
  const plan = planOf(
    ['One', 'Two'].map((title) => ({ title, lines: ['- after: none'] })),
    PASSES,
  );
  await using project = await sessionAt('approved', { plan });
  expect(await ralph(project, '--task', 'two', '--done')).toMatchObject({
    exitCode: 0,
    value: { completed: ['Two'], openTasks: 1 },
  });
  expect(await statuses(project)).toEqual(['pending', 'completed']);
});

test('literal steps behind the one that was done still run', async () => {
  const plan = planOf(
    [
      { title: 'Look' },
      { title: 'Write', lines: ['- scope: `answer.txt`', ...literalFile('answer.txt', '42')] },
      { title: 'Tell' },
    ],
    PASSES,
  );
  await using project = await sessionAt('approved', { plan });
  await ralph(project);
  expect((await ralph(project, '--done')).value).toMatchObject({
    completed: ['Look', 'Write'],
    stop: { title: 'Tell' },
  });
});

test('a ticked box is a yes to its own step, as before', async () => {
  const plan = titled('One', 'Two', 'Three').replace('1. One', '1. [x] One');
  await using project = await sessionAt('approved', { plan });
  expect((await ralph(project)).value).toMatchObject({
    completed: ['One'],
    stop: { title: 'Two' },
  });
});

test('--done in the fix loop is about the checks that failed, and no step', async () => {
  const plan = planOf([{ title: 'One' }, { title: 'Two' }], ['- `sh check.sh`']);
  await using project = await sessionAt('approved', { plan });
  await project.cc('reset', '--to', 'execute', ...NAMED);
  await project.cc('verify', ...NAMED);
  expect((await ralph(project)).value).toMatchObject({ stop: { title: /checks that failed/ } });
  await project.write('answer.txt', '42\n');
  expect((await ralph(project, '--done')).value).toMatchObject({
    completed: [],
    stop: { title: 'One' },
  });
});

test('what was changed for one step, or for a failed check, is no word about another that was shown', async () => {
  const plan = planOf(
    ['One', 'Two'].map((title) => ({ title, lines: ['- after: none'] })),
    ['- `test -f check.sh`', '- `test ! -f broken`'],
  );
  await using project = await sessionAt('approved', { plan });
  await ralph(project, '--task', 'two');
  await ralph(project);
  await project.write('answer.txt', '42\n');
  expect((await ralph(project)).value).toMatchObject({
    completed: ['One'],
    stop: { title: 'Two' },
  });

  await project.write('broken', '');
  await project.cc('verify', ...NAMED);
  await ralph(project);
  await rm(join(project.root, 'broken'));
  expect((await ralph(project)).value).toMatchObject({ completed: [], stop: { title: 'Two' } });
});

test('a step without change says so, why it failed, and gives one advice everywhere', async () => {
  const plan = planOf([{ title: 'Say it' }]);
  await using project = await sessionAt('approved', { plan });
  const first = await project.cc('ralph', ...NAMED);
  expect(first.stdout).toContain(
    'do it, then `cc ralph`; if it needs no change, `cc ralph --done`\nNext: cc ralph\n',
  );
  await project.write('answer.txt', '41\n');
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(1);
  const again = await project.cc('ralph', ...NAMED);
  expect(again).toMatchObject({ exitCode: 8 });
  expect(again.stdout).toContain('It failed: `sh check.sh`: exit code 1: answer.txt does not');
  expect(again.stdout).toContain('Nothing changed since this step was shown: do it, then');
  expect(again.stdout).toMatch(/\nNext: cc ralph\n$/);
  expect((await project.cc('status', ...NAMED)).stdout).toMatch(/\nNext: cc ralph\n$/);
  const next = await project.ccJson('next', ...NAMED);
  expect(next).toMatchObject({ exitCode: 8, value: { next: 'cc ralph' } });
});

test('a step that nothing checks is shown as such', async () => {
  await using project = await sessionAt('approved', { plan: planOf([{ title: 'Say it' }], []) });
  expect((await project.cc('ralph', ...NAMED)).stdout).toContain('  nothing checks this step\n');
  await using checked = await sessionAt('approved', { plan: planOf([{ title: 'Say it' }]) });
  expect((await checked.cc('ralph', ...NAMED)).stdout).toContain("  check: the plan's checks\n");
});

test('the counts are of the plan, not of the run', async () => {
  await using project = await sessionAt('approved', { plan: titled('One', 'Two') });
  await project.cc('ralph', '--done', ...NAMED);
  expect((await project.cc('ralph', ...NAMED)).stdout).toContain('waiting for you; 1 done, 1 open');
  expect((await project.cc('ralph', '--done', ...NAMED)).stdout).toContain('done; 2 done, 0 open');
});

test('whoever only looks leaves no line in the log', async () => {
  await using project = await sessionAt('approved', { plan: titled('One') });
  const started = async () =>
    (await project.read(`${FOLDER}/progress.log`)).match(/loop started/g)?.length ?? 0;
  await project.cc('ralph', ...NAMED);
  await project.cc('ralph', ...NAMED);
  expect(await started()).toBe(0);
  await project.cc('ralph', '--done', ...NAMED);
  expect(await started()).toBe(1);
});

test('a failure is told once, and without an empty end', async () => {
  const plan = planOf([{ title: 'Say it' }], ['- `exit 3`']);
  await using project = await sessionAt('approved', { plan });
  const quiet = await project.cc('ralph', '--done', ...NAMED);
  expect(quiet.stdout).toContain('✗ Say it\n`exit 3`: exit code 3, without a word\n');
  await using loud = await sessionAt('approved', { plan: planOf([{ title: 'Say it' }]) });
  const { stdout, stderr } = await loud.cc('ralph', '--done', ...NAMED);
  expect(`${stdout}${stderr}`.match(/answer\.txt does not say 42/g)).toHaveLength(1);
});
