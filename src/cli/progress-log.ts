/** Reads `progress.log` in parts: it only grows, and nobody needs all of it at once. */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring } from '../kernel/base/files.ts';

const LINE_END = 0x0a;
/** What is added between two looks; more of it is read at the next look. */
const MAX_ADDED_BYTES = 1024 * 1024;

export interface LogPart {
  /** Whole entries, oldest first. */
  readonly entries: readonly string[];
  /** Byte behind the last of them. */
  readonly end: number;
  /** Whether older entries were left out. */
  readonly isCut: boolean;
}

export function progressPath(root: string, id: string): string {
  return join(root, '.chainlesschain', 'sessions', id, 'progress.log');
}

/** 0 where there is none. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(ignoring('ENOENT')))?.size ?? 0;
}

/** The entries that begin in the last bytes, an unfinished last one among them. */
export async function readTail(path: string, maxBytes: number): Promise<LogPart> {
  const size = await sizeOf(path);
  const from = Math.max(0, size - maxBytes);
  const bytes = await readRange(path, from, size);
  // What begins in the middle of an entry is no entry.
  const start = from === 0 ? 0 : bytes.indexOf(LINE_END) + 1;
  const end = from + bytes.lastIndexOf(LINE_END) + 1;
  return { entries: entriesIn(bytes.subarray(start)), end, isCut: from > 0 };
}

/** The finished entries behind a byte; half a line is left for the next time. */
export async function readAdded(path: string, from: number): Promise<LogPart> {
  const to = Math.min(await sizeOf(path), from + MAX_ADDED_BYTES);
  const bytes = await readRange(path, from, to);
  const end = bytes.lastIndexOf(LINE_END) + 1;
  // An entry longer than all that is read at once comes in pieces, or nothing would ever come again.
  const whole = end === 0 && bytes.length === MAX_ADDED_BYTES ? bytes : bytes.subarray(0, end);
  return { entries: entriesIn(whole), end: from + whole.length, isCut: false };
}

function entriesIn(bytes: Buffer): readonly string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '');
}

async function readRange(path: string, from: number, to: number): Promise<Buffer> {
  if (to <= from) return Buffer.alloc(0);
  await using file = await open(path, 'r');
  const bytes = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}
