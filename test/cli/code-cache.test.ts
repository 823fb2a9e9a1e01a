import { spawnSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';

/** Two sources of one length: V8 alone cannot tell them apart. */
const SAYS_A = "exports.say = () => 'A';";
const SAYS_B = "exports.say = () => 'B';";
const MAIN = `
require('./code-cache.cjs').installCodeCache(require('node:path').join(__dirname, 'dist'));
console.log(require('./dist/chunk.cjs').say());
`;
const HEADER_BYTES = 256;

let root = '';
let home = '';
let bundle = '';

beforeAll(async () => {
  const bundler = await rolldown({
    input: join(ROOT, 'src/cli/code-cache.ts'),
    platform: 'node',
    transform: { target: 'node20' },
  });
  const { output } = await bundler.generate({ format: 'cjs' });
  bundle = output[0].code;
});

beforeEach(async () => {
  if (root !== '') await rm(root, { recursive: true, force: true });
  root = await mkdtemp(join(tmpdir(), 'cc-cache-'));
  home = join(root, 'home');
  await mkdir(home);
  await mkdir(join(root, 'dist'));
  await writeFile(join(root, 'code-cache.cjs'), bundle);
  await writeFile(join(root, 'main.cjs'), MAIN);
  await writeFile(join(root, 'dist/chunk.cjs'), SAYS_A);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** What the chunk said, when the process ended well and said nothing else. */
function run(
  env: Readonly<Record<string, string>> = { HOME: home },
  nodeArgs: readonly string[] = [],
) {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeArgs, join(root, 'main.cjs')],
    { encoding: 'utf8', env, cwd: root },
  );
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
  return stdout.trim();
}

const folder = () => join(home, '.cache/chainlesschain/code');

async function kept(): Promise<string[]> {
  const names: string[] = await readdir(folder()).catch(() => []);
  return names.sort();
}

async function onlyKept(): Promise<string> {
  const names = await kept();
  expect(names).toHaveLength(1);
  return join(folder(), names[0] ?? '');
}

/** Makes the file of the cache hold what V8 made of the other source. */
async function plantOther(): Promise<void> {
  await writeFile(join(root, 'dist/chunk.cjs'), SAYS_B);
  run();
  const path = await onlyKept();
  const bytes = await readFile(path);
  // The source stands between the two copies of the data; the lie is only there.
  await writeFile(path, Buffer.from(bytes.toString('latin1').replace(SAYS_B, SAYS_A), 'latin1'));
  await writeFile(join(root, 'dist/chunk.cjs'), SAYS_A);
}

test('keeps the compiled form in a private folder of the user, and uses it', async () => {
  expect(run()).toBe('A');
  const path = await onlyKept();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(folder())).mode & 0o777).toBe(0o700);

  // Nothing but the kept form can say B now.
  await plantOther();
  expect(run()).toBe('B');
});

test('an edit of the same length runs the new text', async () => {
  expect(run()).toBe('A');
  await writeFile(join(root, 'dist/chunk.cjs'), SAYS_B);
  expect(run()).toBe('B');
  expect(run()).toBe('B');
});

test('no damaged byte gets to V8', async () => {
  run();
  const path = await onlyKept();
  const good = await readFile(path);
  const step = Math.ceil(good.length / 24);
  for (let at = 0; at < good.length; at += step) {
    const bad = Buffer.from(good);
    bad[at] = (bad[at] ?? 0) ^ 0xff;
    await writeFile(path, bad);
    expect(run(), `byte ${at}`).toBe('A');
  }
});

test.each([
  ['is empty', () => Buffer.alloc(0)],
  ['has only a header', (good: Buffer) => good.subarray(0, HEADER_BYTES)],
  ['is cut', (good: Buffer) => good.subarray(0, good.length - 8)],
  ['is longer', (good: Buffer) => Buffer.concat([good, Buffer.alloc(8)])],
  ['is all zeros', (good: Buffer) => Buffer.alloc(good.length)],
  ['has zeros behind the header', (good: Buffer) => Buffer.from(good).fill(0, HEADER_BYTES)],
  ['is of another format', (good: Buffer) => Buffer.from(good).fill('cc0', 0, 3)],
])('a kept file that %s is replaced', async (_case, damage) => {
  run();
  const path = await onlyKept();
  const good = await readFile(path);
  await writeFile(path, damage(good));
  expect(run()).toBe('A');
  expect((await readFile(path)).length).toBe(good.length);
});

test('what another version of V8 or other flags made is refused', async () => {
  expect(run({ HOME: home }, ['--max-lazy'])).toBe('A');
  expect(run()).toBe('A');
  expect(await kept()).toHaveLength(2);
});

test.each([
  ['HOME is not set', async () => ({})],
  ['HOME is not there', async () => ({ HOME: join(root, 'none') })],
  ['HOME is relative', async () => ({ HOME: 'home' })],
  ['HOME is a file', async () => ({ HOME: join(root, 'main.cjs') })],
  ['nothing can be made in HOME', async () => ({ HOME: '/proc' })],
  [
    'the cache folder is shared like /tmp',
    async () => {
      const shared = join(root, 'shared');
      await mkdir(shared);
      await chmod(shared, 0o1777);
      return { HOME: home, XDG_CACHE_HOME: shared };
    },
  ],
  [
    'others may write to the folder',
    async () => {
      await mkdir(folder(), { recursive: true });
      await chmod(folder(), 0o770);
      return { HOME: home };
    },
  ],
  [
    'the folder is a link',
    async () => {
      await mkdir(join(root, 'elsewhere'), { mode: 0o700 });
      await mkdir(join(home, '.cache/chainlesschain'), { recursive: true });
      await symlink(join(root, 'elsewhere'), folder());
      return { HOME: home };
    },
  ],
])('keeps nothing when %s', async (_case, prepare) => {
  const env: Record<string, string> = await prepare();
  expect(run(env)).toBe('A');
  expect(await kept()).toEqual([]);
  const left = await readdir(root, { recursive: true });
  expect(left.filter((name) => name.endsWith('.bin'))).toEqual([]);
});

test.each([
  ['others may write', (path: string) => chmod(path, 0o666)],
  [
    'leads elsewhere',
    async (path: string) => {
      await rename(path, join(root, 'moved'));
      await symlink(join(root, 'moved'), path);
    },
  ],
])('a kept file is not used when it %s', async (_case, spoil) => {
  await plantOther();
  await spoil(await onlyKept());
  expect(run()).toBe('A');
});

test.each([
  ['CHAINLESSCHAIN_HOME', { CHAINLESSCHAIN_HOME: 'own' }, 'own/cache/code'],
  ['XDG_CACHE_HOME', { XDG_CACHE_HOME: 'xdg' }, 'xdg/chainlesschain/code'],
  ['both', { CHAINLESSCHAIN_HOME: 'own', XDG_CACHE_HOME: 'xdg' }, 'own/cache/code'],
])('obeys %s', async (_case, names, where) => {
  const set = Object.entries(names).map(([key, name]) => [key, join(root, name)] as const);
  for (const [, path] of set) await mkdir(path, { recursive: true });
  run({ HOME: home, ...Object.fromEntries(set) });
  expect(await readdir(join(root, where))).toHaveLength(1);
  expect(await kept()).toEqual([]);
});

test('keeps a bounded number of files, and the newest', async () => {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  await chmod(folder(), 0o700);
  for (let n = 0; n < 200; n++) {
    const path = join(folder(), `old-${n}.bin`);
    await writeFile(path, '');
    await utimes(path, 1_000 + n, 1_000 + n);
  }
  run();
  const names = await kept();
  expect(names).toHaveLength(128);
  expect(names).toContain('old-199.bin');
  expect(names.filter((name) => name.startsWith('chunk.cjs'))).toHaveLength(1);
});

test('a second command adds what it compiled, the same one writes nothing', async () => {
  run();
  const path = await onlyKept();
  const words = async () =>
    (await readFile(path)).toString('latin1', 0, HEADER_BYTES).trim().split(' ').at(-1);
  const once = await stat(path);
  expect(await words()).toBe('-');
  run();
  expect((await stat(path)).ino).toBe(once.ino);

  const other = spawnSync(process.execPath, [join(root, 'main.cjs'), 'status'], {
    env: { HOME: home },
    encoding: 'utf8',
  });
  expect(other.stdout).toBe('A\n');
  expect(await words()).toBe('-,status');
});

test('where Node has a cache of its own, that one is used, in the same folder', async () => {
  const path = join(root, 'newer.cjs');
  const fake = "(folder) => console.log('enabled ' + folder)";
  await writeFile(path, `require('node:module').enableCompileCache = ${fake};`);
  expect(run({ HOME: home }, ['--require', path])).toBe(`enabled ${folder()}\nA`);
  expect(await kept()).toEqual([]);
});
