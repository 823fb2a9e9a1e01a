/** What the last hash of a tree found, so that an unchanged tree needs one look. A cache: it may be lost. */
import { join } from 'node:path';
import * as z from 'zod';
import { type FilePort, readJson, writeTextAtomic } from '../base/files.ts';

const partSchema = z.strictObject({ path: z.string(), tree: z.string() });

const stateSchema = z.strictObject({
  /** Checksum of the private index that the rest was read from. */
  index: z.string(),
  /** The global ignore file that was used. */
  globalFile: z.string(),
  /** Of everything else that decides which files count. */
  rules: z.string(),
  /** Tree without the repositories inside of it. */
  base: z.string(),
  /** Paths of those repositories, and the trees that they had. */
  nested: z.array(z.string()),
  parts: z.array(partSchema),
  /** Tree with them. */
  tree: z.string(),
  /** Files whose content is not in the store, without those of the repositories inside. */
  unkept: z.array(z.strictObject({ path: z.string(), id: z.string() })),
  /** Trees of earlier looks, and until when each was there, in seconds since 1970. */
  earlier: z.array(z.strictObject({ tree: z.string(), until: z.number() })),
  /** How large the store was after the last clean-up; see `clean-up.ts`. */
  objects: z.number(),
});

/** A repository inside of the tree, hashed by itself. */
export type Part = z.output<typeof partSchema>;
export type TreeState = z.output<typeof stateSchema>;

/** `undefined` when there is none that can be used. */
export function readState(folder: string): Promise<TreeState | undefined> {
  // Damaged or of another version: then everything is looked at again.
  return readJson(join(folder, 'state.json'), stateSchema).catch(() => undefined);
}

export function writeState(files: FilePort, folder: string, state: TreeState): Promise<void> {
  return writeTextAtomic(files, join(folder, 'state.json'), JSON.stringify(state));
}

export function forgetState(files: FilePort, folder: string): Promise<void> {
  return files.remove(join(folder, 'state.json'));
}
