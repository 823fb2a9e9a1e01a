/** What stands in the tree where a plan's literal actions will write. */
import { resolve } from 'node:path';
import { readPlain } from '../../kernel/base/files.ts';
import { sha256 } from '../../kernel/base/hash.ts';
import { resolveLinks } from '../../kernel/base/paths.ts';
import type { LiteralAction, Plan } from '../documents/plan-model.ts';
import { readPatch } from '../executors/apply-patch.ts';
import type { Target } from './tasks-file.ts';

const ABSENT = 'absent';

/** One entry for each file that each literal action writes, in the order of the plan. */
export async function hashTargets(root: string, plan: Plan): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const { id: task, actions } of plan.steps) {
    for (const [action, literal] of actions.entries()) {
      for (const path of pathsOf(literal)) {
        targets.push({ task, action, path, hash: await hashFile(root, path) });
      }
    }
  }
  return targets;
}

/** Paths that an action writes; a script tells none. */
export function pathsOf(action: LiteralAction): readonly string[] {
  if (action.kind === 'file') return [action.path];
  if (action.kind === 'run') return [];
  const read = readPatch(action.patch);
  return read.ok ? read.files.map(({ path }) => path) : [];
}

/** `sha256:<hex>` of the bytes behind every link, or `absent` when there is no such file. */
export async function hashFile(root: string, path: string): Promise<string> {
  const real = await resolveLinks(resolve(root, path));
  const bytes = await readPlain(real);
  return bytes === undefined ? ABSENT : `sha256:${sha256(bytes)}`;
}
