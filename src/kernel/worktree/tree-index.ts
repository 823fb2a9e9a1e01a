/** The private index: brings it in line with the files of the tree, and with what counts of them. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring } from '../base/files.ts';
import { removeLeftovers } from './clean-up.ts';
import { readEntries } from './index-file.ts';
import { splitNames } from './private-git.ts';
import { readIndex, sealIndex, updateIndex } from './private-index.ts';
import type { StorePlace } from './store-folder.ts';
import { findWithoutContent, takeIn } from './take-in.ts';
import { findTrackedIgnored } from './tracked-ignored.ts';
import { globalRules, type Look, type TreeScan } from './tree-scan.ts';
import type { TreeState } from './tree-state.ts';

export interface Settling {
  readonly scan: TreeScan;
  /** Files whose content was not kept at an earlier look. */
  readonly unkept: TreeState['unkept'];
  /** Whether the index is empty. */
  readonly isNew: boolean;
  /** Seconds since 1970, before the files were looked at. */
  readonly startedAt: number;
}

/**
 * Takes in what the scan found, takes out what does not count any more, and puts in what counts although it is
 * ignored, since the person's repository tracks it.
 */
export async function settle(
  look: Look,
  settling: Settling,
): Promise<Pick<TreeState, 'index' | 'base' | 'nested' | 'unkept'>> {
  const { store, signal } = look;
  const { scan, startedAt } = settling;
  const ignored = ['ls-files', '-z', '-i', '-c', '--exclude-standard'];
  const [hidden, tracked] = await Promise.all([
    store.git.run([...globalRules(look), ...ignored], { signal }).then(splitNames),
    findTrackedIgnored(store.place, store.git, globalRules(look)),
  ]);
  const forced = new Set(tracked.files);
  const gone = new Set([...scan.removed, ...hidden.filter((path) => !forced.has(path))]);
  const added = await notIndexed(store.place, tracked.files);
  const changed = [...scan.changed, ...added].filter((path) => !gone.has(path));
  await removeLeftovers(store, startedAt);
  await updateIndex(store, { how: ['--force-remove'], paths: [...gone] }, signal);
  const intake = { paths: [...new Set(changed)], unkept: settling.unkept, isNew: settling.isNew };
  const hashed = await takeIn(look, intake);

  const left = settling.unkept.map(({ path }) => path);
  const unkept = await findWithoutContent(look, [...left, ...hashed]);
  const writeTree = ['write-tree', ...(unkept.length === 0 ? [] : ['--missing-ok'])];
  const base = (await store.git.run(writeTree, { signal })).toString().trim();
  const nested = [...new Set([...scan.repositories, ...tracked.repositories])].sort();
  return { base, nested, unkept, index: await sealIndex(store, startedAt) };
}

async function notIndexed(place: StorePlace, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const known = new Set(readEntries(await readIndex(place)).map(({ path }) => path));
  return paths.filter((path) => !known.has(path));
}

/** Changes when the person's index does, which decides what is tracked although it is ignored. */
export async function indexIdentity({ repository }: StorePlace): Promise<string> {
  if (repository === undefined) return '';
  const path = join(repository.gitDir, 'index');
  const found = await lstat(path, { bigint: true }).catch(ignoring('ENOENT'));
  return found === undefined ? '' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
