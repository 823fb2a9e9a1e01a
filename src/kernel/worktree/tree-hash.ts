/** The identity of everything in a tree that can change what a check does. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../base/errors.ts';
import { canonicalJson, sha256 } from '../base/hash.ts';
import { type LockPorts, withLock } from '../base/lock.ts';
import { type ExcludeSources, readExcludeSources } from './exclude-sources.ts';
import { makeStoreFolder, type StorePlace, writeStoreFiles } from './store-folder.ts';
import { openStore, type Store } from './store.ts';
import {
  addAll,
  addWithoutEmpty,
  indexIdentity,
  type Look,
  readChecksum,
  settle,
} from './tree-index.ts';
import { forgetState, type Part, readState, type TreeState, writeState } from './tree-state.ts';

/** Each lasts as long as `withLock` is patient. */
const MAX_TURNS = 24;
const LEFT_BY_GIT = ['index.lock', 'index.all.lock'];

export interface TreeId {
  /** `t1:` and 64 hex digits. Equal when the files that count, and the rules for what counts, are equal. */
  readonly hash: string;
  /** Git's id of the tree in the private store. */
  readonly tree: string;
}

/**
 * Reads the tree as it is now.
 *
 * @throws {CcError} `TOOL_EXECUTION_FAILED` when a file or folder that counts cannot be read: it could hide
 * anything. `SESSION_BUSY` while another process hashes the same tree. `REQUEST_CANCELLED`.
 */
export async function hashTree(store: Store, signal?: AbortSignal): Promise<TreeId> {
  const { tree, excludes } = await readTree(store, { signal, isFresh: false });
  return { tree, hash: `t1:${sha256(canonicalJson({ tree, excludes }))}` };
}

/** Reads every file again, whatever the store believes. For a store that lost something. */
export async function rebuildTree(store: Store): Promise<void> {
  await readTree(store, { signal: undefined, isFresh: true });
}

interface Wish {
  readonly signal: AbortSignal | undefined;
  /** Without what is remembered. */
  readonly isFresh: boolean;
}

interface TreeReading {
  readonly tree: string;
  /** Digest of the rules outside of the tree, by the path of the repository that they belong to. */
  readonly excludes: readonly (readonly [path: string, digest: string])[];
}

async function readTree(store: Store, wish: Wish): Promise<TreeReading> {
  const { signal, isFresh } = wish;
  const { place, files, locks, git, env } = store;
  const sources = readExcludeSources(place, git, env);
  // Awaited under the lock; a failure before that is not lost.
  sources.catch(() => undefined);
  await makeStoreFolder(place, files);
  const lock = join(place.folder, 'lock');
  return inTurn({ lock, locks, signal }, async () => {
    // Whoever held it is gone; nobody else writes this index.
    for (const name of LEFT_BY_GIT) await files.remove(join(place.folder, name));
    const startedAt = (await stat(lock)).mtimeMs / 1000;
    const reading = { store, sources, startedAt, signal, isFresh };
    if (isFresh) await forget(store);
    try {
      return await readOnce(reading);
    } catch (error) {
      if (!mayHeal(error)) throw error;
      await forget(store);
      return readOnce({ ...reading, isFresh: true });
    }
  });
}

/** A damaged store heals when all files are read again. A file that cannot be read then fails again. */
function mayHeal(error: unknown): boolean {
  if (!(error instanceof CcError)) return false;
  return error.code === 'TOOL_EXECUTION_FAILED' || error.code === 'SESSION_DAMAGED';
}

interface Turn {
  readonly lock: string;
  readonly locks: LockPorts;
  readonly signal: AbortSignal | undefined;
}

/** The first look at a large tree takes longer than anybody waits for a lock, so this waits more than once. */
async function inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return work();
  };
  for (let left = MAX_TURNS; ; left--) {
    try {
      return await withLock(turn.lock, turn.locks, begin);
    } catch (error) {
      const isBusy = error instanceof CcError && error.code === 'SESSION_BUSY';
      if (hasBegun || !isBusy || left === 0 || turn.signal?.aborted) throw error;
    }
  }
}

interface Reading extends Wish {
  readonly store: Store;
  /** Being read. */
  readonly sources: Promise<ExcludeSources>;
  /** Seconds since 1970 by the clock of the store's file system. */
  readonly startedAt: number;
}

async function readOnce(reading: Reading): Promise<TreeReading> {
  const { store } = reading;
  const { place, files } = store;
  const before = await trustedState(store);
  const known = await stillRepositories(place, before?.nested ?? []);
  const { look, sources, problem } = await lookAround(reading, before, known);
  const nested = problem === undefined ? known : await addWithoutEmpty(look, known, problem);

  const rules = `${sources.digest} ${await indexIdentity(place)}`;
  const isSame =
    before?.index === (await readChecksum(place)) &&
    before.rules === rules &&
    before.nested.join('\0') === nested.join('\0');
  const base = isSame ? before : await settle(look, nested, reading.startedAt);
  const inner = await readNested(store, base.nested, reading);
  const isWhole = isSame && canonicalJson(before.parts) === canonicalJson(inner.parts);
  const tree = isWhole ? before.tree : await combine(look, sources, { base: base.base, inner });
  const { globalFile } = sources;
  const state = { ...base, globalFile, rules, parts: inner.parts, tree };
  if (!isSame || !isWhole) await writeState(files, place.folder, state);
  return { tree, excludes: [['', sources.digest], ...inner.excludes] };
}

interface Surroundings {
  readonly look: Look;
  readonly sources: ExcludeSources;
  /** Why not all files could be added to the index. */
  readonly problem: CcError | undefined;
}

/**
 * Adds all files to the index. That takes most of the time, so it begins with the rules of the last time; only
 * when these turn out to be others, it is done again.
 */
async function lookAround(
  reading: Reading,
  before: TreeState | undefined,
  known: readonly string[],
): Promise<Surroundings> {
  const { store, signal } = reading;
  const guess = before && { store, signal, globalFile: before.globalFile };
  const early = guess && addAll(guess, known);
  // It may fail while the rules are read; until it is awaited below that must not count as unhandled.
  void early?.catch(() => undefined);
  try {
    const sources = await reading.sources;
    const isChanged = await writeFiles(store, sources, []);
    const look = { store, signal, globalFile: sources.globalFile };
    const isRight = early !== undefined && !isChanged && guess?.globalFile === look.globalFile;
    // Two at once would fight for the index.
    const first = await early;
    return { look, sources, problem: isRight ? first : await addAll(look, known) };
  } finally {
    await early?.catch(() => undefined);
  }
}

interface NestedReading {
  readonly parts: Part[];
  readonly folders: readonly string[];
  readonly excludes: TreeReading['excludes'];
}

/** Each repository inside has rules, attributes and a store of its own. */
async function readNested(
  { place, ...ports }: Store,
  paths: readonly string[],
  wish: Wish,
): Promise<NestedReading> {
  const parts: Part[] = [];
  const folders: string[] = [];
  const excludes: [string, string][] = [];
  for (const path of paths) {
    const inner = await openStore(join(place.top, path), ports);
    const reading = await readTree(inner, wish);
    parts.push({ path, tree: reading.tree });
    folders.push(inner.place.folder);
    for (const [below, digest] of reading.excludes) {
      excludes.push([below === '' ? path : `${path}/${below}`, digest]);
    }
  }
  return { parts, folders, excludes };
}

/** One tree of all, so that a difference inside of an inner repository has a path. */
async function combine(
  { store, signal }: Look,
  sources: ExcludeSources,
  { base, inner }: { readonly base: string; readonly inner: NestedReading },
): Promise<string> {
  if (inner.parts.length === 0) return base;
  await writeFiles(store, sources, inner.folders);
  const call = { signal, indexFile: join(store.place.folder, 'index.all') };
  await store.git.run(['read-tree', base], call);
  for (const { path, tree } of inner.parts) {
    await store.git.run(['read-tree', `--prefix=${path}/`, tree], call);
  }
  return (await store.git.run(['write-tree'], call)).toString().trim();
}

/** @param inner Stores of the repositories inside. */
function writeFiles(
  { place, files }: Store,
  { rules, usesSha1 }: ExcludeSources,
  inner: readonly string[],
): Promise<boolean> {
  const shared = usesSha1 && place.repository ? [place.repository.commonDir] : [];
  const alternates = [...shared, ...inner].map((folder) => join(folder, 'objects'));
  return writeStoreFiles(place, files, { rules, alternates });
}

/** An index that was not sealed, because its writer was killed, may be wrong about the last second. */
async function trustedState(store: Store): Promise<TreeState | undefined> {
  const state = await readState(store.place.folder);
  if (state !== undefined && state.index === (await readChecksum(store.place))) return state;
  await forget(store);
  return undefined;
}

async function forget({ files, place }: Store): Promise<void> {
  await forgetState(files, place.folder);
  for (const name of ['index', 'index.all']) await files.remove(join(place.folder, name));
}

/** Those that are still there. One without its `.git` is a folder like any other again. */
async function stillRepositories(place: StorePlace, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const full = join(place.top, path);
      const hasGit = await lstat(join(full, '.git')).catch(() => undefined);
      return hasGit !== undefined && (await realpath(full)) === full ? path : undefined;
    }),
  );
  return found.filter((path) => path !== undefined);
}
