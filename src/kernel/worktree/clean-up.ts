/** Takes out of a private store what nobody needs any more, once it has grown. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoring } from '../base/files.ts';
import { borrowingFrom, findMissing } from './objects.ts';
import type { Store } from './store.ts';

/** Objects are spread evenly over 256 folders: one of them tells how many there are. */
const SAMPLE = 'objects/17';
const LEFT_S = 86_400;
const LIST = ['rev-list', '--objects', '--no-object-names', '--missing=allow-any', '--stdin'];

export interface Usage {
  /** Trees that must stay, besides those that have a name: that of the index above all. */
  readonly trees: readonly string[];
  /** What `cleanUp` answered the last time; 0 at first. */
  readonly objects: number;
  /** Seconds since 1970. */
  readonly at: number;
}

/**
 * Removes objects that no tree in use has, when they are old and when many others came since the last time. To
 * be called under the lock of the store, with its index settled. What cannot be done is left for another time.
 *
 * @returns How many objects there are now, in the measure of `Usage`.
 * @throws {CcError} `REQUEST_CANCELLED`.
 */
export async function cleanUp(
  store: Store,
  { trees, objects, at }: Usage,
  signal: AbortSignal | undefined,
): Promise<number> {
  const before = await countSample(store);
  if (before - objects <= store.limits.maxGrowth) return Math.min(before, objects);
  const live = await findLive(store, trees, signal);
  if (live !== undefined) await removeUnused(store, live, at - store.limits.unusedMs / 1000);
  return countSample(store);
}

/**
 * All objects that are in use; `undefined` when git cannot tell. A tree that lost something keeps the rest of
 * it: the person's repository, which lends, may drop what it no longer needs itself.
 */
async function findLive(
  store: Store,
  trees: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const borrowers = await findBorrowers(store);
  const users = [store.place.folder, ...borrowers];
  const named = await Promise.all(users.map((folder) => namedTrees(store, folder, signal)));
  const roots = [...new Set([...trees, ...named.flat()])];
  const vars = borrowingFrom(borrowers);
  const missing = await findMissing(store, roots, { signal, vars });
  const sound = roots.filter((tree) => !missing.has(tree));
  const input = sound.map((tree) => `${tree}\n`).join('');
  const listed = await store.git.ask(LIST, { signal, vars, input });
  if (listed.exitCode !== 0) return undefined;
  return new Set(listed.stdout.toString('latin1').split('\n'));
}

/** Of single objects; what is in a bundle stays. */
async function removeUnused(
  { place, files }: Store,
  live: ReadonlySet<string>,
  before: number,
): Promise<void> {
  const objects = join(place.folder, 'objects');
  const folders = (await namesIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const folder of folders) {
    const names = await namesIn(join(objects, folder));
    for (const name of names.filter((one) => !live.has(`${folder}${one}`))) {
      const path = join(objects, folder, name);
      const found = await lstat(path).catch(ignoring('ENOENT'));
      if (found !== undefined && found.mtimeMs / 1000 < before) await files.remove(path);
    }
  }
}

async function countSample({ place }: Store): Promise<number> {
  return (await namesIn(join(place.folder, SAMPLE))).length;
}

/**
 * Removes what killed processes left half-made. To be called under the lock of the store, before anything is
 * written: nobody else writes objects then, and a lent one is in use only for as long as a patch takes.
 *
 * @param at Seconds since 1970.
 */
export async function removeLeftovers({ place, files }: Store, at: number): Promise<void> {
  for (const folder of ['objects', 'objects/pack'].map((name) => join(place.folder, name))) {
    const left = (await namesIn(folder)).filter((name) => name.startsWith('tmp_'));
    for (const name of left) await files.removeFolder(join(folder, name));
  }
  const lent = join(place.folder, 'lent');
  for (const path of (await namesIn(lent)).map((name) => join(lent, name))) {
    const found = await lstat(path).catch(ignoring('ENOENT'));
    if (found !== undefined && at - found.mtimeMs / 1000 > LEFT_S) await files.removeFolder(path);
  }
}

/** Stores of repositories around this one, whose trees are made of objects of this one. */
async function findBorrowers({ place }: Store): Promise<readonly string[]> {
  const parent = dirname(place.folder);
  const others = (await namesIn(parent)).map((name) => join(parent, name));
  const lenders = await Promise.all(
    others.map(async (folder) => [folder, await lendersOf(folder)] as const),
  );
  const found = [place.folder];
  // Grows while it is walked: a borrower of a borrower needs them too.
  for (const lender of found) {
    const borrowers = lenders.filter(([, names]) => names.includes(join(lender, 'objects')));
    found.push(...borrowers.map(([folder]) => folder).filter((folder) => !found.includes(folder)));
  }
  return found.slice(1);
}

async function lendersOf(folder: string): Promise<readonly string[]> {
  const path = join(folder, 'objects/info/alternates');
  const text = await readFile(path, 'utf8').catch(ignoring('ENOENT', 'ENOTDIR'));
  return text?.split('\n') ?? [];
}

async function namedTrees(
  { git }: Store,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const list = ['for-each-ref', '--format=%(objectname)'];
  const output = await git.run([`--git-dir=${folder}`, ...list], { signal });
  return output
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? [];
}
