/** The tree that was verified, kept so that a stale result can say what changed. */
import type { WorkflowPorts } from '../ports.ts';
import type { VerifyFile } from './verify-file.ts';

const MAX_NAMES = 5;

/** Keeps it until the next verification of the session; an earlier one may go. */
export function keepVerified(
  { trees }: Pick<WorkflowPorts, 'trees'>,
  tree: string,
  session: string,
): Promise<void> {
  // No id holds a plus sign, so this is no other session's name.
  return trees.keep(tree, `${session}+verified`);
}

/** Why the result no longer holds, with up to five names of files where they can be told. */
export async function whyStale(
  { trees }: Pick<WorkflowPorts, 'trees'>,
  verify: VerifyFile | undefined,
): Promise<string> {
  const plain = 'Something changed after it was verified';
  if (verify?.tree === undefined) return plain;
  const { hash, tree } = await trees.hash();
  if (hash === verify.treeHash) return plain;
  if (tree === verify.tree) return 'The rules for what git ignores changed after it was verified';
  // The kept tree may be gone with the home it was kept in.
  const changes = await trees.diff(verify.tree, tree).catch(() => []);
  if (changes.length === 0) return plain;
  const names = changes.slice(0, MAX_NAMES).map(({ path }) => path);
  const more = changes.length > MAX_NAMES ? ` and ${changes.length - MAX_NAMES} more` : '';
  return `Changed after it was verified: ${names.join(', ')}${more}`;
}
