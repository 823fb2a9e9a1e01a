import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TempProject } from '../support/temp-project.ts';

/** Help as people and wrappers know it. `UPDATE_PINS=1` writes these files anew; read the difference. */
const FOLDER = join(import.meta.dirname, 'help');
const UPDATES = process.env['UPDATE_PINS'] === '1';

const COMMANDS = [
  'deep-interview',
  'ralplan',
  'ralph',
  'verify',
  'complete',
  'next',
  'status',
  'log',
  'session',
  'check',
  'doctor',
  'cancel',
  'reset',
  'reopen',
  'repair',
  'unlock',
  'init',
  'config',
  'completion',
];

test.each([['cc'], ...COMMANDS.map((name) => [name])])('help of %s', async (name) => {
  await using project = await TempProject.create();
  const argv = name === 'cc' ? ['--help'] : [name, '--help'];
  const { exitCode, stdout, stderr } = await project.cc(...argv);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const path = join(FOLDER, `${name}.txt`);
  if (UPDATES) await writeFile(path, stdout);
  expect(stdout).toBe(await readFile(path, 'utf8'));
  expect(Object.keys(await project.snapshot())).toEqual([]);
});

test('every command has its file, and every file its command', async () => {
  const files = (await readdir(FOLDER)).map((file) => file.replace(/\.txt$/, '')).sort();
  expect(files).toEqual(['cc', ...COMMANDS].sort());
});

test('help names every command once, and only those', async () => {
  const text = await readFile(join(FOLDER, 'cc.txt'), 'utf8');
  const named = [...text.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name);
  expect(named).toEqual(COMMANDS);
});

test.each([
  [40, 40],
  [60, 60],
  [80, 80],
  [100, 100],
  [300, 100],
  [10, 40],
  [undefined, 80],
])('at a terminal of %s columns no line has more than %i', async (columns, most) => {
  await using project = await TempProject.create();
  project.io = { isTerminal: { stdout: true, stderr: true }, columns };
  const pages = [['--help'], ...COMMANDS.map((name) => [name, '--help'])];
  const longest = await Promise.all(
    pages.map(async (argv) => {
      const { stdout } = await project.cc(...argv);
      // A word that is longer than a line cannot be broken in a command.
      const lines = stdout.split('\n').filter((line) => !/"[^"]*"/.test(line));
      return Math.max(...lines.map((line) => line.length));
    }),
  );
  expect(Math.max(...longest)).toBeLessThanOrEqual(most);
  expect(Math.max(...longest)).toBeGreaterThan(most - 20);
});

test.each([
  [['session', 'use', '--help'], 'Usage: cc session use [options] <id>\n'],
  [['help', 'session', 'list'], 'Usage: cc session list [options]\n'],
  [['config', 'set', '-h'], 'Usage: cc config set [options] <key> <value>\n'],
])('%j is about that action alone', async (argv, usage) => {
  await using project = await TempProject.create();
  const { stdout } = await project.cc(...argv);
  expect(stdout.startsWith(usage)).toBe(true);
  expect(stdout).toContain('\nExamples:\n  $ cc ');
});

test.each([
  ['help ralph', ['help', 'ralph'], 'ralph'],
  ['--help ralph', ['--help', 'ralph'], 'ralph'],
  ['-h', ['-h'], 'cc'],
  ['help', ['help'], 'cc'],
])('cc %s says the same', async (_title, argv, file) => {
  await using project = await TempProject.create();
  const { stdout } = await project.cc(...argv);
  expect(stdout).toBe(await readFile(join(FOLDER, `${file}.txt`), 'utf8'));
});
