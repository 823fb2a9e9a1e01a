/** The identity of everything in a tree that can change what a check does. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../base/errors.ts';
import { canonicalJson, sha256 } from '../base/hash.ts';
import { type ExcludeSources, readExcludeSources } from './exclude-sources.ts';
import { makeStoreFolder, type StorePlace, writeStoreFiles } from './store-folder.ts';
import { openStore, type Store } from './store.ts';
import { indexIdentity, settle } from './tree-index.ts';
import { type Look, scanTree, type TreeScan } from './tree-scan.ts';
import { forget, isTrusted, remember } from './tree-memory.ts';
import { type Part, readState, type TreeState } from './tree-state.ts';
import { inTurn } from './turns.ts';

const LEFT_BY_GIT = ['index.lock', 'index.all.lock'];

export interface TreeId {
  /** `t1:` and 64 hex digits. Equal when the files that count, and the rules for what counts, are equal. */
  readonly hash: string;
  /** Git's id of the tree in the private store. */
  readonly tree: string;
  /**
   * Files that count like all others, but whose content is too large to be kept: once such a file has changed,
   * `show` and `patch` no longer have it. Paths as in `TreeStore.diff`.
   */
  readonly unkept: readonly string[];
}

/**
 * Reads the tree as it is now. Paths are relative to its top.
 *
 * @throws {CcError} `TOOL_EXECUTION_FAILED` when a file or folder that counts cannot be read: it could hide
 * anything. `SESSION_BUSY` while another process hashes the same tree. `REQUEST_CANCELLED`.
 */
export async function hashTree(store: Store, signal?: AbortSignal): Promise<TreeId> {
  const { tree, excludes, unkept } = await readTree(store, { signal, isFresh: false });
  return { tree, hash: `t1:${sha256(canonicalJson({ tree, excludes }))}`, unkept };
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
  readonly unkept: readonly string[];
}

async function readTree(store: Store, wish: Wish): Promise<TreeReading> {
  const { signal } = wish;
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
    const last = await readState(place.folder);
    const reading = { ...wish, store, sources, startedAt, last };
    try {
      return await readOnce(reading);
    } catch (error) {
      if (!mayHeal(error)) throw error;
      return readOnce({ ...reading, isFresh: true });
    }
  });
}

/** A damaged store heals when all files are read again. A file that cannot be read then fails again. */
function mayHeal(error: unknown): boolean {
  if (!(error instanceof CcError)) return false;
  return error.code === 'TOOL_EXECUTION_FAILED' || error.code === 'SESSION_DAMAGED';
}

interface Reading extends Wish {
  readonly store: Store;
  /** Being read. */
  readonly sources: Promise<ExcludeSources>;
  /** Seconds since 1970 by the clock of the store's file system. */
  readonly startedAt: number;
  /** What is remembered, of whatever index. */
  readonly last: TreeState | undefined;
}

async function readOnce(reading: Reading): Promise<TreeReading> {
  const { store, startedAt, last, signal } = reading;
  const isKnown = last !== undefined && !reading.isFresh && (await isTrusted(store, last));
  const before = isKnown ? last : undefined;
  if (before === undefined) await forget(store);
  const { look, sources, scan } = await lookAround(reading, before);
  const nested = await nestedNow(store.place, before, scan);

  const rules = `${sources.digest} ${await indexIdentity(store.place)}`;
  const isSame =
    before !== undefined &&
    scan.changed.length + scan.removed.length === 0 &&
    before.rules === rules &&
    before.nested.join('\0') === nested.join('\0');
  const settling = { scan, startedAt, unkept: last?.unkept ?? [], isNew: before === undefined };
  const base = isSame ? before : await settle(look, settling);
  const inner = await readNested(store, base.nested, reading);
  const isWhole = isSame && canonicalJson(before.parts) === canonicalJson(inner.parts);
  const tree = isWhole ? before.tree : await combine(look, sources, { base: base.base, inner });
  if (!isWhole) {
    const { globalFile } = sources;
    const found = { ...base, globalFile, rules, parts: inner.parts, tree };
    await remember(store, { found, last, at: startedAt, signal });
  }
  const excludes = [['', sources.digest] as const, ...inner.excludes];
  const unkept = [...base.unkept.map(({ path }) => path), ...inner.unkept];
  return { tree, excludes, unkept };
}

interface Surroundings {
  readonly look: Look;
  readonly sources: ExcludeSources;
  readonly scan: TreeScan;
}

/**
 * The scan takes most of the time, so it begins with the rules of the last time; only when these turn out to be
 * others, it is done again.
 */
async function lookAround(reading: Reading, before: TreeState | undefined): Promise<Surroundings> {
  const { store, signal } = reading;
  const guess = before && { store, signal, globalFile: before.globalFile };
  const early = guess && scanTree(guess);
  // It may fail while the rules are read; until it is awaited below that must not count as unhandled.
  void early?.catch(() => undefined);
  try {
    const sources = await reading.sources;
    const isChanged = await writeFiles(store, sources, []);
    const look = { store, signal, globalFile: sources.globalFile };
    const isRight = !isChanged && guess?.globalFile === look.globalFile;
    const scan = isRight && early !== undefined ? await early : await scanTree(look);
    return { look, sources, scan };
  } finally {
    await early?.catch(() => undefined);
  }
}

interface NestedReading {
  readonly parts: Part[];
  readonly folders: readonly string[];
  readonly excludes: TreeReading['excludes'];
  readonly unkept: readonly string[];
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
  const unkept: string[] = [];
  for (const path of paths) {
    const inner = await openStore(join(place.top, path), ports);
    const reading = await readTree(inner, wish);
    parts.push({ path, tree: reading.tree });
    folders.push(inner.place.folder);
    for (const [below, digest] of reading.excludes) {
      excludes.push([below === '' ? path : `${path}/${below}`, digest]);
    }
    unkept.push(...reading.unkept.map((below) => `${path}/${below}`));
  }
  return { parts, folders, excludes, unkept };
}

/** One tree of all, so that a difference inside of an inner repository has a path. */
async function combine(
  { store, signal }: Look,
  sources: ExcludeSources,
  { base, inner }: { readonly base: string; readonly inner: NestedReading },
): Promise<string> {
  if (inner.parts.length === 0) return base;
  await writeFiles(store, sources, inner.folders);
  const call = { signal, vars: { GIT_INDEX_FILE: join(store.place.folder, 'index.all') } };
  await store.git.run(['read-tree', base], call);
  for (const { path, tree } of inner.parts) {
    await store.git.run(['read-tree', `--prefix=${path}/`, tree], call);
  }
  // Each of them has said itself what it did not keep.
  return (await store.git.run(['write-tree', '--missing-ok'], call)).toString().trim();
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

/** Those that the scan found, and known ones that it does not list but that are still there. */
async function nestedNow(
  place: StorePlace,
  before: TreeState | undefined,
  { repositories }: TreeScan,
): Promise<readonly string[]> {
  const found = await Promise.all(
    (before?.nested ?? []).map(async (path) => {
      const full = join(place.top, path);
      const hasGit = await lstat(join(full, '.git')).catch(() => undefined);
      return hasGit !== undefined && (await realpath(full)) === full ? path : undefined;
    }),
  );
  const known = found.filter((path) => path !== undefined);
  return [...new Set([...known, ...repositories])].sort();
}
