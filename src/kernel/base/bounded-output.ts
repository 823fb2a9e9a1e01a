/** Keeps the beginning and the end of a stream of any length in a fixed amount of memory. */

/** Bytes kept of each end. */
const MAX_END_BYTES = 48 * 1024;

const LONGEST_CHARACTER = 4;

export interface KeptOutput {
  /** Decoded as UTF-8; what is not UTF-8 became U+FFFD. */
  readonly text: string;
  readonly truncated: boolean;
  /** Of the whole stream, kept or not. */
  readonly totalBytes: number;
}

export class BoundedOutput {
  private readonly head = Buffer.alloc(MAX_END_BYTES);
  /** A ring: once full, `tailBytes % MAX_END_BYTES` is where its oldest byte is. */
  private readonly tail = Buffer.alloc(MAX_END_BYTES);
  private headBytes = 0;
  private tailBytes = 0;

  push(bytes: Uint8Array): void {
    const room = Math.min(MAX_END_BYTES - this.headBytes, bytes.length);
    this.head.set(bytes.subarray(0, room), this.headBytes);
    this.headBytes += room;
    this.pushTail(bytes.subarray(room));
  }

  /** What was kept so far, with a line in the middle that says how much was not. */
  read(): KeptOutput {
    const totalBytes = this.headBytes + this.tailBytes;
    const head = this.head.subarray(0, this.headBytes);
    if (this.tailBytes <= MAX_END_BYTES) {
      const text = decode(Buffer.concat([head, this.tail.subarray(0, this.tailBytes)]));
      return { text, truncated: false, totalBytes };
    }
    const oldest = this.tailBytes % MAX_END_BYTES;
    const ring = Buffer.concat([this.tail.subarray(oldest), this.tail.subarray(0, oldest)]);
    const first = withoutHalfEnd(head);
    const last = withoutHalfStart(ring);
    const cut = totalBytes - first.length - last.length;
    const text = `${decode(first)}\n[${cut} bytes cut here]\n${decode(last)}`;
    return { text, truncated: true, totalBytes };
  }

  private pushTail(bytes: Uint8Array): void {
    // Of a large piece only the end can survive.
    const skipped = Math.max(0, bytes.length - MAX_END_BYTES);
    this.tailBytes += skipped;
    let rest = bytes.subarray(skipped);
    while (rest.length > 0) {
      const at = this.tailBytes % MAX_END_BYTES;
      const part = rest.subarray(0, MAX_END_BYTES - at);
      this.tail.set(part, at);
      this.tailBytes += part.length;
      rest = rest.subarray(part.length);
    }
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Drops the bytes of a character whose rest was cut off. */
function withoutHalfEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

/** Drops the bytes of a character whose beginning was cut off. */
function withoutHalfStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < LONGEST_CHARACTER - 1 && isContinuation(bytes[start] ?? 0)) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Bytes of the character that begins with this one. */
function lengthOf(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}
