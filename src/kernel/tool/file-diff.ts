/** What a write changed, for people and programs. Pure. */
import { createPatch } from 'diff';
import { decodeUtf8 } from '../base/files.ts';

/** Beyond this a diff takes long and nobody reads it. */
const MAX_INPUT_BYTES = 1024 * 1024;
const MAX_DIFF_BYTES = 64 * 1024;
const TIMEOUT_MS = 1_000;
const CONTEXT_LINES = 3;
/** As git does: a NUL this early makes it binary. */
const SNIFFED_BYTES = 8_000;

export type FileDiff =
  | { readonly diff: string; readonly added: number; readonly removed: number }
  | { readonly omitted: 'binary' | 'too large' };

/** @param before `undefined` for a file that was not there; `after` likewise for one that is gone. */
export function diffOf(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): FileDiff {
  const old = before ?? new Uint8Array();
  const now = after ?? new Uint8Array();
  if (old.length + now.length > MAX_INPUT_BYTES) return { omitted: 'too large' };
  const [oldText, newText] = [textOf(old), textOf(now)];
  if (oldText === undefined || newText === undefined) return { omitted: 'binary' };
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS };
  const diff = createPatch(path, oldText, newText, undefined, undefined, options);
  if (diff === undefined || diff.length > MAX_DIFF_BYTES) return { omitted: 'too large' };
  // The first four lines are headers; `+++` and `---` stand only there.
  const lines = diff.split('\n').slice(4);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { diff, added: count('+'), removed: count('-') };
}

/** `+3 -1`, or why the numbers are not known. */
export function summaryOf(diff: FileDiff): string {
  return 'omitted' in diff ? `${diff.omitted}, no diff` : `+${diff.added} -${diff.removed}`;
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  try {
    return decodeUtf8(bytes);
  } catch {
    // Not UTF-8: to be shown as a size only.
    return undefined;
  }
}
