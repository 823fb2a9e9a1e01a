/** The private index: brings it in line with the files of the tree, and with what counts of them. */
import { lstat, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CcError } from '../base/errors.ts';
import { ignoring } from '../base/files.ts';
import { CHECKSUM_BYTES, checksumOf, distrustSince, readEntries } from './index-file.ts';
import { gitFailed, type PrivateGit, splitNames } from './private-git.ts';
import { isOwnPath, type StorePlace } from './store-folder.ts';
import type { Store } from './store.ts';
import { findTrackedIgnored } from './tracked-ignored.ts';
import type { TreeState } from './tree-state.ts';

/** The store's clock and the tree's may differ by a little, and both are cut to whole seconds. */
const CLOCK_MARGIN_S = 2;

/** What one look at the tree goes by. */
export interface Look {
  readonly store: Store;
  /** The person's global ignore file; empty when there is none. */
  readonly globalFile: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Brings the private index in line with the files, except for the repositories at the paths in `without`.
 *
 * @returns Why not everything could be added.
 */
export async function addAll(look: Look, without: readonly string[]): Promise<CcError | undefined> {
  const { store, signal } = look;
  const outside = without.map((path) => `:(exclude,top,literal)${path}`);
  // Comparing every name with a pattern takes time, so there is none without need.
  const limit = outside.length === 0 ? [] : ['--', ':/', ...outside];
  const all = ['add', '-A', '--no-warn-embedded-repo', ...limit];
  const result = await store.git.ask([...globalRules(look), ...all], { signal });
  // A folder that cannot be read is only worth a warning to git.
  const isWhole = result.exitCode === 0 && !result.stderr.includes('could not open directory');
  return isWhole ? undefined : gitFailed(store.place, result);
}

/**
 * Tries again after `problem` without repositories that have no commit: those cannot be added.
 *
 * @returns The repositories that were kept out.
 */
export async function addWithoutEmpty(
  look: Look,
  known: readonly string[],
  problem: CcError,
): Promise<readonly string[]> {
  const { store, signal } = look;
  const list = ['ls-files', '-z', '-o', '--exclude-standard'];
  const others = splitNames(await store.git.run([...globalRules(look), ...list], { signal }));
  // Git does not look into a repository and lists it with a slash at its end.
  const found = others.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  const nested = [...new Set([...known, ...found])].sort();
  const second = nested.length === known.length ? problem : await addAll(look, nested);
  if (second !== undefined) throw second;
  return nested;
}

/**
 * Takes out of the index what does not count (ignored by now, a repository of its own, ours) and puts in what
 * counts although it is ignored, since the person's repository tracks it.
 *
 * @param startedAt Seconds since 1970, before the files were read.
 */
export async function settle(
  look: Look,
  known: readonly string[],
  startedAt: number,
): Promise<Pick<TreeState, 'index' | 'base' | 'nested'>> {
  const { store, signal } = look;
  const { git } = store;
  const entries = readEntries(await readIndex(store.place));
  const ignored = ['ls-files', '-z', '-i', '-c', '--exclude-standard'];
  const [hidden, tracked] = await Promise.all([
    git.run([...globalRules(look), ...ignored], { signal }).then(splitNames),
    findTrackedIgnored(store.place, git, globalRules(look)),
  ]);
  const repositories = entries.filter(({ isRepository }) => isRepository).map(({ path }) => path);
  const ours = entries.filter(({ path }) => isOwnPath(path)).map(({ path }) => path);
  const kept = new Set(tracked.files);
  const gone = [...repositories, ...ours, ...hidden.filter((path) => !kept.has(path))];
  await update(git, '--force-remove', gone);
  await update(git, '--add', tracked.files);
  const base = (await git.run(['write-tree'], { signal })).toString().trim();
  const nested = [...new Set([...known, ...repositories, ...tracked.repositories])].sort();
  return { base, nested, index: await sealIndex(store, startedAt) };
}

async function update(git: PrivateGit, how: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join('');
  await git.run(['update-index', how, '-z', '--stdin'], { input });
}

/** See `index-file.ts` for why. Returns the checksum of the index as it then is. */
async function sealIndex({ place, files }: Store, startedAt: number): Promise<string> {
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

function globalRules({ globalFile }: Look): readonly string[] {
  // An empty value is a file that does not exist.
  return ['-c', `core.excludesFile=${globalFile}`];
}

/** No bytes when there is no index: git makes none for a tree without files. */
async function readIndex({ folder }: StorePlace): Promise<Buffer> {
  return (await readFile(join(folder, 'index')).catch(ignoring('ENOENT'))) ?? Buffer.alloc(0);
}

/** See `checksumOf`. Reads the end only: it is asked twice for every look at an unchanged tree. */
export async function readChecksum({ folder }: StorePlace): Promise<string> {
  const file = await open(join(folder, 'index')).catch(ignoring('ENOENT'));
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(Math.min(size, CHECKSUM_BYTES));
    await file.read(end, 0, end.length, size - end.length);
    return checksumOf(end);
  } finally {
    await file.close();
  }
}

/** Changes when the person's index does, which decides what is tracked although it is ignored. */
export async function indexIdentity({ repository }: StorePlace): Promise<string> {
  if (repository === undefined) return '';
  const path = join(repository.gitDir, 'index');
  const found = await lstat(path, { bigint: true }).catch(ignoring('ENOENT'));
  return found === undefined ? '' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
