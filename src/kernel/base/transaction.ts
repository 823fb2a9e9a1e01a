/** Several files that change as one, on a file system that can only rename one at a time. */
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { JOURNAL } from './file-names.ts';
import { type FilePort, ignoring, isDraft, stageText, writeTextAtomic } from './files.ts';
import { sha256 } from './hash.ts';
import { hashOf, isStill, type Journal, readJournal } from './journal.ts';
import { assertInside } from './paths.ts';

export interface Changes {
  /** New text by file name, in the order of the renames. */
  readonly files: Readonly<Record<string, string>>;
  /** Text to add by file name. Whole lines. */
  readonly appends?: Readonly<Record<string, string>>;
  /** Names of files to take away. */
  readonly removals?: readonly string[];
  /** Texts on which the change was decided, by file name; others are taken as they are on the disk. */
  readonly base?: Readonly<Record<string, string | undefined>>;
}

/** A file that somebody edited meanwhile: the edit stays, and the copy is what it was to be replaced by. */
export interface KeptEdit {
  readonly file: string;
  readonly copy: string;
}

/**
 * Call it under the folder's lock. Killed at any point, the folder is as before, or `rollForward` ends it.
 *
 * @throws {CcError} `SESSION_PERSISTENCE_FAILED`; the folder is as before then, unless a rename itself failed.
 */
export async function commit(
  files: FilePort,
  folder: string,
  changes: Changes,
): Promise<readonly KeptEdit[]> {
  const staged: string[] = [];
  let journal: Journal;
  try {
    journal = {
      renames: await stageAll(files, folder, { changes, staged }),
      appends: await placeLines(files, folder, changes.appends ?? {}),
      removals: await Promise.all(
        (changes.removals ?? []).map(async (name) => ({ name, ...(await oldOf(folder, name)) })),
      ),
    };
    await writeTextAtomic(files, join(folder, JOURNAL), JSON.stringify(journal));
  } catch (error) {
    // Nothing was promised yet, so nothing stays: a full disk must not fill further.
    await removeAll(files, staged);
    throw error;
  }
  try {
    await addLines(files, folder, journal);
  } catch (error) {
    // While nothing is renamed yet, the promise can be taken back.
    await files.remove(join(folder, JOURNAL));
    await removeAll(files, staged);
    throw error;
  }
  return moveDrafts(files, folder, journal);
}

/**
 * Ends what a killed process began, and clears drafts of one that never got that far. Call it under the
 * folder's lock. Draft names are unique, so that a step done twice does nothing. What a person edited since
 * then stays as they left it.
 *
 * @throws {CcError} `SESSION_DAMAGED` when the journal cannot be read or names a file elsewhere.
 */
export async function rollForward(files: FilePort, folder: string): Promise<readonly KeptEdit[]> {
  const journal = await readJournal(folder);
  const kept = journal === undefined ? [] : await follow(files, folder, journal);
  await clearDrafts(files, folder);
  return kept;
}

async function follow(files: FilePort, folder: string, journal: Journal) {
  await addLines(files, folder, journal);
  return moveDrafts(files, folder, journal);
}

/** @param work `staged` gets every draft as soon as it is there, for whoever has to clear them. */
async function stageAll(
  files: FilePort,
  folder: string,
  work: { readonly changes: Changes; readonly staged: string[] },
): Promise<Journal['renames']> {
  const { files: texts, base = {} } = work.changes;
  const renames: Journal['renames'] = [];
  for (const [to, text] of Object.entries(texts)) {
    const path = join(folder, to);
    if (dirname(path) !== folder) await files.makeFolder(dirname(path));
    const draft = await stageText(files, path, text);
    work.staged.push(draft);
    const from = join(dirname(to), basename(draft));
    renames.push({ from, to, ...(await oldOf(folder, to, base)) });
  }
  return renames;
}

async function oldOf(folder: string, name: string, base: Changes['base'] = {}) {
  const text = base[name];
  const old = Object.hasOwn(base, name) ? text && sha256(text) : await hashOf(join(folder, name));
  return old === undefined ? {} : { old };
}

async function placeLines(
  files: FilePort,
  folder: string,
  texts: Readonly<Record<string, string>>,
): Promise<Journal['appends']> {
  const appends: Journal['appends'] = [];
  for (const [to, text] of Object.entries(texts)) {
    if (dirname(to) !== '.') await files.makeFolder(dirname(join(folder, to)));
    const offset = (await stat(join(folder, to)).catch(ignoring('ENOENT')))?.size ?? 0;
    appends.push({ to, offset, text });
  }
  return appends;
}

async function addLines(files: FilePort, folder: string, { appends }: Journal): Promise<void> {
  for (const { to, offset, text } of appends) {
    await appendOnce(files, join(folder, to), offset, Buffer.from(text));
  }
}

async function moveDrafts(
  files: FilePort,
  folder: string,
  { renames, removals }: Journal,
): Promise<readonly KeptEdit[]> {
  const kept: KeptEdit[] = [];
  for (const { from, to, old } of renames) {
    const draft = join(folder, from);
    const isThere = (await hashOf(draft)) !== undefined;
    const place = (await isStill(join(folder, to), old)) ? to : await placeOfCopy(folder, to, from);
    if (isThere && place !== to) {
      await files.makeFolder(join(folder, dirname(place)));
      kept.push({ file: to, copy: place });
    }
    if (isThere) await files.rename(draft, join(folder, place)).catch(ignoring('ENOENT'));
  }
  for (const { name, old } of removals) {
    if (await isStill(join(folder, name), old)) await files.remove(join(folder, name));
  }
  await files.syncFolder(folder);
  await files.remove(join(folder, JOURNAL));
  return kept;
}

/** The draft's own random part tells one copy from the next. */
async function placeOfCopy(folder: string, name: string, draft: string): Promise<string> {
  const [, chance = ''] = /\.([0-9a-f]{8})-[0-9a-f-]{27}\.tmp$/.exec(draft) ?? [];
  const copy = `${basename(name)}.${chance}.unapplied`;
  // A clone may bring a link in the place of the folder; then the copy stays beside what it is of.
  const isOwn = await assertInside(folder, join(folder, 'artifacts')).catch(() => undefined);
  return isOwn === undefined ? copy : `artifacts/${copy}`;
}

/** A kill in the middle of an append leaves a part: the rest is added. An edited file gets the whole. */
async function appendOnce(files: FilePort, path: string, offset: number, text: Buffer) {
  const { size, bytes: there } = await readFrom(path, offset, text.length);
  const isPart =
    size >= offset && size < offset + text.length && text.subarray(0, there.length).equals(there);
  if (there.equals(text)) return;
  await files.append(path, isPart ? text.subarray(there.length) : text);
}

/** At most `length` bytes: a log grows for years. */
async function readFrom(path: string, offset: number, length: number) {
  const file = await open(path).catch(ignoring('ENOENT'));
  if (file === undefined) return { size: 0, bytes: Buffer.alloc(0) };
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return { size, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

async function removeAll(files: FilePort, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => files.remove(path).catch(() => undefined)));
}

async function clearDrafts(files: FilePort, folder: string): Promise<void> {
  for (const inner of ['.', 'artifacts']) {
    const names = (await readdir(join(folder, inner)).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? [];
    // Drafts of the lock belong to others who are waiting for it right now.
    const left = names.filter((name) => isDraft(name) && !name.startsWith('.lock'));
    for (const name of left) await files.remove(join(folder, inner, name));
  }
}
