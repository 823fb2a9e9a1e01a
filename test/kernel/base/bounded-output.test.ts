import { expect, test } from 'vitest';
import { BoundedOutput } from '../../../src/kernel/base/bounded-output.ts';

const KIB = 1024;

function read(pieces: readonly Uint8Array[]) {
  const output = new BoundedOutput();
  for (const piece of pieces) output.push(piece);
  return output.read();
}

/** The same bytes as they may arrive from a pipe. */
function inPieces(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

test.each([
  ['nothing', 0, false],
  ['one byte', 1, false],
  ['exactly both ends', 96 * KIB, false],
  ['one byte more than both ends', 96 * KIB + 1, true],
])('keeps %s', (_title, size, truncated) => {
  const kept = read([Buffer.alloc(size, 'a')]);

  expect(kept).toMatchObject({ truncated, totalBytes: size });
  expect(kept.text.replace(/\n\[\d+ bytes cut here\]\n/, '')).toHaveLength(
    Math.min(size, 96 * KIB),
  );
});

test.each([1, 7, 4_096, 49_152, 65_536, 1_000_000])(
  'cuts the middle, read %i bytes at a time',
  (size) => {
    const lines = Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join('');

    const { text, truncated, totalBytes } = read(inPieces(Buffer.from(lines), size));

    const [head = '', cut, tail = ''] = text.split(/\n\[(\d+) bytes cut here\]\n/);
    expect({ truncated, totalBytes }).toEqual({ truncated: true, totalBytes: 428_890 });
    expect(lines.startsWith(head) && lines.endsWith(tail)).toBe(true);
    expect([head.length, Number(cut), tail.length]).toEqual([49_152, 330_586, 49_152]);
  },
);

test.each([
  ['two bytes', 'é', 2],
  ['three bytes', '漢', 3],
  ['four bytes', '🙂', 4],
])('never cuts inside a character of %s', (_title, character, size) => {
  for (const offset of [0, 1, 2, 3]) {
    const text = 'x'.repeat(offset) + character.repeat(100_000) + 'x'.repeat(offset);
    const kept = read(inPieces(Buffer.from(text), 1_000));

    expect(kept.text).not.toContain('\uFFFD');
    const [head = '', cut, tail = ''] = kept.text.split(/\n\[(\d+) bytes cut here\]\n/);
    const sum = Buffer.byteLength(head) + Number(cut) + Buffer.byteLength(tail);
    expect(sum).toBe(2 * offset + 100_000 * size);
    expect(Buffer.byteLength(head)).toBeGreaterThan(48 * KIB - 4);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(48 * KIB - 4);
  }
});

test('replaces what is not UTF-8, and keeps the count of its bytes', () => {
  const kept = read([Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a])]);

  expect(kept).toEqual({
    text: '\uFFFD\uFFFD\uFFFD\n',
    truncated: false,
    totalBytes: 5,
  });
});

test('keeps a byte order mark, and a character that arrives in two pieces', () => {
  const bytes = Buffer.from('\uFEFF漢字');

  expect(read([bytes.subarray(0, 4), bytes.subarray(4)]).text).toBe('\uFEFF漢字');
});
