/** The tree with which a session's own changes begin. */
import { STORE_LIMITS } from '../kernel/worktree/store-limits.ts';
import type { WorkflowPorts } from './ports.ts';

const MAX_NAMED = 5;
const MIB = 1024 * 1024;

/**
 * Kept until nobody needs it. Says which files it knows only by their hash.
 *
 * @returns Its id in the private store.
 */
export async function keepBaseTree(
  ports: WorkflowPorts,
  id: string,
  signal?: AbortSignal,
): Promise<string> {
  const { tree, unkept } = await ports.trees.hash(signal);
  await ports.trees.keep(tree, id);
  if (unkept.length > 0) {
    const more = unkept.length > MAX_NAMED ? ` and ${unkept.length - MAX_NAMED} more` : '';
    const names = `${unkept.slice(0, MAX_NAMED).join(', ')}${more}`;
    const limit = `${STORE_LIMITS.maxFileBytes / MIB} MiB each, ${STORE_LIMITS.maxLookBytes / MIB} MiB in all`;
    const message = `Too large to be kept (${limit}): ${names}. A change of these is noticed, but cannot be shown or put back; let git ignore what is no part of the project`;
    const details = { unkept: [...unkept] };
    ports.emit({
      type: 'warning',
      payload: { code: 'SESSION_PERSISTENCE_FAILED', message, retryable: false, details },
    });
  }
  return tree;
}
