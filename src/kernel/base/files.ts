/** Reading and writing files. Reads go to the disk; every write goes through a `FilePort`. */
import { readFileSync, statSync } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type * as z from 'zod';
import { CcError } from './errors.ts';
import { misfitOf } from './json-misfit.ts';
import { resolveLinks } from './paths.ts';

/** A file that is written piece by piece, such as the output of a check. */
export interface FileWriter {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Every way in which `cc` changes a disk. One object, so that a test can count the operations and stop
 * the process before or after any of them.
 */
export interface FilePort {
  /** Makes a folder and the missing ones above it. */
  makeFolder(path: string): Promise<void>;
  /**
   * Writes a file that must not exist yet, and waits until it is on the disk.
   *
   * @param mode Exactly this one; what the umask leaves of 0666 unless given.
   */
  writeNew(path: string, bytes: Uint8Array | string, mode?: number): Promise<void>;
  /** Adds to the end of a file, which is made when missing, and waits until it is on the disk. */
  append(path: string, bytes: Uint8Array | string): Promise<void>;
  /** Opens a file for writing from its start; what it held is gone. Refuses a link. */
  openWriter(path: string): Promise<FileWriter>;
  rename(from: string, to: string): Promise<void>;
  /** Fails with `EEXIST` when `to` exists. */
  link(from: string, to: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** A file; a missing one is fine. */
  remove(path: string): Promise<void>;
  /** A folder and everything in it; a missing one is fine. Links are removed, not followed. */
  removeFolder(path: string): Promise<void>;
  /** A rename is durable only when its folder is. */
  syncFolder(path: string): Promise<void>;
}

/** A draft lives for a moment: an older one was left by a killed process. */
const OLD_DRAFT_MS = 60_000;
/** Keeps the BOM, and throws where a lenient decoder would write U+FFFD over somebody's bytes. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws {TypeError} when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/**
 * Text of a file, or `undefined` when there is none.
 *
 * @throws {CcError} `SESSION_DAMAGED` when it is not UTF-8 or cannot be read.
 */
export async function readText(path: string): Promise<string | undefined> {
  const text = readLenient(path);
  // Only where this character stands can bytes have been something else, and it is a rare one in a text.
  if (text === undefined || !text.includes('\uFFFD')) return text;
  try {
    return decodeUtf8(readFileSync(path));
  } catch (cause) {
    throw damaged(path, 'it is not UTF-8', cause);
  }
}

/**
 * Synchronous: the documents of a session are small, and a thread for each costs more than reading them. Node
 * reads and decodes in one step, half the time of two.
 */
function readLenient(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    // A pipe in the place of a document would hold the process for ever.
    if (!found.isFile()) throw damaged(path, 'it is not a file', undefined);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CcError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    // Nothing is damaged, and no repair would help.
    if (code === 'EACCES' || code === 'EPERM' || code === 'EMFILE') throw CcError.from(error);
    throw damaged(path, message, error);
  }
}

/**
 * Bytes of a plain file that somebody else made; `undefined` when there is none, or something else is in its
 * place: a pipe would hold the process for ever.
 */
export async function readPlain(path: string): Promise<Buffer | undefined> {
  const found = await stat(path).catch(ignoring('ENOENT', 'ENOTDIR', 'ELOOP'));
  return found?.isFile() ? readFile(path).catch(ignoring('ENOENT')) : undefined;
}

/**
 * Reads a JSON file through its schema; `undefined` when there is none. A byte order mark is accepted.
 *
 * @throws {CcError} `SESSION_DAMAGED` when it does not fit. A guessed value could open a gate.
 */
export async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : parseJson(path, text, schema);
}

/** The same for a text already at hand; `path` is for the message. */
export function parseJson<Schema extends z.ZodType>(
  path: string,
  text: string,
  schema: Schema,
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const line = lineOfFault(text);
    throw damaged(`${path}:${line}`, whatIsWrong(text, cause), cause, path);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw damaged(path, 'it does not fit', parsed.error);
  const { line, problem } = misfitOf(issue, text, value);
  throw damaged(`${path}:${line}`, problem, parsed.error, path);
}

/** Puts the text on disk beside its target, with the target's mode, and returns the draft's path. */
export async function stageText(files: FilePort, path: string, text: string): Promise<string> {
  const mode = (await stat(path).catch(ignoring('ENOENT')))?.mode;
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  await files.writeNew(draft, text, mode === undefined ? undefined : mode & 0o7777);
  return draft;
}

/** What `stageText` leaves behind when the process is killed at once. */
export function isDraft(name: string): boolean {
  return /\.[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/.test(basename(name));
}

/**
 * Replaces a file in one step: a reader sees the old text or the new one, never half of it. Drafts that a
 * killed process left of the same file are cleared once they are a minute older than this one.
 */
export async function writeTextAtomic(files: FilePort, path: string, text: string): Promise<void> {
  const draft = await stageText(files, path, text);
  try {
    // By the clock of the disk: both times are its own.
    const now = (await lstat(draft).catch(ignoring('ENOENT')))?.mtimeMs;
    if (now !== undefined) await clearOldDrafts(files, path, now);
    await files.rename(draft, path);
  } catch (error) {
    await files.remove(draft).catch(() => undefined);
    throw error;
  }
  await files.syncFolder(dirname(path));
}

/** The same for a file that its owner may keep elsewhere and link to: the link stays. */
export async function writeThroughLink(files: FilePort, path: string, text: string): Promise<void> {
  await writeTextAtomic(files, await resolveLinks(path), text);
}

/** Removes drafts of this file that are a minute older than `now`, in milliseconds since 1970. */
export async function clearOldDrafts(files: FilePort, path: string, now: number): Promise<void> {
  const folder = dirname(path);
  const names = (await readdir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? [];
  for (const name of names.filter((one) => isDraft(one) && one.startsWith(`${basename(path)}.`))) {
    const found = await lstat(join(folder, name)).catch(ignoring('ENOENT'));
    if (found !== undefined && now - found.mtimeMs > OLD_DRAFT_MS) {
      await files.remove(join(folder, name));
    }
  }
}

/** A handler for `.catch`: these errno codes mean `undefined`, all others are thrown on. */
export function ignoring(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (codes.includes(error.code ?? '')) return undefined;
    throw error;
  };
}

/** @param where The path, perhaps with the line; `path` is then the path alone. */
function damaged(where: string, problem: string, cause: unknown, path: string = where): CcError {
  const options = { hint: 'cc repair', details: { path }, cause };
  return new CcError('SESSION_DAMAGED', `${where}: ${problem}`, options);
}

/** Counts from 1. The parser tells a position only for some faults, so the lines are tried. */
function lineOfFault(text: string): number {
  const lines = text.split('\n');
  let sound = 0;
  for (let broken = lines.length + 1; broken - sound > 1; ) {
    const middle = Math.floor((sound + broken) / 2);
    if (couldGoOn(lines.slice(0, middle).join('\n'))) sound = middle;
    else broken = middle;
  }
  return Math.min(sound + 1, lines.length);
}

function whatIsWrong(text: string, cause: unknown): string {
  if (text.trim() === '') return 'it is empty';
  const message = cause instanceof Error ? cause.message : String(cause);
  return `it is not JSON (${message.replaceAll(/\s*\n\s*/g, ' ')})`;
}

/** Whether the text is JSON that may only be cut short. */
function couldGoOn(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /position (\d+)/.exec(message)?.[1];
    const isAtEnd = position !== undefined && Number(position) >= text.trimEnd().length;
    return isAtEnd || /Unexpected end|Unterminated string/.test(message);
  }
}
