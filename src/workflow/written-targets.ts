/** What a task left where literal actions of the plan write: their approval expects exactly that. */
import type { Run } from './save-task.ts';
import { hashFile, pathsOf } from './tasks/targets.ts';

/**
 * Only of files that changed since `tree`: what somebody else wrote before is not the task's.
 *
 * @returns Hash by path; nothing when the tree of before is gone, as in another home.
 */
export async function targetsChangedSince(
  run: Run,
  tree: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const { session, ports, signal } = run;
  const { plan } = await session.read();
  const targets = new Set(plan?.steps.flatMap(({ actions }) => actions.flatMap(pathsOf)));
  if (tree === undefined || targets.size === 0) return {};
  const now = await ports.trees.hash(signal);
  const changes = await ports.trees.diff(tree, now.tree).catch(() => []);
  const found: Record<string, string> = {};
  for (const { path } of changes) {
    if (targets.has(path)) found[path] = await hashFile(ports.root, path);
  }
  return found;
}
