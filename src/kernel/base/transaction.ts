/** Several files that change as one, on a file system that can only rename one at a time. */
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { CcError } from './errors.ts';
import { JOURNAL } from './file-names.ts';
import { type FilePort, ignoring, isDraft, readJson, stageText, writeTextAtomic } from './files.ts';
import { assertInside } from './paths.ts';

/** A file of the folder, or of one folder in it: a journal that came with a clone must not reach elsewhere. */
const nameSchema = z.string().regex(/^(?:(?:artifacts|runs)\/)?(?!\.\.?$)[^/\\:]+$/);
const journalSchema = z.strictObject({
  renames: z.array(z.strictObject({ from: nameSchema, to: nameSchema })),
  /** `offset` is the file's size before, in bytes: what is there already is not added again. */
  appends: z.array(
    z.strictObject({ to: nameSchema, offset: z.int().nonnegative(), text: z.string() }),
  ),
  /** Taken away after the renames. */
  removals: z.array(nameSchema).default([]),
});

export interface Changes {
  /** New text by file name, in the order of the renames. */
  readonly files: Readonly<Record<string, string>>;
  /** Text to add by file name. Whole lines. */
  readonly appends?: Readonly<Record<string, string>>;
  /** Names of files to take away. */
  readonly removals?: readonly string[];
}

/**
 * Call it under the folder's lock. Killed at any point, the folder is as before, or `rollForward` ends it.
 *
 * @throws {CcError} `SESSION_PERSISTENCE_FAILED`; the folder is as before then, unless a rename itself failed.
 */
export async function commit(files: FilePort, folder: string, changes: Changes): Promise<void> {
  const renames: z.output<typeof journalSchema>['renames'] = [];
  const staged: string[] = [];
  try {
    for (const [name, text] of Object.entries(changes.files)) {
      const path = join(folder, name);
      if (dirname(path) !== folder) await files.makeFolder(dirname(path));
      const draft = await stageText(files, path, text);
      staged.push(draft);
      renames.push({ from: join(dirname(name), basename(draft)), to: name });
    }
    const appends: z.output<typeof journalSchema>['appends'] = [];
    for (const [to, text] of Object.entries(changes.appends ?? {})) {
      if (dirname(to) !== '.') await files.makeFolder(dirname(join(folder, to)));
      const offset = (await stat(join(folder, to)).catch(ignoring('ENOENT')))?.size ?? 0;
      appends.push({ to, offset, text });
    }
    await writeTextAtomic(
      files,
      join(folder, JOURNAL),
      JSON.stringify({ renames, appends, removals: changes.removals ?? [] }),
    );
  } catch (error) {
    // Nothing was promised yet, so nothing stays: a full disk must not fill further.
    await Promise.all(staged.map((draft) => files.remove(draft).catch(() => undefined)));
    throw error;
  }
  await settle(files, folder, staged);
}

/** The journal is on the disk. While nothing is renamed yet, a failure takes the promise back. */
async function settle(files: FilePort, folder: string, staged: readonly string[]): Promise<void> {
  const journal = await readJournal(folder);
  if (journal === undefined) return;
  try {
    await addLines(files, folder, journal);
  } catch (error) {
    await files.remove(join(folder, JOURNAL));
    await Promise.all(staged.map((draft) => files.remove(draft).catch(() => undefined)));
    throw error;
  }
  await moveDrafts(files, folder, journal);
}

/** Whether a process was killed while it wrote here (or is writing right now). */
export async function isPending(folder: string): Promise<boolean> {
  return (await lstat(join(folder, JOURNAL)).catch(ignoring('ENOENT', 'ENOTDIR'))) !== undefined;
}

/**
 * Ends what a killed process began, and clears drafts of one that never got that far. Call it under the
 * folder's lock. Draft names are unique, so that a step done twice does nothing.
 *
 * @throws {CcError} `SESSION_DAMAGED` when the journal cannot be read or names a file elsewhere.
 */
export async function rollForward(files: FilePort, folder: string): Promise<void> {
  const journal = await readJournal(folder);
  if (journal !== undefined) {
    await addLines(files, folder, journal);
    await moveDrafts(files, folder, journal);
  }
  await clearDrafts(files, folder);
}

type Journal = z.output<typeof journalSchema>;

/** Names are bare, but a clone may bring a link in the place of a file or of the folder around it. */
async function readJournal(folder: string): Promise<Journal | undefined> {
  const path = join(folder, JOURNAL);
  const found = await lstat(path).catch(ignoring('ENOENT'));
  if (found === undefined) return undefined;
  if (!found.isFile()) throw damaged(path, 'it is not a file');
  const journal = await readJson(path, journalSchema);
  const { appends = [], renames = [], removals = [] } = journal ?? {};
  const names = [...appends, ...renames].map(({ to }) => to);
  for (const name of [...names, ...renames.map(({ from }) => from), ...removals]) {
    await assertInside(folder, join(folder, name)).catch((cause: unknown) => {
      throw damaged(path, CcError.from(cause).message, cause);
    });
  }
  return journal;
}

function damaged(path: string, problem: string, cause?: unknown): CcError {
  const options = { hint: 'cc repair', details: { path }, cause };
  return new CcError('SESSION_DAMAGED', `${path}: ${problem}`, options);
}

async function addLines(files: FilePort, folder: string, { appends }: Journal): Promise<void> {
  for (const { to, offset, text } of appends) {
    await appendOnce(files, join(folder, to), offset, Buffer.from(text));
  }
}

async function moveDrafts(files: FilePort, folder: string, journal: Journal): Promise<void> {
  const { renames, removals } = journal;
  for (const { from, to } of renames) {
    await files.rename(join(folder, from), join(folder, to)).catch(ignoring('ENOENT'));
  }
  for (const name of removals) await files.remove(join(folder, name));
  await files.syncFolder(folder);
  await files.remove(join(folder, JOURNAL));
}

/** A kill in the middle of an append leaves a part: the rest is added. An edited file gets the whole. */
async function appendOnce(files: FilePort, path: string, offset: number, text: Buffer) {
  const now = (await readFile(path).catch(ignoring('ENOENT'))) ?? Buffer.alloc(0);
  const there = now.subarray(offset);
  const isPart = now.length >= offset && text.subarray(0, there.length).equals(there);
  const isWhole = there.subarray(0, text.length).equals(text);
  if (isWhole) return;
  await files.append(path, isPart ? text.subarray(there.length) : text);
}

async function clearDrafts(files: FilePort, folder: string): Promise<void> {
  for (const inner of ['.', 'artifacts']) {
    const names = (await readdir(join(folder, inner)).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? [];
    // Drafts of the lock belong to others who are waiting for it right now.
    const left = names.filter((name) => isDraft(name) && !name.startsWith('.lock'));
    for (const name of left) await files.remove(join(folder, inner, name));
  }
}
