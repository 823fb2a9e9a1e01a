/**
 * The private store's index (format version 2). Pure.
 *
 * Git compares times in whole seconds. A file that is changed twice in one second, keeps its size and gets its
 * old modification time back would look unchanged. So the entries of files that changed a moment ago are
 * written with size 0, git's own sign for "look at the content again".
 */
import { createHash } from 'node:crypto';
import { CcError } from '../base/errors.ts';

const HEADER_BYTES = 12;
export const CHECKSUM_BYTES = 20;
/** Up to the name: ten numbers, object id, flags. */
const FIXED_BYTES = 62;
const ID_AT = 40;
const ID_BYTES = 20;
const EXTENDED = 0x4000;
const GITLINK = 0o160000;

export interface IndexEntry {
  /** Where it begins in the file. */
  readonly offset: number;
  readonly path: string;
  /** Of its content. */
  readonly id: string;
  readonly isRepository: boolean;
  /** Seconds since 1970 of the last change of content or attributes. */
  readonly changedAt: number;
}

/** @throws {CcError} `SESSION_DAMAGED` when it is not an index of version 2 or 3. */
export function readEntries(bytes: Buffer): IndexEntry[] {
  if (bytes.length === 0) return [];
  const isIndex = bytes.length > HEADER_BYTES && bytes.toString('latin1', 0, 4) === 'DIRC';
  const version = isIndex ? bytes.readUInt32BE(4) : 0;
  if (version !== 2 && version !== 3) throw damaged();
  const entries: IndexEntry[] = [];
  let offset = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (offset + FIXED_BYTES > bytes.length) throw damaged();
    const isExtended = (bytes.readUInt16BE(offset + 60) & EXTENDED) !== 0;
    const start = offset + FIXED_BYTES + (isExtended ? 2 : 0);
    const end = bytes.indexOf(0, start);
    if (end === -1) throw damaged();
    entries.push({
      offset,
      path: bytes.toString('utf8', start, end),
      id: bytes.toString('hex', offset + ID_AT, offset + ID_AT + ID_BYTES),
      isRepository: bytes.readUInt32BE(offset + 24) === GITLINK,
      changedAt: bytes.readUInt32BE(offset),
    });
    // One to eight NULs, so that the next entry begins at a multiple of eight.
    offset += (end - offset + 8) & ~7;
  }
  return entries;
}

/** The index with every entry that changed in `second` or later marked for a second look, if there is any. */
export function distrustSince(
  bytes: Buffer,
  entries: readonly IndexEntry[],
  second: number,
): Buffer | undefined {
  const recent = entries.filter(({ changedAt }) => changedAt >= second);
  if (recent.length === 0) return undefined;
  const copy = Buffer.from(bytes);
  for (const { offset } of recent) copy.writeUInt32BE(0, offset + 36);
  const content = copy.subarray(0, -CHECKSUM_BYTES);
  createHash('sha1').update(content).digest().copy(copy, content.length);
  return copy;
}

/** Changes with every change of the index. Empty for no bytes. */
export function checksumOf(bytes: Buffer): string {
  return bytes.subarray(-CHECKSUM_BYTES).toString('hex');
}

function damaged(): CcError {
  return new CcError('SESSION_DAMAGED', 'The index of the private store is damaged');
}
