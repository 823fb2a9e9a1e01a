/**
 * How much a private store takes in. Every file counts in the hash, whatever its size; these only say whether
 * its content can be shown later, when the file itself has changed.
 */
export interface StoreLimits {
  /** The content of a larger file is not kept. */
  readonly maxFileBytes: number;
  /** Of the contents that one look adds; beyond it the largest files stay out. */
  readonly maxLookBytes: number;
  /** A clean-up follows when the store has more new objects than this, of those in one of its 256 folders. */
  readonly maxGrowth: number;
  /** For how long a tree that is no longer there can still be compared, although nobody keeps it. */
  readonly unusedMs: number;
}

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

export const STORE_LIMITS: StoreLimits = {
  maxFileBytes: 32 * MIB,
  maxLookBytes: 512 * MIB,
  // As git's own `gc.auto` of 6,700 objects.
  maxGrowth: 27,
  unusedMs: 14 * DAY_MS,
};

/** For messages: what is not kept. */
export function inWords({ maxFileBytes, maxLookBytes }: StoreLimits): string {
  const [file, look] = [sizeInWords(maxFileBytes), sizeInWords(maxLookBytes)];
  return `files above ${file}, and the largest of those that come to more than ${look} at once,`;
}

export function sizeInWords(bytes: number): string {
  return bytes < MIB ? `${bytes} bytes` : `${Math.round(bytes / MIB)} MiB`;
}
