/** Which sessions a range of commits, or the work tree, changed. */
import { CcError } from '../kernel/base/errors.ts';
import { childEnv } from '../kernel/base/child-env.ts';
import { runProgram } from '../kernel/base/processes.ts';

/** No program that the repository's config names is run for reading. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

/**
 * Compares the work tree, untracked files included, with a commit.
 *
 * @throws {CcError} `REQUEST_INVALID` when git does not know the commit.
 */
export async function sessionsTouchedSince(
  root: string,
  ref: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlySet<string>> {
  const own = childEnv(environment, { marker: '' });
  const env = { ...own, ...(await withoutFilters(root, own)) };
  const git = async (args: readonly string[]) => {
    const result = await runProgram('git', [...QUIET, ...args], { cwd: root, env });
    if (result.exitCode === 0) return result.stdout.toString('utf8').split('\0');
    const words = result.stderr.trim().split('\n')[0] ?? '';
    throw new CcError('REQUEST_INVALID', `git cannot compare with ${ref}: ${words}`, {
      hint: 'cc check',
    });
  };
  const folder = '.chainlesschain/sessions';
  const commit = await git([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ]);
  const [hash = ''] = (commit[0] ?? '').trim().split('\n');
  const changed = await git([
    'diff',
    '--name-only',
    '--relative',
    '--no-ext-diff',
    '--no-textconv',
    '-z',
    hash,
    '--',
    folder,
  ]);
  const untracked = await git(['ls-files', '--others', '--exclude-standard', '-z', '--', folder]);
  const ids = [...changed, ...untracked].map((path) => path.split('/')[2] ?? '');
  return new Set(ids.filter((id) => id !== ''));
}

/**
 * A comparison with the work tree would run the filters that the attributes of the repository ask for.
 *
 * @returns Variables that empty every filter that the config knows.
 */
async function withoutFilters(
  root: string,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const list = ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const { stdout } = await runProgram('git', list, { cwd: root, env });
  const keys = stdout.toString('utf8').split('\0');
  const drivers = new Set(keys.map((key) => key.slice(0, Math.max(0, key.lastIndexOf('.')))));
  drivers.delete('');
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ''],
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ]);
  const variables = settings.flatMap(([key = '', value = ''], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(settings.length) };
}
