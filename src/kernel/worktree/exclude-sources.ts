/** Which files do not count by rules outside of the tree: `info/exclude` and the person's global ignore file. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sha256 } from '../base/hash.ts';
import { gitFailed, type PrivateGit } from './private-git.ts';
import { type Env, isOwnRule, type StorePlace } from './store-folder.ts';

export interface ExcludeSources {
  /** Text of the repository's `info/exclude`. */
  readonly rules: string;
  /** The global ignore file, whether it exists or not. Empty when the person has no place for one. */
  readonly globalFile: string;
  /** Of what both say: comments, blank lines and the folder of `cc` do not count. */
  readonly digest: string;
  /** Objects of another format cannot be shared. */
  readonly usesSha1: boolean;
}

const KEYS = '^(core\\.excludesfile|extensions\\.objectformat)$';

/** @throws {CcError} `TOOL_EXECUTION_FAILED` when the config cannot be read. */
export async function readExcludeSources(
  place: StorePlace,
  git: PrivateGit,
  env: Env,
): Promise<ExcludeSources> {
  const { repository, top } = place;
  const config = await readConfig(place, git);
  const named = config.get('core.excludesfile');
  const globalFile = named === undefined || named === '' ? defaultFile(env) : resolve(top, named);
  const rules = repository ? await textOf(join(repository.commonDir, 'info', 'exclude')) : '';
  const global = globalFile === '' ? '' : await textOf(globalFile);
  return {
    rules,
    globalFile,
    digest: sha256(JSON.stringify([linesThatCount(rules), linesThatCount(global)])),
    usesSha1: (config.get('extensions.objectformat') ?? 'sha1') === 'sha1',
  };
}

/** As git itself would find them; the last of several values counts. */
async function readConfig(place: StorePlace, git: PrivateGit): Promise<Map<string, string>> {
  const found = await git.read(['config', '-z', '--type=path', '--get-regexp', KEYS]);
  // 1: none of the keys is set.
  if (found.exitCode !== 0 && found.exitCode !== 1) throw gitFailed(place, found);
  const pairs = found.stdout.toString('utf8').split('\0').slice(0, -1);
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('\n');
      return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function defaultFile(env: Env): string {
  const base = env['XDG_CONFIG_HOME'] || (env['HOME'] ? join(env['HOME'], '.config') : undefined);
  return base === undefined ? '' : join(base, 'git', 'ignore');
}

/** Git goes on without a file that it cannot read, so it means no rules here too. */
function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function linesThatCount(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#') && !isOwnRule(line));
}
