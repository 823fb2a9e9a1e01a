/** Which folder is the project, found without running git. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';

/**
 * The nearest folder with `.chainlesschain/` up to the git top, else the git top, else `cwd`. Never the
 * home folder itself, whose `.chainlesschain` is `cc`'s own.
 *
 * @returns Absolute real path.
 * @throws {CcError} `REQUEST_INVALID` when `cwd` is no folder, or is the home folder.
 */
export async function findProjectRoot(cwd: string, home: string, ccHome: string): Promise<string> {
  const here = await realpath(cwd).catch(() => undefined);
  if (here === undefined || !(await stat(here)).isDirectory()) {
    throw new CcError('REQUEST_INVALID', `${cwd} is not a folder`, { hint: 'cc status --cwd .' });
  }
  const own = await real(ccHome);
  const aroundOwn = basename(own) === '.chainlesschain' ? [dirname(own)] : [];
  const forbidden = new Set([await real(home), own, ...aroundOwn]);
  let marked: string | undefined;
  let top: string | undefined;
  for (let folder = here; top === undefined; folder = dirname(folder)) {
    if (forbidden.has(folder)) break;
    marked ??= (await isThere(join(folder, '.chainlesschain'))) ? folder : undefined;
    if (await isThere(join(folder, '.git'))) top = folder;
    if (dirname(folder) === folder) break;
  }
  const root = marked ?? top ?? here;
  if (!forbidden.has(root)) return root;
  throw new CcError('REQUEST_INVALID', `${root} is your home folder, not a project`, {
    hint: 'cc status --cwd <project>',
  });
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
