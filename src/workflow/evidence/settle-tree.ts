/** Runs checks until the tree stands still, so that a result speaks of the tree that is left. */
import type { TreeId } from '../../kernel/worktree/private-store.ts';
import { trackedPaths } from '../../kernel/worktree/tracked.ts';
import type { TreeChange } from '../../kernel/worktree/tree-diff.ts';
import type { WorkflowPorts } from '../ports.ts';
import { type CheckRun, runChecks } from './run-checks.ts';
import type { CheckRecord } from './verify-file.ts';

export interface SettledTree {
  readonly records: readonly CheckRecord[];
  /** The tree after the last check: what the result is bound to. */
  readonly tree: TreeId;
  /** New files that the checks left behind and that nobody ignores. */
  readonly produced: readonly string[];
  /** Files that were there before and that the checks changed again on the rerun. */
  readonly mutated: readonly string[];
}

/**
 * A check that writes into files that were there gets one rerun: a formatter is still the second time, and
 * what ran before it is then run on what it left.
 */
export async function settleTree(ports: WorkflowPorts, run: CheckRun): Promise<SettledTree> {
  const first = await runChecks(ports, run);
  const left = await whatChanged(ports, first.before, first.after);
  if (!left.rewrote) {
    return { records: first.records, tree: first.after, produced: left.produced, mutated: [] };
  }
  const second = await runChecks(ports, run);
  const again = await whatChanged(ports, second.before, second.after);
  const produced = [...new Set([...left.produced, ...again.produced])].sort();
  return { records: second.records, tree: second.after, produced, mutated: again.mutated };
}

/** A report that nobody tracks may be written anew each time; a file of the project may not. */
async function whatChanged(ports: WorkflowPorts, before: TreeId, after: TreeId) {
  if (before.hash === after.hash) return { produced: [], mutated: [], rewrote: false };
  const changes = await ports.trees.diff(before.tree, after.tree);
  const old = changes.filter(({ status }) => status !== 'added').map(({ path }) => path);
  const tracked = await trackedPaths(ports.root, old, ports.env);
  const isProduced = ({ path, status }: TreeChange) =>
    status === 'added' || (status !== 'deleted' && !tracked.has(path));
  return {
    produced: changes.filter(isProduced).map(({ path }) => path),
    mutated: old.filter((path) => tracked.has(path)),
    rewrote: old.length > 0,
  };
}
