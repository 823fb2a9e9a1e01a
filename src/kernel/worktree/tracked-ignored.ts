/** What the person's repository tracks although a rule ignores it: it counts, and `git add` passes over it. */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gitFailed, type PrivateGit, splitNames } from './private-git.ts';
import { isOwnPath, type StorePlace } from './store-folder.ts';

export interface TrackedIgnored {
  readonly files: readonly string[];
  /** Repositories inside, such as an ignored submodule. */
  readonly repositories: readonly string[];
}

const LINE = /^(?<mode>\d+) \S+ \d\t(?<path>[^]*)$/;

/** @throws {CcError} `TOOL_EXECUTION_FAILED` when the person's index cannot be read. */
export async function findTrackedIgnored(
  place: StorePlace,
  git: PrivateGit,
  globalRules: readonly string[],
): Promise<TrackedIgnored> {
  if (place.repository === undefined) return { files: [], repositories: [] };
  const list = ['ls-files', '-z', '-s', '-i', '-c', '--exclude-standard'];
  const found = await git.read([...globalRules, ...list]);
  if (found.exitCode !== 0) throw gitFailed(place, found);
  const files = new Set<string>();
  const repositories = new Set<string>();
  for (const line of splitNames(found.stdout)) {
    const { mode, path } = LINE.exec(line)?.groups ?? {};
    if (path === undefined || isOwnPath(path)) continue;
    const kind = await kindOf(place, path);
    if (mode === '160000' && kind === 'repository') repositories.add(path);
    if (mode !== '160000' && kind === 'file') files.add(path);
  }
  return { files: [...files], repositories: [...repositories] };
}

/** What is in the tree at that path now. Not what lies behind a link: that is another place. */
async function kindOf(
  { top }: StorePlace,
  path: string,
): Promise<'file' | 'repository' | undefined> {
  const full = join(top, path);
  const found = await lstat(full).catch(() => undefined);
  if (found === undefined || (await realpath(dirname(full))) !== dirname(full)) return undefined;
  if (found.isFile() || found.isSymbolicLink()) return 'file';
  const isRepository = await lstat(join(full, '.git')).then(
    () => true,
    () => false,
  );
  return isRepository ? 'repository' : undefined;
}
