/** Which folder is the project, found without running git. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';

/**
 * The nearest folder with `.chainlesschain/` up to the git top, else the git top, else `cwd`. Never the
 * home folder itself, whose `.chainlesschain` is `cc`'s own.
 *
 * @returns Absolute real path.
 * @throws {CcError} `REQUEST_INVALID` when `cwd` is no folder, or is the home folder.
 */
export function findProjectRoot(cwd: string, home: string, ccHome: string): string {
  const here = real(cwd);
  if (!isFolder(here)) {
    throw new CcError('REQUEST_INVALID', `${cwd} is not a folder`, { hint: 'cc status --cwd .' });
  }
  const own = real(ccHome);
  const aroundOwn = basename(own) === '.chainlesschain' ? [dirname(own)] : [];
  const forbidden = new Set([real(home), own, ...aroundOwn]);
  let marked: string | undefined;
  let top: string | undefined;
  for (let folder = here; top === undefined; folder = dirname(folder)) {
    if (forbidden.has(folder)) break;
    marked ??= isThere(join(folder, '.chainlesschain')) ? folder : undefined;
    if (isThere(join(folder, '.git'))) top = folder;
    if (dirname(folder) === folder) break;
  }
  const root = marked ?? top ?? here;
  if (!forbidden.has(root)) return root;
  throw new CcError('REQUEST_INVALID', `${root} is your home folder, not a project`, {
    hint: 'cc status --cwd <project>',
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, below a file, or in a folder that may not be entered.
    return false;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A path that is not there stays as it is; nor is one below a file, which Node tells as a fault. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
