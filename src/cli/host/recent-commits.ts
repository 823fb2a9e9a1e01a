/** The last commits of a project, read without running a program that its config names. */
import { childEnv } from '../../kernel/base/child-env.ts';
import { runProgram } from '../../kernel/base/processes.ts';

const MAX_COMMITS = 10;
const TIMEOUT_MS = 5_000;

/** Lines of hash and subject, newest first; none outside of a repository. */
export async function recentCommits(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const quiet = ['-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', '--no-pager'];
  const args = [
    ...quiet,
    'log',
    `--max-count=${MAX_COMMITS}`,
    '--no-show-signature',
    '--format=%h %s',
  ];
  const env = childEnv(environment, { marker: '' });
  const { exitCode, stdout } = await runProgram('git', args, {
    cwd: root,
    env,
    timeoutMs: TIMEOUT_MS,
  });
  if (exitCode !== 0) return [];
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
