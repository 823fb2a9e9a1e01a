/** What is other on the disk than the private index says. Only looks: nothing is read into the store. */
import { gitFailed, splitNames } from './private-git.ts';
import { isOwnPath } from './store-folder.ts';
import type { Store } from './store.ts';

/** What one look at the tree goes by. */
export interface Look {
  readonly store: Store;
  /** The person's global ignore file; empty when there is none. */
  readonly globalFile: string;
  readonly signal: AbortSignal | undefined;
}

export interface TreeScan {
  /** Files and links that are new, or that may have changed: only their content can tell. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Folders that are repositories of their own, and that no rule ignores. */
  readonly repositories: readonly string[];
}

/** A file that cannot be looked at is only worth a line to git, which then goes on without it. */
const UNSEEN_FILE = /^(?!warning: ignoring unknown ).+/m;
const OTHERS = ['ls-files', '-z', '-o', '--exclude-standard'];
const UNSEEN_FOLDER = /could not open directory/;

/** @throws {CcError} `TOOL_EXECUTION_FAILED` when a file or folder cannot be looked at. */
export async function scanTree(look: Look): Promise<TreeScan> {
  const [differing, others] = await Promise.all([
    listNames(look, ['diff-files', '-z', '--name-status', '--no-renames'], UNSEEN_FILE),
    listNames(look, [...globalRules(look), ...OTHERS], UNSEEN_FOLDER),
  ]);
  const changed: string[] = [];
  const removed: string[] = [];
  for (let at = 0; at + 1 < differing.length; at += 2) {
    (differing[at] === 'D' ? removed : changed).push(differing[at + 1] ?? '');
  }
  const repositories: string[] = [];
  // A rule may take the folder of `cc` back in; it still does not count.
  for (const name of others.filter((path) => !isOwnPath(path))) {
    // Git does not look into a repository and lists it with a slash at its end.
    if (name.endsWith('/')) repositories.push(name.slice(0, -1));
    else changed.push(name);
  }
  return { changed, removed, repositories };
}

/** As options in front of a command of git. */
export function globalRules({ globalFile }: Look): readonly string[] {
  // An empty value is a file that does not exist.
  return ['-c', `core.excludesFile=${globalFile}`];
}

async function listNames({ store, signal }: Look, args: readonly string[], unseen: RegExp) {
  const result = await store.git.ask(args, { signal });
  if (result.exitCode !== 0 || unseen.test(result.stderr)) throw gitFailed(store.place, result);
  return splitNames(result.stdout);
}
