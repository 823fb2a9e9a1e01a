// One build at a time: two test runs that begin together would else replace each other's files.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;
/** The file is made and filled in two steps, between which it names nobody. */
const EMPTY_MS = 1_000;

/** Runs `work` alone. A holder that is gone loses the lock. */
export async function withBuildLock(path, work) {
  const until = performance.now() + PATIENCE_MS;
  while (!(await claim(path))) {
    if (performance.now() > until) throw new Error(`Another build holds ${path}`);
    if (await isLeft(path)) await rm(path, { force: true });
    else await sleep(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function claim(path) {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isLeft(path) {
  const [text, found] = await Promise.all([
    readFile(path, 'utf8').catch(() => undefined),
    stat(path).catch(() => undefined),
  ]);
  if (text === undefined || found === undefined) return false;
  if (text === '') return Date.now() - found.mtimeMs > EMPTY_MS;
  try {
    process.kill(Number(text), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
