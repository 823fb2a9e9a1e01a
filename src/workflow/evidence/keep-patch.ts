/** Puts a difference aside as a patch in the session's `artifacts/`. */
import { join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';
import type { TreeStore } from '../../kernel/worktree/private-store.ts';
import type { Run } from '../save-task.ts';
import { assertOwnFolders } from '../session-folder.ts';

export interface KeptPatch {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
  /** Part of the file's name. */
  readonly name: string;
}

/**
 * Files whose contents were too large to be kept are left out of it.
 *
 * @returns The file, relative to the session folder; `undefined` when there is nothing that could be put into it.
 *   `git apply -R` takes it.
 */
export async function keepPatch(
  { ports, session }: Run,
  kept: KeptPatch,
): Promise<string | undefined> {
  const patch = await patchOf(ports.trees, kept);
  if (patch === undefined) return undefined;
  const stamp = ports.clock.now().toISOString().replaceAll(/[:.]/g, '-');
  const file = `artifacts/held-${kept.name.replaceAll(/[^\p{L}\p{N}._-]/gu, '-')}.${stamp}.patch`;
  assertOwnFolders(ports.root, session.folder);
  await ports.files.makeFolder(join(session.folder, 'artifacts'));
  await ports.files.writeNew(join(session.folder, file), patch);
  return file;
}

async function patchOf(trees: TreeStore, kept: KeptPatch): Promise<Buffer | undefined> {
  // Without paths it would be a patch of everything.
  if (kept.paths.length === 0) return undefined;
  try {
    return await trees.patch(kept.from, kept.to, kept.paths);
  } catch (error) {
    const gone: unknown = error instanceof CcError ? error.details['paths'] : undefined;
    if (!Array.isArray(gone)) throw error;
    const paths = kept.paths.filter((path) => !gone.includes(path));
    return paths.length === kept.paths.length ? undefined : patchOf(trees, { ...kept, paths });
  }
}
