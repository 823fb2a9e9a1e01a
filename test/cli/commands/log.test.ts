import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CcError } from '../../../src/kernel/base/errors.ts';
import { FOLDER, sessionAt } from '../../support/sessions.ts';
import type { TempProject } from '../../support/temp-project.ts';

const LOG = `${FOLDER}/progress.log`;
const line = (number: number) => `[2026-11-30T00:00:00.000Z] [ralph] entry ${number}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(at + 1)).join('');

test('the last twenty, or as many as are asked for', async () => {
  await using project = await sessionAt('plan');
  await project.write(LOG, lines(30));
  expect((await project.ccJson('log')).value['entries']).toHaveLength(20);
  expect((await project.cc('log', '--lines', '2')).stdout).toBe(
    `${line(29)}${line(30)}Next: cc status\n`,
  );
});

test.each([
  ['no log', undefined, []],
  ['an empty one', '', []],
  ['line ends of Windows', 'a\r\nb\r\n', ['a', 'b']],
  ['a last line without an end', 'a\nb', ['a', 'b']],
  ['bytes that are no text', Buffer.from([0x61, 0xff, 0x0a]), ['a\ufffd']],
])('%s', async (_title, text, entries) => {
  await using project = await sessionAt('plan');
  if (text !== undefined) await project.write(LOG, text);
  expect(await project.ccJson('log')).toMatchObject({ exitCode: 0, value: { entries } });
});

const LOOKS = [
  ['log'],
  ['status'],
  ['session', 'list'],
  ['session', 'show'],
  ['session', 'workflow', 's1'],
];

test('half a gigabyte costs no more than its end', async () => {
  await using project = await sessionAt('plan');
  await project.write(LOG, line(1));
  // The first call of each loads its modules.
  for (const argv of LOOKS) await project.cc(...argv);
  await truncate(join(project.root, LOG), 500 * 1024 * 1024);
  await appendFile(join(project.root, LOG), `\n${lines(3)}`);
  const before = process.memoryUsage().rss;
  for (const argv of LOOKS) {
    const startedAt = performance.now();
    const { exitCode, stdout } = await project.cc(...argv);
    expect({ exitCode, hasOutput: stdout !== '' }).toEqual({ exitCode: 0, hasOutput: true });
    expect(performance.now() - startedAt, argv.join(' ')).toBeLessThan(1000);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect((await project.ccJson('log', '--lines', '3')).value['entries']).toEqual([
    line(1).trim(),
    line(2).trim(),
    line(3).trim(),
  ]);
});

/** Runs a command that has no end until `work` is done. */
async function whileRunning(
  project: TempProject,
  argv: readonly string[],
  work: (printed: (text: string) => Promise<void>) => Promise<void>,
) {
  const stop = new AbortController();
  let stdout = '';
  project.io = { signal: stop.signal, stdout: (text) => void (stdout += text) };
  const running = project.cc(...argv);
  const printed = (text: string) => expect.poll(() => stdout, { timeout: 8000 }).toContain(text);
  await work(printed);
  stop.abort(new CcError('REQUEST_CANCELLED', 'Cancelled by SIGINT'));
  return { exitCode: (await running).exitCode, stdout };
}

test('--follow goes on with what is added or replaced, and ends with status 0', async () => {
  await using project = await sessionAt('plan');
  const path = join(project.root, LOG);
  await project.write(LOG, line(1));
  const { exitCode, stdout } = await whileRunning(project, ['log', '--follow'], async (printed) => {
    await printed(line(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await appendFile(path, line(2).slice(0, 10));
    await appendFile(path, `${line(2).slice(10)}${line(3)}`);
    await printed(line(3));
    // As an editor saves.
    await writeFile(`${path}.new`, 'short\n');
    await rename(`${path}.new`, path);
    await printed('short\n');
  });
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`${line(1)}${line(2)}${line(3)}short\n`);
});

test('status --watch shows a change once, also one saved by renaming', async () => {
  await using project = await sessionAt('plan');
  const path = join(project.root, FOLDER, 'intent.md');
  const { exitCode, stdout } = await whileRunning(
    project,
    ['status', '--watch'],
    async (printed) => {
      await printed('goal: Say 42\n');
      await new Promise((resolve) => setTimeout(resolve, 300));
      const text = await project.read(`${FOLDER}/intent.md`);
      await writeFile(`${path}.tmp`, text.replace('Say 42', 'Say 43'));
      await rename(`${path}.tmp`, path);
      await printed('goal: Say 43\n');
    },
  );
  expect(exitCode).toBe(0);
  expect(stdout.match(/^goal: .*$/gm)).toEqual(['goal: Say 42', 'goal: Say 43']);
});

test.each([[['status', '--watch']], [['log', '--follow']]])('%s is no document', async (argv) => {
  await using project = await sessionAt('plan');
  expect(await project.ccJson(...argv)).toMatchObject({
    exitCode: 6,
    value: { error: { code: 'REQUEST_INVALID', hint: `cc ${argv[0]} --json` } },
  });
});
