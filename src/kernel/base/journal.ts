/** `.transition.json`: what a change of several files still has to do when its process is killed. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CcError } from './errors.ts';
import { JOURNAL } from './file-names.ts';
import { ignoring, readJson, readPlain, readText } from './files.ts';
import { sha256 } from './hash.ts';
import { assertInside } from './paths.ts';

/** A file of the folder, or of one folder in it: a journal that came with a clone must not reach elsewhere. */
const nameSchema = z.string().regex(/^(?:(?:artifacts|runs)\/)?(?!\.\.?$)[^/\\:]+$/);
/** SHA-256 of what the change was decided on; absent where there was no file. */
const oldSchema = z.string().exactOptional();

export const journalSchema = z.strictObject({
  renames: z.array(z.strictObject({ from: nameSchema, to: nameSchema, old: oldSchema })),
  /** `offset` is the file's size before, in bytes: what is there already is not added again. */
  appends: z.array(
    z.strictObject({ to: nameSchema, offset: z.int().nonnegative(), text: z.string() }),
  ),
  /** Taken away after the renames. */
  removals: z.array(z.strictObject({ name: nameSchema, old: oldSchema })).default([]),
});

export type Journal = z.output<typeof journalSchema>;

/** Whether a process was killed while it wrote here (or is writing right now). */
export async function isPending(folder: string): Promise<boolean> {
  return (await lstat(join(folder, JOURNAL)).catch(ignoring('ENOENT', 'ENOTDIR'))) !== undefined;
}

/**
 * Names are bare, but a clone may bring a link in the place of a file or of the folder around it.
 *
 * @throws {CcError} `SESSION_DAMAGED` when it cannot be read or names a file elsewhere.
 */
export async function readJournal(folder: string): Promise<Journal | undefined> {
  const path = join(folder, JOURNAL);
  const found = await lstat(path).catch(ignoring('ENOENT'));
  if (found === undefined) return undefined;
  if (!found.isFile()) throw damaged(path, 'it is not a file');
  const journal = await readJson(path, journalSchema);
  for (const name of namesIn(journal)) {
    await assertInside(folder, join(folder, name)).catch((cause: unknown) => {
      throw damaged(path, CcError.from(cause).message, cause);
    });
  }
  return journal;
}

/** A person may edit a file between a kill and the command that ends the change: their edit is not to be lost. */
export async function isStill(path: string, old: string | undefined): Promise<boolean> {
  return (await hashOf(path)) === old;
}

/** `undefined` when there is nothing; what is no file is like no text. */
export async function hashOf(path: string): Promise<string | undefined> {
  const bytes = await readPlain(path);
  return bytes === undefined ? undefined : sha256(bytes);
}

/**
 * Text of a file as it will be when the journal has been followed, for whoever only looks.
 *
 * @throws {CcError} `SESSION_DAMAGED` when it is not UTF-8 or cannot be read.
 */
export async function textAfter(
  folder: string,
  journal: Journal,
  name: string,
): Promise<string | undefined> {
  const path = join(folder, name);
  const rename = journal.renames.find(({ to }) => to === name);
  if (rename === undefined || !(await isStill(path, rename.old))) return readText(path);
  // Without its draft it was renamed already.
  return (await readText(join(folder, rename.from))) ?? readText(path);
}

function namesIn(journal: Journal | undefined): readonly string[] {
  const { appends = [], renames = [], removals = [] } = journal ?? {};
  return [
    ...appends.map(({ to }) => to),
    ...renames.flatMap(({ from, to }) => [from, to]),
    ...removals.map(({ name }) => name),
  ];
}

function damaged(path: string, problem: string, cause?: unknown): CcError {
  const options = { hint: 'cc repair', details: { path }, cause };
  return new CcError('SESSION_DAMAGED', `${path}: ${problem}`, options);
}
