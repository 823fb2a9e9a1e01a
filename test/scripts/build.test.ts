import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';

const BIN = `
import { execa } from 'execa';
export async function run() {
  const { later } = await import('./later.ts');
  console.log(later, typeof execa);
}
`;
let root = '';

beforeEach(async () => {
  root = await createProject();
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A project with the real build and launcher, and a program of a few lines. */
async function createProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cc-build-'));
  for (const name of ['scripts/build.mjs', 'scripts/build', 'package.json', 'package-lock.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await mkdir(join(folder, 'src/cli'), { recursive: true });
  for (const name of ['launcher.ts', 'code-cache.ts', 'code-cache-folder.ts']) {
    await cp(join(ROOT, 'src/cli', name), join(folder, 'src/cli', name));
  }
  await writeFile(join(folder, 'src/cli/bin.ts'), BIN);
  await writeFile(join(folder, 'src/cli/later.ts'), "export const later = 'first';");
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function node(...args: readonly string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const [status] = await ended;
  return { status, stdout, stderr };
}

const build = (...args: readonly string[]) => node(join(root, 'scripts/build.mjs'), ...args);
const program = () => node(join(root, 'dist/cc.cjs'), 'x');
const edit = (text: string) => writeFile(join(root, 'src/cli/later.ts'), text);

async function snapshot(folder: string): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
  const read = async (path: string) =>
    [path.slice(folder.length), await readFile(path, 'base64')] as const;
  return Object.fromEntries(await Promise.all(paths.sort().map(read)));
}

test('bundles packages that are ESM only, and says one line', async () => {
  const run = await build();
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout).toMatch(/^dist built in [\d.]+ s \(\d+ files\)\n$/);
  expect(await program()).toEqual({ status: 0, stdout: 'first function\n', stderr: '' });
  expect(await readFile(join(root, 'dist/licenses.txt'), 'utf8')).toMatch(
    /^execa \d+\.\d+\.\d+ \(MIT\)$/m,
  );
});

test('gives the same bytes in another folder', async () => {
  const other = await createProject();
  await build();
  await node(join(other, 'scripts/build.mjs'));
  const dist = await snapshot(join(root, 'dist'));
  expect(await snapshot(join(other, 'dist'))).toEqual(dist);
  expect(Object.keys(dist).length).toBeGreaterThan(4);
  await rm(other, { recursive: true });
});

test('does nothing when nothing changed', async () => {
  await build();
  const before = await stat(join(root, 'dist/cc.cjs'));
  expect((await build()).stdout).toMatch(/^dist is up to date/);
  expect((await stat(join(root, 'dist/cc.cjs'))).mtimeMs).toBe(before.mtimeMs);
});

test.each([
  ['a source', () => edit("export const later = 'second';")],
  ['a new source', () => writeFile(join(root, 'src/new.ts'), '')],
  ['the version', () => writeFile(join(root, 'package.json'), '{"version":"9.9.9"}')],
  ['a lost chunk', () => rm(join(root, 'dist/chunks'), { recursive: true })],
  ['a cut manifest', () => writeFile(join(root, 'dist/.build'), '{')],
])('builds again after %s', async (_case, change) => {
  await build();
  await change();
  expect((await build()).stdout).toMatch(/^dist built/);
  expect((await program()).status).toBe(0);
});

test('chunks of the build before stay for who still runs it, older ones go', async () => {
  await build();
  const first = await readdir(join(root, 'dist/chunks'));
  await edit("export const later = 'second';");
  await build();
  const second = await readdir(join(root, 'dist/chunks'));
  expect(second).toEqual(expect.arrayContaining(first));
  expect((await program()).stdout).toBe('second function\n');

  await edit("export const later = 'third';");
  await build();
  const oldLater = first.filter((name) => name.startsWith('later-'));
  expect(oldLater).toHaveLength(1);
  expect(await readdir(join(root, 'dist/chunks'))).not.toEqual(expect.arrayContaining(oldLater));

  await build('--prune');
  const { files }: { files: string[] } = JSON.parse(
    await readFile(join(root, 'dist/.build'), 'utf8'),
  );
  const left = Object.keys(await snapshot(join(root, 'dist'))).map((path) => path.slice(1));
  expect(left.sort()).toEqual([...files, '.build'].sort());
});

test('builds at the same time do the work once', async () => {
  const runs = await Promise.all([build(), build(), build()]);
  expect(runs.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(runs.filter(({ stdout }) => stdout.startsWith('dist built'))).toHaveLength(1);
  expect((await program()).stdout).toBe('first function\n');
});

test('takes over from a build that was killed', async () => {
  await mkdir(join(root, 'dist'));
  const gone = spawn(process.execPath, ['-e', '0']);
  await once(gone, 'exit');
  await writeFile(join(root, 'dist/.lock'), String(gone.pid));
  expect((await build()).status).toBe(0);
});

test.each([
  ['does not compile', 'export const later = ;', 'later.ts'],
  [
    'asks for more than a plain require',
    'export const later = require.resolve("x");',
    'require.resolve',
  ],
  ['waits at its top', 'export const later = await 1;', 'top-level await'],
])('a source that %s leaves the old program', async (_case, text, told) => {
  await build();
  const before = await snapshot(join(root, 'dist'));
  await edit(text);
  const run = await build();
  expect(run.status).not.toBe(0);
  expect(run.stderr).toContain(told);
  expect(await snapshot(join(root, 'dist'))).toEqual(before);
});
