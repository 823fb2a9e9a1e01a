import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FOLDER, ID, INTENT, sessionAt } from '../support/sessions.ts';
import { ROOT } from '../support/sources.ts';
import { TempProject } from '../support/temp-project.ts';

const PROGRAM = join(ROOT, 'dist/cc.cjs');
/** Packages by a word of theirs that no minifier changes. */
const WORDS: Readonly<Record<string, string>> = {
  commander: 'commander.unknownOption',
  zod: 'ZodError',
  markdown: 'lheading',
  'gray-matter': 'excerpt_separator',
  yaml: 'BLOCK_AS_IMPLICIT_KEY',
  execa: 'ExecaError',
  clack: 'clack',
  chokidar: 'awaitWriteFinish',
  'tree-kill': 'taskkill',
  picomatch: 'globstar',
  picocolors: 'createColors',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cc-loads-'));
  await writeFile(
    join(folder, 'tell.cjs'),
    `const { Module } = require('node:module');
    const compile = Module.prototype._compile;
    const seen = [];
    Module.prototype._compile = function (text, file, ...rest) {
      seen.push(file);
      return compile.call(this, text, file, ...rest);
    };
    process.on('exit', () => {
      const files = [...seen, ...process.moduleLoadList];
      require('node:fs').writeFileSync(process.env.TELL_FILE, files.join('\\n'));
    });`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a command loads, line by line: files, and modules of Node as Node tells them. */
function loadedBy(project: TempProject, argv: readonly string[]): readonly string[] {
  const told = join(folder, 'files');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', join(folder, 'tell.cjs'), PROGRAM, ...argv],
    {
      cwd: project.root,
      encoding: 'utf8',
      // No compiled code is kept: it would replace what is listened to here.
      env: {
        PATH: process.env['PATH'],
        HOME: project.home,
        TELL_FILE: told,
        XDG_CACHE_HOME: '/dev/null',
      },
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readFileSync(told, 'utf8').split('\n');
}

/** Packages in the files that a command loads. */
function packagesOf(project: TempProject, argv: readonly string[]): readonly string[] {
  const own = loadedBy(project, argv).filter((file) => file.startsWith(join(ROOT, 'dist')));
  // The launcher, the command line and at least one command.
  expect(own.length).toBeGreaterThan(3);
  const texts = own.map((file) => readFileSync(file, 'utf8'));
  return Object.keys(WORDS).filter((name) =>
    texts.some((text) => text.includes(WORDS[name] ?? '')),
  );
}

test('every word is found in what was built', async () => {
  const folder = join(ROOT, 'dist/chunks');
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const missing = Object.values(WORDS).filter((word) => !texts.some((text) => text.includes(word)));
  expect(missing).toEqual([]);
});

test('status of a session that was looked at before loads only the parser of the line', async () => {
  await using project = await sessionAt('verified');
  packagesOf(project, ['status']);
  expect(packagesOf(project, ['status'])).toEqual(['commander']);
});

test('nor a module of Node that it does not use, and few files', async () => {
  await using project = await sessionAt('plan');
  loadedBy(project, ['status']);
  const loaded = loadedBy(project, ['status']);
  const unused = ['child_process', 'crypto', 'fs/promises', 'timers/promises'];
  const isUnused = (line: string) => unused.some((name) => line === `NativeModule ${name}`);
  expect(loaded.filter(isUnused)).toEqual([]);
  expect(loaded).toContain('NativeModule tty');
  expect(loaded.filter((file) => file.startsWith(join(ROOT, 'dist')))).toHaveLength(6);
});

test('without a session, too', async () => {
  await using project = await TempProject.createRepository();
  expect(packagesOf(project, [])).toEqual(['commander']);
});

test.each([
  ['log', ['log'], ['commander']],
  ['help', ['--help'], []],
  ['session list, seen before', ['session', 'list'], ['commander']],
])('%s', async (_title, argv, packages) => {
  await using project = await sessionAt('plan');
  packagesOf(project, ['status']);
  const found = packagesOf(project, argv);
  expect(found.filter((name) => !packages.includes(name))).toEqual([]);
});

test('would notice a parser: a session that nobody looked at needs them', async () => {
  await using project = await TempProject.create({ [`${FOLDER}/intent.md`]: INTENT });
  const found = packagesOf(project, ['status', '--session', ID]);
  expect(found).toEqual(expect.arrayContaining(['zod', 'markdown', 'yaml']));
});
