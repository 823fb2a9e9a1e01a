import { expect, test } from 'vitest';
import { ID, sessionAt } from '../support/sessions.ts';

/** Every command once, the path among them, so that each kind of line is printed. */
const LINES: readonly (readonly string[])[] = [
  [],
  ['status'],
  ['log'],
  ['session', 'list'],
  ['session', 'show'],
  ['session', 'workflow', ID],
  ['session', 'use', ID],
  ['check'],
  ['doctor'],
  ['config'],
  ['completion', 'bash'],
  ['init'],
  ['ralplan'],
  ['ralplan', '--approve', '--session', ID],
  ['ralplan', '--diff'],
  ['ralph'],
  ['verify'],
  ['verify', '--ci'],
  ['complete'],
  ['reopen', '--session', ID],
  ['reset', '--to', 'plan', '--session', ID],
  ['cancel'],
  ['unlock'],
  ['repair'],
  ['next'],
  ['deep-interview', 'another thing'],
  ['--help'],
  ['--version'],
  ['nonsense'],
];
const ESCAPE = '\u001b';

interface Place {
  readonly stdout: boolean;
  readonly stderr: boolean;
}

test.each<[string, Record<string, string>, Place, boolean]>([
  ['both piped', {}, { stdout: false, stderr: false }, false],
  ['stdout piped', {}, { stdout: false, stderr: true }, true],
  ['NO_COLOR at a terminal', { NO_COLOR: '1' }, { stdout: true, stderr: true }, false],
  ['TERM=dumb', { TERM: 'dumb' }, { stdout: true, stderr: true }, false],
  ['CI=1, piped', { CI: '1' }, { stdout: false, stderr: false }, false],
  ['FORCE_COLOR=1, piped', { FORCE_COLOR: '1' }, { stdout: false, stderr: false }, true],
])('%s', async (_title, env, isTerminal, hasColours) => {
  await using project = await sessionAt('plan');
  project.env = env;
  project.io = { isTerminal };
  let told = '';
  for (const line of LINES) {
    const { stdout, stderr } = await project.cc(...line);
    expect(stdout, line.join(' ')).not.toContain(ESCAPE);
    told += stderr;
  }
  expect(told.includes(ESCAPE)).toBe(hasColours);
  // What colour says is said without it, too.
  expect(told).toMatch(/✓/);
});
