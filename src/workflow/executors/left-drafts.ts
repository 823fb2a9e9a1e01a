/** What a run that was killed left beside a target: the draft that would have taken its place. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type FilePort, ignoring, isDraft } from '../../kernel/base/files.ts';
import { assertInside } from '../../kernel/base/paths.ts';

export interface Written {
  /** Relative to the project. */
  readonly path: string;
  readonly content: string;
}

/**
 * Removes drafts next to the targets. Only one that holds what is to be written, or the first part of that,
 * is ours for sure; a file of the person's stays, whatever its name.
 */
export async function clearLeftDrafts(
  files: FilePort,
  root: string,
  writes: readonly Written[],
): Promise<void> {
  for (const { path, content } of writes) {
    const folder = dirname(await assertInside(root, resolve(root, path)));
    const names = (await readdir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? [];
    for (const name of names.filter(isHiddenDraft)) {
      const bytes = await readFile(join(folder, name)).catch(ignoring('ENOENT', 'EISDIR'));
      const isOurs = bytes?.equals(Buffer.from(content).subarray(0, bytes.length)) ?? false;
      if (isOurs) await files.remove(join(folder, name));
    }
  }
}

function isHiddenDraft(name: string): boolean {
  return /^\.[0-9a-f]{8}-/.test(basename(name)) && isDraft(name);
}
