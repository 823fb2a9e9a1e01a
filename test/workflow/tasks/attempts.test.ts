import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FOLDER, ID, planOf, sessionAt } from '../../support/sessions.ts';
import type { TempProject } from '../../support/temp-project.ts';

const NAMED = ['--session', ID];
const RALPH = ['ralph', ...NAMED];

/** Writes down each of its runs where no tree is looked at, and fails. */
const script = (log: string, end = 'exit 3') => ['', '```sh run', `echo x >> ${log}`, end, '```'];

const logOf = ({ root }: TempProject) => join(root, '..', 'runs.log');

async function failing(): Promise<TempProject> {
  const project = await sessionAt('plan');
  const log = logOf(project);
  const step = { title: 'Try', lines: ['- id: try', '- criteria: AC1', ...script(log)] };
  await project.write(`${FOLDER}/plan.md`, planOf([step], ['- `sh check.sh`']));
  await project.write('answer.txt', '42\n');
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  return project;
}

const runsOf = async (log: string) => (await readFile(log, 'utf8')).split('\n').length - 1;
const errorOf = (value: Record<string, unknown>) => value['error'] as Record<string, unknown>;

async function untilRefused(project: TempProject) {
  for (let run = 1; run <= 10; run++) {
    const { exitCode, value } = await project.ccJson(...RALPH);
    expect(exitCode).not.toBe(0);
    if (exitCode === 7) return errorOf(value);
  }
  throw new Error('It was run again and again');
}

test('a literal step that fails is run three times, and then no more by itself', async () => {
  await using project = await failing();
  const log = logOf(project);
  for (const next of ['cc ralph', 'cc ralph', 'cc ralplan --edit']) {
    const { exitCode, stdout, stderr } = await project.cc(...RALPH);
    expect(exitCode).toBe(1);
    expect(`${stdout}${stderr}`).toContain(`Next: ${next}`);
  }
  const task = JSON.parse(await project.read(`${FOLDER}/tasks.json`)).tasks[0];
  expect(task).toMatchObject({ status: 'failed', failures: 3, needsPlan: true });
  const before = await project.snapshot();
  for (const again of [RALPH, [...RALPH, '--done']]) {
    const { exitCode, value } = await project.ccJson(...again);
    expect({ exitCode, code: errorOf(value)['code'] }).toEqual({
      exitCode: 7,
      code: 'RETRIES_EXHAUSTED',
    });
    expect(errorOf(value)['message']).toContain('It failed 3 times and is not run again by itself');
  }
  expect(await project.snapshot()).toEqual(before);
  expect(await runsOf(log)).toBe(3);
  expect((await project.ccJson('status', ...NAMED)).value['next']).toBe('cc ralplan --edit');
});

test('an edit of the plan, as the refusal says, gives it new tries', async () => {
  await using project = await failing();
  const log = logOf(project);
  expect((await untilRefused(project))['hint']).toBe('cc ralplan --edit --session s1');
  const editor = join(project.root, '..', 'edit.sh');
  await writeFile(editor, `sed -i 's/^\\( *\\)exit 3$/\\1exit 0/' "$1"\n`);
  project.env = { EDITOR: `sh ${editor}` };
  project.io = {
    handOver: async (command, args) => {
      await promisify(execFile)(command, [...args]);
      return 0;
    },
  };
  expect((await project.cc('ralplan', '--edit', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc(...RALPH)).exitCode).toBe(0);
  expect(await runsOf(log)).toBe(4);
  const task = JSON.parse(await project.read(`${FOLDER}/tasks.json`)).tasks[0];
  expect(task).toMatchObject({ status: 'completed' });
  expect(task).not.toHaveProperty('failures');
});

test('named, it is tried once more, and no more than that', async () => {
  await using project = await failing();
  const log = logOf(project);
  await untilRefused(project);
  expect((await project.cc(...RALPH, '--task', 'try')).exitCode).toBe(1);
  expect((await project.cc(...RALPH, '--task', '1')).exitCode).toBe(1);
  expect(await runsOf(log)).toBe(5);
  expect((await project.cc(...RALPH)).exitCode).toBe(7);
  expect(await runsOf(log)).toBe(5);
});

test.each([
  ['cc reset', ['reset', '--to', 'execute']],
  ['cc reopen', ['reopen']],
])('%s gives it new tries', async (title, argv) => {
  await using project = await failing();
  const log = logOf(project);
  await untilRefused(project);
  if (title === 'cc reopen') {
    const path = `${FOLDER}/mode.json`;
    const mode = JSON.parse(await project.read(path));
    await project.write(path, JSON.stringify({ ...mode, stage: 'failed' }));
  }
  expect((await project.cc(...argv, ...NAMED)).exitCode).toBe(0);
  const task = JSON.parse(await project.read(`${FOLDER}/tasks.json`)).tasks[0];
  expect(task).not.toHaveProperty('failures');
  expect((await project.cc(...RALPH)).exitCode).toBe(1);
  expect(await runsOf(log)).toBe(4);
});

test('retries.max says how often, and the first try is always allowed', async () => {
  await using project = await failing();
  const log = logOf(project);
  const path = `${FOLDER}/mode.json`;
  const mode = JSON.parse(await project.read(path));
  await project.write(path, JSON.stringify({ ...mode, maxRetries: 0 }));
  await untilRefused(project);
  expect(await runsOf(log)).toBe(1);
});
