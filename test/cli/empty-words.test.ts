import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ID, sessionAt } from '../support/sessions.ts';

const LONG = 'x'.repeat(100_000);

const LINES = [
  [['status', '--session', ''], '--session is empty'],
  [['status', '--session='], '--session is empty'],
  [['--cwd', '', 'status'], '--cwd is empty'],
  [['deep-interview', ''], 'The words behind the command are empty'],
  [['deep-interview', 'add x', '--scope', ' '], '--scope is empty'],
  [
    ['--session', ID, 'status', '--session', 's2'],
    '--session is given more than once, with different values',
  ],
  [['ralph', '--max-time', '1h', '--max-time', '2h'], '--max-time is given more than once'],
  [['status', LONG], 'cc status does not take the word "xxx'],
  [[LONG], `"${'x'.repeat(120)}… (100000 characters)" is no command`],
  [['status', `--${LONG}`], "unknown option '--xxx"],
  [['ralph', '--max-time', LONG], '--max-time takes a time such as 90s or 10m, not "xxx'],
  [['reset', '--to', LONG], '--to takes one of intent, plan, execute, not "xxx'],
] as const;

test.each(LINES)('a line that nobody meant is refused in a few words: %#', async (argv, words) => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  const { exitCode, value } = await project.ccJson(...argv);
  expect({ exitCode, value }).toMatchObject({
    exitCode: 6,
    value: {
      error: {
        code: 'REQUEST_INVALID',
        message: expect.stringContaining(words),
        hint: expect.stringMatching(/^cc (?:[\w-]+ )?--help$/),
      },
    },
  });
  const { error } = value as {
    readonly error: { readonly message: string; readonly hint: string };
  };
  expect(error.message.length).toBeLessThan(400);
  expect((await project.cc(...error.hint.split(' ').slice(1))).exitCode).toBe(0);
  expect(await project.snapshot()).toEqual(before);
  expect(await readdir(join(project.root, '.chainlesschain/sessions'))).toEqual([ID]);
});

test('a value that is said twice is one value', async () => {
  await using project = await sessionAt('plan');
  const { exitCode } = await project.cc('--session', ID, 'status', '--session', ID);
  expect(exitCode).toBe(0);
});
