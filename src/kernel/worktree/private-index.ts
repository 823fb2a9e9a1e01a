/** The private index on the disk: what it says, what git is told to put into it, and when it is believed. */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../base/errors.ts';
import { ignoring } from '../base/files.ts';
import { CHECKSUM_BYTES, checksumOf, distrustSince, readEntries } from './index-file.ts';
import { gitFailed } from './private-git.ts';
import type { StorePlace } from './store-folder.ts';
import type { Store } from './store.ts';

/** The store's clock and the tree's may differ by a little, and both are cut to whole seconds. */
const CLOCK_MARGIN_S = 2;
/** Git says so, and succeeds. */
const LEFT_OUT = 'Ignoring path';

export interface IndexUpdate {
  /** Of `git update-index`. */
  readonly how: readonly string[];
  readonly paths: readonly string[];
  /** Options of git itself. */
  readonly config?: readonly string[];
}

/** @throws {CcError} `TOOL_EXECUTION_FAILED` when one of the files cannot be read, or not have an entry. */
export async function updateIndex(
  { git, place }: Store,
  { how, paths, config = [] }: IndexUpdate,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join('');
  const args = [...config, 'update-index', ...how, '-z', '--stdin'];
  const result = await git.ask(args, { input, signal });
  if (result.exitCode !== 0 || result.stderr.includes(LEFT_OUT)) throw gitFailed(place, result);
}

/**
 * Marks what changed of late for a second look; see `index-file.ts` for why.
 *
 * @param startedAt Seconds since 1970, before the files were read.
 * @returns The checksum of the index as it then is.
 * @throws {CcError} `TOOL_EXECUTION_FAILED` when something in it hides what lies below.
 */
export async function sealIndex({ place, files }: Store, startedAt: number): Promise<string> {
  const bytes = await readIndex(place);
  const entries = readEntries(bytes);
  if (entries.some(({ isRepository }) => isRepository)) {
    throw new CcError('TOOL_EXECUTION_FAILED', 'A file became a repository while it was read');
  }
  const sealed = distrustSince(bytes, entries, Math.floor(startedAt) - CLOCK_MARGIN_S);
  if (sealed === undefined) return checksumOf(bytes);
  const draft = join(place.folder, 'index.sealed');
  await files.remove(draft);
  await files.writeNew(draft, sealed);
  await files.rename(draft, join(place.folder, 'index'));
  return checksumOf(sealed);
}

/** No bytes when there is no index: git makes none for a tree without files. */
export async function readIndex({ folder }: StorePlace): Promise<Buffer> {
  return (await readFile(join(folder, 'index')).catch(ignoring('ENOENT'))) ?? Buffer.alloc(0);
}

/** See `checksumOf`. Reads the end only: it is asked for at every look at an unchanged tree. */
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
