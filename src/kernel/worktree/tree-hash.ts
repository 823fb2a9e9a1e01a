/** The identity of everything in a tree that can change what a check does. */
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../base/errors.ts';
import { type FilePort, ignoring } from '../base/files.ts';
import { canonicalJson, sha256 } from '../base/hash.ts';
import { type LockPorts, withLock } from '../base/lock.ts';
import { type ExcludeSources, readExcludeSources } from './exclude-sources.ts';
import { checksumOf, distrustSince, readEntries } from './index-file.ts';
import { createPrivateGit, gitFailed, type PrivateGit, splitNames } from './private-git.ts';
import { type Env, isOwnPath, placeStore, prepareStore, type StorePlace } from './store-folder.ts';
import { forgetState, type Part, readState, type TreeState, writeState } from './tree-state.ts';
import { findTrackedIgnored } from './tracked-ignored.ts';

/** The store's clock and the tree's may differ by a little, and both are cut to whole seconds. */
const CLOCK_MARGIN_S = 2;

/** Each lasts as long as `withLock` is patient. */
const MAX_TURNS = 24;

export interface TreeId {
  /** `t1:` and 64 hex digits. Equal when the files that count, and the rules for what counts, are equal. */
  readonly hash: string;
  /** Git's id of the tree in the private store. */
  readonly tree: string;
}

export interface StorePorts {
  /** The person's folder of `cc`. */
  readonly home: string;
  readonly files: FilePort;
  readonly locks: LockPorts;
  readonly env: Env;
}

export interface Store extends StorePorts {
  readonly place: StorePlace;
  readonly git: PrivateGit;
}

export async function openStore(root: string, ports: StorePorts): Promise<Store> {
  const place = await placeStore({ root, ...ports });
  return { ...ports, place, git: createPrivateGit(place, ports.env) };
}

/**
 * Reads the tree as it is now.
 *
 * @throws {CcError} `TOOL_EXECUTION_FAILED` when a file or folder that counts cannot be read: it could hide
 * anything. `SESSION_BUSY` while another process hashes the same tree. `REQUEST_CANCELLED`.
 */
export async function hashTree(store: Store, signal?: AbortSignal): Promise<TreeId> {
  const { tree, excludes } = await readTree(store, signal);
  return { tree, hash: `t1:${sha256(canonicalJson({ tree, excludes }))}` };
}

/** Reads every file again, whatever the store believes. For a store that lost something. */
export async function rebuildTree(store: Store, signal?: AbortSignal): Promise<void> {
  await forget(store);
  await hashTree(store, signal);
}

interface TreeReading {
  readonly tree: string;
  /** Digest of the rules outside of the tree, by the path of the repository that they belong to. */
  readonly excludes: readonly (readonly [path: string, digest: string])[];
}

async function readTree(store: Store, signal: AbortSignal | undefined): Promise<TreeReading> {
  const { place, files, locks, git, env } = store;
  const sources = await readExcludeSources(place, git, env);
  await prepare(store, sources, []);
  const lock = join(place.folder, 'lock');
  return inTurn({ lock, locks, signal }, async () => {
    // Whoever held it is gone; nobody else writes this index.
    for (const name of ['index.lock', 'index.all.lock'])
      await files.remove(join(place.folder, name));
    const reading = { store, sources, signal, startedAt: (await stat(lock)).mtimeMs / 1000 };
    try {
      return await readOnce(reading);
    } catch (error) {
      if (error instanceof CcError && error.code !== 'TOOL_EXECUTION_FAILED') {
        if (error.code !== 'SESSION_DAMAGED') throw error;
      }
      // A damaged store heals by reading all files again. A file that cannot be read fails again.
      await forget(store);
      return readOnce(reading);
    }
  });
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

interface Reading {
  readonly store: Store;
  readonly sources: ExcludeSources;
  readonly signal: AbortSignal | undefined;
  /** Seconds since 1970 by the clock of the store's file system. */
  readonly startedAt: number;
}

async function readOnce(reading: Reading): Promise<TreeReading> {
  const { store, sources, signal } = reading;
  const { place, files } = store;
  const before = await trustedState(store);
  const rules = `${sources.digest} ${await indexIdentity(place)}`;
  const known = await stillRepositories(place, before?.nested ?? []);
  const nested = await addAll(reading, known);

  const index = await checksum(place);
  const isSame =
    before?.index === index &&
    before.rules === rules &&
    before.nested.join('\0') === nested.join('\0');
  const base = isSame ? before : await settle(reading, nested);
  const inner = await readNested(store, base.nested, signal);
  const isWhole = isSame && canonicalJson(before.parts) === canonicalJson(inner.parts);
  const tree = isWhole ? before.tree : await combine(reading, base.base, inner);
  const state = { ...base, rules, parts: inner.parts, tree };
  if (!isSame || !isWhole) await writeState(files, place.folder, state);
  return { tree, excludes: [['', sources.digest], ...inner.excludes] };
}

/** Brings the private index in line with the files. Returns the repositories that it kept out. */
async function addAll(reading: Reading, known: readonly string[]): Promise<readonly string[]> {
  const { store, signal } = reading;
  const first = await add(reading, known);
  if (first === undefined) return known;
  // A repository without a commit cannot be added; git lists it with a slash at its end.
  const list = ['ls-files', '-z', '-o', '--exclude-standard'];
  const others = splitNames(await store.git.run([...globalRules(reading), ...list], { signal }));
  const found = others.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  const nested = [...new Set([...known, ...found])].sort();
  const second = nested.length === known.length ? first : await add(reading, nested);
  if (second !== undefined) throw second;
  return nested;
}

/** @returns Why not everything could be added. */
async function add(reading: Reading, without: readonly string[]): Promise<CcError | undefined> {
  const { store, signal } = reading;
  const outside = without.map((path) => `:(exclude,top,literal)${path}`);
  const all = ['add', '-A', '--no-warn-embedded-repo', '--', ':/', ...outside];
  const result = await store.git.ask([...globalRules(reading), ...all], { signal });
  // A folder that cannot be read is only worth a warning to git.
  const isWhole = result.exitCode === 0 && !result.stderr.includes('could not open directory');
  return isWhole ? undefined : gitFailed(store.place, result);
}

/**
 * Takes out of the index what does not count (ignored by now, a repository of its own, ours) and puts in what
 * counts although it is ignored, since the person's repository tracks it.
 */
async function settle(
  reading: Reading,
  known: readonly string[],
): Promise<Pick<TreeState, 'index' | 'base' | 'nested'>> {
  const { store, signal } = reading;
  const { git } = store;
  const entries = readEntries(await readIndex(store.place));
  const ignored = ['ls-files', '-z', '-i', '-c', '--exclude-standard'];
  const [hidden, tracked] = await Promise.all([
    git.run([...globalRules(reading), ...ignored], { signal }).then(splitNames),
    findTrackedIgnored(store.place, git, globalRules(reading)),
  ]);
  const repositories = entries.filter(({ isRepository }) => isRepository).map(({ path }) => path);
  const ours = entries.filter(({ path }) => isOwnPath(path)).map(({ path }) => path);
  const kept = new Set(tracked.files);
  const gone = [...repositories, ...ours, ...hidden.filter((path) => !kept.has(path))];
  await update(git, '--force-remove', gone);
  await update(git, '--add', tracked.files);
  const base = (await git.run(['write-tree'], { signal })).toString().trim();
  const nested = [...new Set([...known, ...repositories, ...tracked.repositories])].sort();
  return { base, nested, index: await sealIndex(reading) };
}

async function update(git: PrivateGit, how: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join('');
  await git.run(['update-index', how, '-z', '--stdin'], { input });
}

/** See `index-file.ts` for why. Returns the checksum of the index as it then is. */
async function sealIndex({ store, startedAt }: Reading): Promise<string> {
  const { place, files } = store;
  const bytes = await readIndex(place);
  const since = Math.floor(startedAt) - CLOCK_MARGIN_S;
  const sealed = distrustSince(bytes, readEntries(bytes), since);
  if (sealed === undefined) return checksumOf(bytes);
  const draft = join(place.folder, 'index.sealed');
  await files.remove(draft);
  await files.writeNew(draft, sealed);
  await files.rename(draft, join(place.folder, 'index'));
  return checksumOf(sealed);
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
  signal: AbortSignal | undefined,
): Promise<NestedReading> {
  const parts: Part[] = [];
  const folders: string[] = [];
  const excludes: [string, string][] = [];
  for (const path of paths) {
    const inner = await openStore(join(place.top, path), ports);
    const reading = await readTree(inner, signal);
    parts.push({ path, tree: reading.tree });
    folders.push(inner.place.folder);
    for (const [below, digest] of reading.excludes) {
      excludes.push([below === '' ? path : `${path}/${below}`, digest]);
    }
  }
  return { parts, folders, excludes };
}

/** One tree of all, so that a difference inside of an inner repository has a path. */
async function combine(reading: Reading, base: string, inner: NestedReading): Promise<string> {
  const { store, sources, signal } = reading;
  if (inner.parts.length === 0) return base;
  await prepare(store, sources, inner.folders);
  const call = { signal, indexFile: join(store.place.folder, 'index.all') };
  await store.git.run(['read-tree', base], call);
  for (const { path, tree } of inner.parts) {
    await store.git.run(['read-tree', `--prefix=${path}/`, tree], call);
  }
  return (await store.git.run(['write-tree'], call)).toString().trim();
}

async function prepare(store: Store, sources: ExcludeSources, inner: readonly string[]) {
  const { place, files } = store;
  const shared = place.repository !== undefined && sources.usesSha1;
  const own = shared ? [join(place.repository.commonDir, 'objects')] : [];
  const alternates = [...own, ...inner.map((folder) => join(folder, 'objects'))];
  await prepareStore(place, files, { rules: sources.rules, alternates });
}

/** An index that was not sealed, because its writer was killed, may be wrong about the last second. */
async function trustedState(store: Store): Promise<TreeState | undefined> {
  const state = await readState(store.place.folder);
  if (state !== undefined && state.index === (await checksum(store.place))) return state;
  await forget(store);
  return undefined;
}

async function forget({ files, place }: Store): Promise<void> {
  await forgetState(files, place.folder);
  for (const name of ['index', 'index.all']) await files.remove(join(place.folder, name));
}

function globalRules({ sources }: Reading): readonly string[] {
  // An empty value is a file that does not exist.
  return ['-c', `core.excludesFile=${sources.globalFile ?? ''}`];
}

/** No bytes when there is no index: git makes none for a tree without files. */
async function readIndex({ folder }: StorePlace): Promise<Buffer> {
  return (await readFile(join(folder, 'index')).catch(ignoring('ENOENT'))) ?? Buffer.alloc(0);
}

async function checksum(place: StorePlace): Promise<string> {
  return checksumOf(await readIndex(place));
}

/** Changes when the person's index does, which decides what is tracked although it is ignored. */
async function indexIdentity({ repository }: StorePlace): Promise<string> {
  if (repository === undefined) return '';
  const path = join(repository.gitDir, 'index');
  const found = await lstat(path, { bigint: true }).catch(ignoring('ENOENT'));
  return found === undefined ? '' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
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
