/** What differs between two trees of the private store. */
import { CcError } from '../base/errors.ts';
import { withContents } from './lent-contents.ts';
import type { TreeFile } from './objects.ts';
import { splitNames } from './private-git.ts';
import { assertObjectId } from './store-folder.ts';
import type { Store } from './store.ts';
import { rebuildTree } from './tree-hash.ts';

export interface TreeChange {
  /** Relative to the top of the tree, with `/`. */
  readonly path: string;
  /** A file that became a link, or the other way round, is `modified`. */
  readonly status: 'added' | 'modified' | 'deleted' | 'mode-changed';
}

/** Without the person's diff settings and programs. */
const PLAIN = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];

/** A rename is a deleted and an added path. In the order of paths. */
export async function diffTrees(store: Store, from: string, to: string): Promise<TreeChange[]> {
  const output = await readTrees(store, [from, to], ['diff-tree', '-r', '-z', ...PLAIN, from, to]);
  const fields = splitNames(output);
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.push({ path: fields[at + 1] ?? '', status: statusOf(fields[at] ?? '') });
  }
  return changes;
}

/** Bytes of a file, or the target of a link; `undefined` when the tree has no such file. */
export async function showFile(
  store: Store,
  tree: string,
  path: string,
): Promise<Buffer | undefined> {
  if (path === '') return undefined;
  const output = await readTrees(store, [tree], ['ls-tree', '-z', '--full-tree', tree, '--', path]);
  const [line = ''] = splitNames(output);
  // With a slash at its end, git lists what is in the folder.
  const id = line.endsWith(`\t${path}`) ? /^\d+ blob ([0-9a-f]+)\t/.exec(line)?.[1] : undefined;
  if (id === undefined) return undefined;
  return withContents(store, [{ path, id }], (vars) =>
    store.git.run(['cat-file', 'blob', id], { vars }),
  );
}

/** A patch that `git apply` takes, binary files included. Of `paths` only, or of everything. */
export async function patchBetween(
  store: Store,
  [from, to]: readonly [string, string],
  paths: readonly string[] = [],
): Promise<Buffer> {
  const format = ['-p', '--binary', '--full-index', '--src-prefix=a/', '--dst-prefix=b/'];
  const limit = paths.length === 0 ? [] : ['--', ...paths];
  const diff = ['--literal-pathspecs', 'diff-tree', '-r', ...PLAIN];
  const listing = await readTrees(store, [from, to], [...diff, '-z', from, to, ...limit]);
  return withContents(store, filesIn(splitNames(listing)), (vars) =>
    store.git.run([...diff, ...format, from, to, ...limit], { vars }),
  );
}

/**
 * Gives the tree a name in the store, which keeps it through every clean-up of it.
 *
 * @throws {CcError} `REQUEST_INVALID` when git does not take the name.
 */
export async function keepTree(store: Store, tree: string, name: string): Promise<void> {
  const ref = `refs/kept/${name}`;
  const checked = await store.git.ask(['check-ref-format', ref]);
  if (checked.exitCode !== 0) {
    throw new CcError('REQUEST_INVALID', `A tree cannot be kept as ${JSON.stringify(name)}`);
  }
  await readTrees(store, [tree], ['update-ref', '--no-deref', ref, tree]);
}

/**
 * A store that lost objects gets those of the present files back, once; those of older trees may be gone.
 *
 * @throws {CcError} `TOOL_EXECUTION_FAILED` when one of the trees is not in the store.
 */
async function readTrees(
  store: Store,
  trees: readonly string[],
  args: readonly string[],
): Promise<Buffer> {
  for (const tree of trees) assertObjectId(tree);
  const first = await store.git.ask(args);
  if (first.exitCode === 0) return first.stdout;
  await rebuildTree(store);
  const second = await store.git.ask(args);
  if (second.exitCode === 0) return second.stdout;
  const { stderr } = second;
  const message = `The private store no longer holds ${trees.join(' and ')}: ${stderr.trim()}`;
  throw new CcError('TOOL_EXECUTION_FAILED', message, { details: { trees, stderr } });
}

/** Both sides of each file, as far as there are any. */
function filesIn(fields: readonly string[]): TreeFile[] {
  const files: TreeFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , ...ids] = fields[at]?.split(' ', 4) ?? [];
    const path = fields[at + 1] ?? '';
    files.push(...ids.filter((id) => !/^0+$/.test(id)).map((id) => ({ path, id })));
  }
  return files;
}

/** A line of `git diff-tree --raw`: `:<mode> <mode> <blob> <blob> <letter>`. */
function statusOf(line: string): TreeChange['status'] {
  const [, , from, to, letter] = line.split(' ');
  if (letter === 'A') return 'added';
  if (letter === 'D') return 'deleted';
  return letter === 'M' && from === to ? 'mode-changed' : 'modified';
}
