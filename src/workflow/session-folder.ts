/** Where sessions lie. A clone may bring a link in the place of any of these folders. */
import { join } from 'node:path';
import { assertNoLinks } from '../kernel/base/paths.ts';

/** Folders in a session's folder that are written to. */
export const INNER_FOLDERS = ['artifacts', 'runs'] as const;

/**
 * `.chainlesschain/sessions` of the project, there or not.
 *
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` when it is reached through a link.
 */
export function sessionsFolder(root: string): string {
  const folder = join(root, '.chainlesschain', 'sessions');
  assertNoLinks(root, folder);
  return folder;
}

/**
 * For whoever works on a session: its folder and the folders in it are folders of their own.
 *
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` when one of them is a link.
 */
export function assertOwnFolders(root: string, folder: string): void {
  assertNoLinks(root, folder);
  for (const name of INNER_FOLDERS) assertNoLinks(root, join(folder, name), 'cc repair');
}
