/** What is remembered from one look to the next, and the clean-up that follows a change. */
import { join } from 'node:path';
import { cleanUp } from './clean-up.ts';
import { readChecksum } from './private-index.ts';
import type { Store } from './store.ts';
import { forgetState, type TreeState, writeState } from './tree-state.ts';

/** An index that was not sealed, because its writer was killed, may be wrong about the last second. */
export async function isTrusted({ place }: Store, { index }: TreeState): Promise<boolean> {
  return index === (await readChecksum(place));
}

export async function forget({ files, place }: Store): Promise<void> {
  await forgetState(files, place.folder);
  for (const name of ['index', 'index.all']) await files.remove(join(place.folder, name));
}

export interface Finding {
  readonly found: Omit<TreeState, 'earlier' | 'objects'>;
  readonly last: TreeState | undefined;
  /** Seconds since 1970. */
  readonly at: number;
  readonly signal: AbortSignal | undefined;
}

/** Nobody waits for a clean-up when the tree is still the same. */
export async function remember(store: Store, { found, last, at, signal }: Finding): Promise<void> {
  const { files, place } = store;
  const earlier = earlierTrees(store, { found, last, at });
  const { objects = 0 } = last ?? {};
  const state = { ...found, earlier, objects };
  await writeState(files, place.folder, state);
  if (found.tree === last?.tree) return;
  const trees = [found.base, found.tree, ...earlier.map(({ tree }) => tree)];
  // The tree is read; a store that could not be tidied is no reason to say otherwise.
  const now = await cleanUp(store, { trees, objects, at }, signal).catch(() => objects);
  if (now !== objects) await writeState(files, place.folder, { ...state, objects: now });
}

/** Somebody may be about to compare the tree that was there until now. */
function earlierTrees(
  { limits }: Store,
  { found, last, at }: Omit<Finding, 'signal'>,
): TreeState['earlier'] {
  if (last === undefined) return [];
  const since = at - limits.unusedMs / 1000;
  const others = last.earlier.filter(({ tree, until }) => tree !== last.tree && until > since);
  return found.tree === last.tree ? others : [...others, { tree: last.tree, until: at }];
}
