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
  ['help ralph', ['help', 'ralph'], 'ralph'],
  ['--help ralph', ['--help', 'ralph'], 'ralph'],
  ['-h', ['-h'], 'cc'],
  ['help', ['help'], 'cc'],
])('cc %s says the same', async (_title, argv, file) => {
  await using project = await TempProject.create();
  const { stdout } = await project.cc(...argv);
  expect(stdout).toBe(await readFile(join(FOLDER, `${file}.txt`), 'utf8'));
});
