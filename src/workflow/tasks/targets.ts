/** What stands in the tree where a plan's literal actions will write. */
import { CcError } from '../../kernel/base/errors.ts';
import { readPlain } from '../../kernel/base/files.ts';
import { sha256 } from '../../kernel/base/hash.ts';
import { assertInside } from '../../kernel/base/paths.ts';
import type { LiteralAction, Plan } from '../documents/plan-model.ts';
import { readPatch } from '../executors/apply-patch.ts';
import type { Target } from './tasks-file.ts';

const ABSENT = 'absent';
const EDIT = 'cc ralplan --edit';

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

/**
 * `sha256:<hex>` of the bytes behind every link, or `absent` when there is no such file.
 *
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` for a file that is not the project's; whatever the disk says.
 */
export async function hashFile(root: string, path: string): Promise<string> {
  const bytes = await readTarget(root, path);
  return bytes === undefined ? ABSENT : `sha256:${sha256(bytes)}`;
}

async function readTarget(root: string, path: string): Promise<Buffer | undefined> {
  try {
    return await readPlain(await assertInside(root, path, EDIT));
  } catch (error) {
    const { code, message, hint, details } = CcError.from(error);
    // A file that may not be read can be opened up; a name that no disk takes has to be another one.
    const isDenied = /permission denied$/.test(message);
    throw new CcError(code, message, {
      hint: isDenied ? (hint ?? EDIT) : EDIT,
      details,
      cause: error,
    });
  }
}
