/** The trees of a project: their identity, their differences, and old ones kept. The face of this folder. */
import { posix } from 'node:path';
import { pathFromRoot } from './store-folder.ts';
import { openStore, type StorePorts } from './store.ts';
import { type TreeChange, diffTrees, keepTree, patchBetween, showFile } from './tree-diff.ts';
import { hashTree, type TreeId } from './tree-hash.ts';

export type { TreeId };

/**
 * Reads the work tree into a git store of its own below the person's home. Index, stash, refs, reflog, hooks
 * and config programs of the person's repository are not touched; its objects are shared.
 */
export interface TreeStore {
  /**
   * The tree as it is on the disk. Counts: tracked and untracked files, their bytes, execute bits and link
   * targets, the contents of repositories inside, and the rules for what is ignored. Does not count: ignored
   * files, `.chainlesschain`, times, and everything that git knows about commits and staging.
   *
   * In a repository it is the whole work tree from its top, also when the project is a subfolder.
   *
   * @throws {CcError} `TOOL_EXECUTION_FAILED` when something that counts cannot be read; `SESSION_BUSY`;
   * `REQUEST_CANCELLED`.
   */
  hash(signal?: AbortSignal): Promise<TreeId>;
  /**
   * @param fromTree `tree` of an earlier hash.
   * @returns Paths relative to `root`; what lies beside it begins with `../`.
   */
  diff(fromTree: string, toTree: string): Promise<readonly TreeChange[]>;
  /**
   * Bytes of a file, or the target of a link; `undefined` when the tree has no such file. `path` as in `diff`.
   *
   * @throws {CcError} `TOOL_EXECUTION_FAILED` when it was not kept and has changed since, see `TreeId`.
   */
  show(tree: string, path: string): Promise<Buffer | undefined>;
  /**
   * For `git apply` at the top of the tree. Without `paths` (as in `diff`), of everything.
   *
   * @throws {CcError} `TOOL_EXECUTION_FAILED` when a file in it was not kept and has changed since.
   */
  patch(fromTree: string, toTree: string, paths?: readonly string[]): Promise<Buffer>;
  /** Names a tree, so that no clean-up of the store takes it. A name that is taken moves. */
  keep(tree: string, name: string): Promise<void>;
}

export interface TreeStoreOptions extends StorePorts {
  /** Absolute; a folder of the tree. */
  readonly root: string;
}

/** Nothing is read or made before the first call. */
export function openTreeStore({ root, ...ports }: TreeStoreOptions): TreeStore {
  // Opened for each call: a repository may be made or removed in between.
  const open = () => openStore(root, ports);
  return {
    hash: async (signal) => {
      const store = await open();
      const { unkept, ...id } = await hashTree(store, signal);
      return { ...id, unkept: unkept.map((path) => pathFromRoot(store.place, path)) };
    },
    diff: async (fromTree, toTree) => {
      const store = await open();
      const changes = await diffTrees(store, fromTree, toTree);
      return changes.map(({ path, status }) => ({
        path: pathFromRoot(store.place, path),
        status,
      }));
    },
    show: async (tree, path) => {
      const store = await open();
      return showFile(store, tree, posix.join(store.place.prefix, path));
    },
    patch: async (fromTree, toTree, paths = []) => {
      const store = await open();
      const named = paths.map((path) => posix.join(store.place.prefix, path));
      return patchBetween(store, [fromTree, toTree], named);
    },
    keep: async (tree, name) => keepTree(await open(), tree, name),
  };
}
