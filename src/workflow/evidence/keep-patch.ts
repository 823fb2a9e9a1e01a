/** Puts a difference aside as a patch in the session's `artifacts/`. */
import { join } from 'node:path';
import type { Run } from '../save-task.ts';
import { assertOwnFolders } from '../session-folder.ts';

export interface KeptPatch {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
  /** Part of the file's name. */
  readonly name: string;
}

/** @returns The file, relative to the session folder. `git apply -R` takes it. */
export async function keepPatch({ ports, session }: Run, kept: KeptPatch): Promise<string> {
  const patch = await ports.trees.patch(kept.from, kept.to, kept.paths);
  const stamp = ports.clock.now().toISOString().replaceAll(/[:.]/g, '-');
  const file = `artifacts/held-${kept.name.replaceAll(/[^\p{L}\p{N}._-]/gu, '-')}.${stamp}.patch`;
  assertOwnFolders(ports.root, session.folder);
  await ports.files.makeFolder(join(session.folder, 'artifacts'));
  await ports.files.writeNew(join(session.folder, file), patch);
  return file;
}
