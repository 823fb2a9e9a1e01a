/** Reads files into the private index, and their contents into the store as far as its limits go. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readEntries } from './index-file.ts';
import { findMissing, type TreeFile } from './objects.ts';
import type { PrivateGit } from './private-git.ts';
import { readIndex, updateIndex } from './private-index.ts';
import type { StorePlace } from './store-folder.ts';
import type { Store } from './store.ts';
import type { Look } from './tree-scan.ts';

const ADD = ['--add', '--remove'];
/** Fewer files than this may lie in the store one by one. */
const BUNDLE_FROM = 500;
/** Git compares each file of a bundle with all others. */
const MAX_BUNDLE = 10_000;

export interface Intake {
  readonly paths: readonly string[];
  /** Files whose content was not kept at an earlier look. */
  readonly unkept: readonly TreeFile[];
  /** Whether nothing was read into this store before. */
  readonly isNew: boolean;
}

/**
 * @returns Files of which only the hash was taken. The store may have the content of some all the same.
 * @throws {CcError} `TOOL_EXECUTION_FAILED` when one cannot be read.
 */
export async function takeIn(look: Look, intake: Intake): Promise<readonly string[]> {
  const { maxFileBytes, maxLookBytes } = look.store.limits;
  const sized = bySize(look.store.place, intake.paths);
  const small = sized.filter(({ bytes }) => bytes <= maxFileBytes);
  const large = namesOf(sized.slice(small.length));
  await hashOnly(look, large);
  const same = await findSame(look, namesOf(small), intake.unkept);
  const fresh = small.filter(({ path }) => !same.has(path));
  if (countFitting(fresh, maxLookBytes) === fresh.length) {
    await addContents(look, namesOf(fresh), intake.isNew);
    return large;
  }
  // What the repository has needs no room in the store, and only the hash tells.
  await hashOnly(look, namesOf(fresh));
  const absent = new Set((await findWithoutContent(look, namesOf(fresh))).map(({ path }) => path));
  const wanted = fresh.filter(({ path }) => absent.has(path));
  const count = countFitting(wanted, maxLookBytes);
  const kept = namesOf(wanted.slice(0, count));
  await takeOut(look, kept);
  await addContents(look, kept, intake.isNew);
  return [...large, ...namesOf(wanted.slice(count))];
}

/**
 * Those that did not fit in at an earlier look, and that only had to be hashed once more: they stay out, or
 * every look would take in another part of what is too much.
 */
async function findSame(
  look: Look,
  paths: readonly string[],
  unkept: readonly TreeFile[],
): Promise<ReadonlySet<string>> {
  const before = new Map(unkept.map(({ path, id }) => [path, id]));
  const again = paths.filter((path) => before.has(path));
  if (again.length === 0) return new Set();
  await hashOnly(look, again);
  const now = await indexed(look.store, again);
  const same = new Set(
    now.filter(({ path, id }) => before.get(path) === id).map(({ path }) => path),
  );
  await takeOut(
    look,
    again.filter((path) => !same.has(path)),
  );
  return same;
}

function hashOnly({ store, signal }: Look, paths: readonly string[]): Promise<void> {
  // Git packs what is very large, and then does not write it.
  const config = ['-c', 'pack.compression=0'];
  return updateIndex(store, { how: ['--info-only', ...ADD], paths, config }, signal);
}

/** Git does not read again what stands in the index. */
function takeOut({ store, signal }: Look, paths: readonly string[]): Promise<void> {
  return updateIndex(store, { how: ['--force-remove'], paths }, signal);
}

/** Those of `paths` in the index whose content the store does not have. */
export async function findWithoutContent(
  { store, signal }: Look,
  paths: readonly string[],
): Promise<TreeFile[]> {
  const files = await indexed(store, paths);
  const ids = files.map(({ id }) => id);
  const missing = await findMissing(store, ids, { signal });
  return files.filter(({ id }) => missing.has(id));
}

/** As the index has them. */
async function indexed({ place }: Store, paths: readonly string[]): Promise<TreeFile[]> {
  if (paths.length === 0) return [];
  const asked = new Set(paths);
  const entries = readEntries(await readIndex(place)).filter(({ path }) => asked.has(path));
  return entries.map(({ path, id }) => ({ path, id }));
}

/**
 * The first look at a large tree takes all of it in. As single files that is several times slower and takes
 * many times the room on the disk; but what is in a bundle stays there, so later contents are single files.
 */
async function addContents(
  { store, signal }: Look,
  paths: readonly string[],
  isNew: boolean,
): Promise<void> {
  const isMany = isNew && paths.length >= BUNDLE_FROM && (await canBundle(store.git));
  if (!isMany) return updateIndex(store, { how: ADD, paths }, signal);
  const config = ['-c', 'core.bigFileThreshold=1'];
  for (let at = 0; at < paths.length; at += MAX_BUNDLE) {
    const some = paths.slice(at, at + MAX_BUNDLE);
    await updateIndex(store, { how: ADD, paths: some, config }, signal);
  }
}

/** Before 2.37, git made a bundle of its own for each file. */
async function canBundle(git: PrivateGit): Promise<boolean> {
  const { stdout } = await git.ask(['--version']);
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout.toString())?.map(Number) ?? [];
  return major > 2 || (major === 2 && minor >= 37);
}

interface SizedPath {
  readonly path: string;
  readonly bytes: number;
}

/** The smallest first. Synchronous: for ten thousands of files, threads take longer than the disk. */
function bySize({ top }: StorePlace, paths: readonly string[]): SizedPath[] {
  const sized = paths.map((path) => ({ path, bytes: sizeOf(join(top, path)) }));
  return sized.sort((a, b) => a.bytes - b.bytes);
}

/** What cannot be looked at has no size here: git says why. */
function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}

function countFitting(files: readonly SizedPath[], maxBytes: number): number {
  let total = 0;
  const end = files.findIndex(({ bytes }) => (total += bytes) > maxBytes);
  return end === -1 ? files.length : end;
}

function namesOf(files: readonly SizedPath[]): readonly string[] {
  return files.map(({ path }) => path);
}
