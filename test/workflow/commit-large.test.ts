/** Files that are too large for the private store, in a commit of the session that made or changed them. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ID, planOf, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const COMMIT = ['complete', '--commit', ...NAMED];
const LARGE = randomBytes(40 * 1024 * 1024);

/** A session whose one step runs this script. */
function planWith(script: string): string {
  const lines = [
    '- scope: `data`, `answer.txt`',
    '- criteria: AC1',
    '',
    '```sh run',
    script,
    '```',
  ];
  return planOf([{ title: 'Make the data', lines }]);
}

async function run(project: TempProject, ...verbs: readonly string[]): Promise<void> {
  for (const verb of verbs) {
    const { exitCode, stderr } = await project.cc(...verb.split(' '), ...NAMED);
    if (exitCode !== 0) throw new Error(`cc ${verb} exited ${exitCode}: ${stderr}`);
  }
}

async function commit(project: TempProject): Promise<void> {
  const { exitCode, stderr } = await project.cc(...COMMIT);
  expect(exitCode, stderr).toBe(0);
}

test('a file of 40 MB that the session made', async () => {
  const script = 'mkdir data; cp ../large data/new.bin; echo 42 > answer.txt';
  await using project = await sessionAt('plan', { plan: planWith(script) });
  await project.write('../large', LARGE);
  await run(project, 'ralplan --approve', 'ralph', 'verify');

  await commit(project);

  const path = 'data/new.bin';
  expect(await project.git('rev-parse', `HEAD:${path}`)).toBe(
    await project.git('hash-object', path),
  );
  expect(await project.git('status', '--porcelain', '--', 'data', 'answer.txt')).toBe('');
}, 120_000);

test('a tracked file of 40 MB that the session changed', async () => {
  const script = 'echo changed >> data/old.bin; echo 42 > answer.txt';
  await using project = await sessionAt('plan', { plan: planWith(script) });
  await project.write('data/old.bin', LARGE);
  await project.git('add', 'data');
  await project.git('commit', '--quiet', '--message', 'data');
  await run(project, 'ralplan --approve', 'ralph', 'verify');

  await commit(project);

  expect(await project.git('rev-parse', 'HEAD:data/old.bin')).toBe(
    await project.git('hash-object', 'data/old.bin'),
  );
  expect((await readFile(join(project.root, 'data/old.bin'))).length).toBe(LARGE.length + 8);
}, 120_000);

test('a file of 40 MB that was not committed before the session changed it is left to the person', async () => {
  const script = 'echo changed >> data/mine.bin; echo 42 > answer.txt';
  await using project = await sessionAt('plan', { plan: planWith(script) });
  await project.write('data/mine.bin', LARGE);
  await run(project, 'ralplan --approve', 'ralph', 'verify');
  const head = await project.git('rev-parse', 'HEAD');

  const { exitCode, value } = await project.ccJson(...COMMIT);

  expect({ exitCode, value }).toMatchObject({
    exitCode: 1,
    value: {
      error: {
        code: 'TOOL_EXECUTION_FAILED',
        message: expect.stringMatching(/^data\/mine\.bin changed, .*32 MiB.*by hand/),
      },
    },
  });
  expect(await project.git('rev-parse', 'HEAD')).toBe(head);
  expect(await project.json(`.chainlesschain/sessions/${ID}/mode.json`)).toMatchObject({
    stage: 'complete',
  });
}, 120_000);

test('a large file that a script changes outside of its scope is held without a patch', async () => {
  const plan = planOf([
    {
      title: 'Too much',
      lines: [
        '- scope: `answer.txt`',
        '',
        '```sh run',
        'echo x >> mine.bin; echo 42 > answer.txt',
        '```',
      ],
    },
  ]);
  await using project = await sessionAt('plan', { plan });
  await project.write('mine.bin', LARGE);
  const approved = await project.cc('ralplan', '--approve', ...NAMED);
  expect(approved.stderr).toContain(
    '! Too large to be kept (32 MiB each, 512 MiB in all): mine.bin. A change of these is noticed',
  );
  const held = "The script changed files outside of the step's scope: mine.bin.";
  const first = await project.cc('ralph', ...NAMED);
  expect(first).toMatchObject({ exitCode: 8, stdout: expect.stringContaining(held) });
  expect(first.stdout).toContain('too large to be kept as a patch');
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(8);
  await project.write('mine.bin', LARGE);
  await run(project, 'ralph', 'verify');
});
