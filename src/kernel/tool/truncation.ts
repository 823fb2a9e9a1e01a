/** Bounds for what leaves a tool: for the model, for events, for a person's screen. Pure. */

/** What a model is sent per result, in bytes of UTF-8. */
export const MAX_RESULT_BYTES = 256 * 1024;
/** What one string in an event may hold, in bytes of UTF-8. */
export const MAX_EVENT_STRING_BYTES = 4 * 1024;

const MARK_BYTES = 64;
const MAX_DEPTH = 8;

export interface Bounded {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * At most `maxBytes` bytes of UTF-8: the first and the last part, and between them how much is missing.
 * No character is cut in two.
 */
export function boundText(text: string, maxBytes: number): Bounded {
  // A UTF-16 unit never takes more than three bytes, which spares most texts the encoding.
  if (text.length * 3 <= maxBytes) return { text, truncated: false };
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, truncated: false };
  const half = Math.max(0, Math.floor((maxBytes - MARK_BYTES) / 2));
  const head = bytes.subarray(0, startOfCharacter(bytes, half));
  const tail = bytes.subarray(startOfCharacter(bytes, bytes.length - half));
  const mark = `\n[cut: ${bytes.length - head.length - tail.length} bytes]\n`;
  return { text: `${head.toString()}${mark}${tail.toString()}`, truncated: true };
}

/** The same value with every string in it bounded; what is nested too deep is left out. */
export function boundStrings(value: unknown, maxBytes: number, depth = 0): unknown {
  if (typeof value === 'string') return boundText(value, maxBytes).text;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '[cut: nested too deep]';
  const bound = (inner: unknown) => boundStrings(inner, maxBytes, depth + 1);
  if (Array.isArray(value)) return value.map(bound);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bound(inner)]));
}

/** The nearest position at or before `at` where a character begins. */
function startOfCharacter(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
