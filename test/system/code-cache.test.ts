import { spawnSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';

/** The user nobody of Debian. */
const NOBODY = 65_534;

async function filesAfterStart(prepare: (home: string) => Promise<void>): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), 'cc-foreign-'));
  try {
    await prepare(home);
    spawnSync(process.execPath, [join(ROOT, 'dist/cc.cjs'), '--help'], { env: { HOME: home } });
    const names = await readdir(home, { recursive: true });
    return names.filter((name) => name.endsWith('.bin'));
  } finally {
    await rm(home, { recursive: true });
  }
}

test('in a home of their own, something is kept', async () => {
  expect(await filesAfterStart(async () => undefined)).not.toEqual([]);
});

test.each([
  ['the home', (home: string) => chown(home, NOBODY, NOBODY)],
  [
    'the cache folder',
    async (home: string) => {
      const folder = join(home, '.cache/chainlesschain/code');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chown(folder, NOBODY, NOBODY);
    },
  ],
])('root keeps nothing where %s belongs to somebody else', async (_what, prepare) => {
  expect(await filesAfterStart(prepare)).toEqual([]);
});
