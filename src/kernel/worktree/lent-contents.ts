/**
 * Contents that the store did not keep. A file that is still the same lends its own, to a folder of objects
 * that lives as long as one command of git.
 */
import { randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../base/errors.ts';
import { borrowingFrom, findMissing, type TreeFile } from './objects.ts';
import { pathFromRoot } from './store-folder.ts';
import { inWords, sizeInWords } from './store-limits.ts';
import type { Store } from './store.ts';

/** Of all files together: as much as git may answer. */
const MAX_LENT_BYTES = 256 * 1024 * 1024;

/**
 * Does `work` with variables for git under which the contents of all `wanted` files are there.
 *
 * @throws {CcError} `TOOL_EXECUTION_FAILED` when one was not kept, and its file has changed or is too large.
 */
export async function withContents<T>(
  store: Store,
  wanted: readonly TreeFile[],
  work: (vars: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const ids = wanted.map(({ id }) => id);
  const missing = await findMissing(store, ids);
  if (missing.size === 0) return work({});
  const { place, files } = store;
  const folder = join(place.folder, 'lent', randomUUID());
  const vars = { ...borrowingFrom([place.folder]), GIT_OBJECT_DIRECTORY: folder };
  try {
    await files.makeFolder(folder);
    await lendAll(
      { ...store, vars },
      wanted.filter(({ id }) => missing.has(id)),
    );
    return await work(vars);
  } finally {
    await files.removeFolder(folder);
  }
}

interface Lending extends Store {
  readonly vars: Readonly<Record<string, string>>;
}

async function lendAll(lending: Lending, files: readonly TreeFile[]): Promise<void> {
  const lent = new Set<string>();
  let left = MAX_LENT_BYTES;
  for (const file of files.filter(({ id }) => !lent.has(id))) {
    const bytes = await sizeIfSame(lending, file);
    if (bytes === undefined) continue;
    left -= bytes;
    if (left < 0) throw tooLarge(lending, file);
    await lend(lending, file);
    lent.add(file.id);
  }
  const lost = files.filter(({ id }) => !lent.has(id));
  if (lost.length > 0) throw notKept(lending, lost);
}

/** Of the file in the work tree, when it has that content. */
async function sizeIfSame(
  { git, place }: Store,
  { path, id }: TreeFile,
): Promise<number | undefined> {
  const found = await lstat(join(place.top, path)).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const hashed = await git.ask(['hash-object', '--no-filters', '--', path]);
  return hashed.stdout.toString().trim() === id ? found.size : undefined;
}

async function lend({ git, vars }: Lending, { path }: TreeFile): Promise<void> {
  // It is gone in a moment, so nobody need wait for the disk.
  const write = ['-c', 'core.fsync=none', 'hash-object', '-w', '--no-filters', '--', path];
  await git.run(write, { vars });
}

const BY_HAND = 'Commit or copy it by hand (`git add`, `git commit`)';

function notKept(store: Store, lost: readonly TreeFile[]): CcError {
  const paths = [...new Set(lost.map(({ path }) => pathFromRoot(store.place, path)))];
  const message =
    `${paths.join(', ')} changed, and what it was is not kept: ${inWords(store.limits)} are only ` +
    `hashed. ${BY_HAND}`;
  return unavailable(message, paths);
}

function tooLarge({ place }: Store, { path }: TreeFile): CcError {
  const name = pathFromRoot(place, path);
  const message = `${name} does not fit into a patch of ${sizeInWords(MAX_LENT_BYTES)}. ${BY_HAND}`;
  return unavailable(message, [name]);
}

function unavailable(message: string, paths: readonly string[]): CcError {
  return new CcError('TOOL_EXECUTION_FAILED', message, { hint: 'git status', details: { paths } });
}
