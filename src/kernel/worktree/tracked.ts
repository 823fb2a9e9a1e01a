/** Which paths the person's repository tracks. Reads its index; runs nothing that its config names. */
import { childEnv } from '../base/child-env.ts';
import { runProgram } from '../base/processes.ts';
import { findRepository } from './git.ts';

/** Arguments are bounded by the system; more paths go in several calls. */
const BATCH = 500;

/**
 * Those of `paths` that git tracks, in the index of the repository around `root`. Outside of a repository
 * nobody says which file belongs to the project, so each does.
 *
 * @param paths Relative to `root`, with `/`.
 */
export async function trackedPaths(
  root: string,
  paths: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0 || (await findRepository(root)) === undefined) return new Set(paths);
  const env = childEnv(environment, { marker: '' });
  const list = ['--literal-pathspecs', '-c', 'core.fsmonitor=false', 'ls-files', '-z', '--'];
  const found = new Set<string>();
  for (let at = 0; at < paths.length; at += BATCH) {
    const args = [...list, ...paths.slice(at, at + BATCH)];
    const { exitCode, stdout } = await runProgram('git', args, { cwd: root, env });
    const names = exitCode === 0 ? stdout.toString('utf8').split('\0') : paths;
    for (const name of names) found.add(name);
  }
  return found;
}
