/** What a tool may do to which path. Asked right before a write, because links change under us. */
import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { CcError } from '../base/errors.ts';
import { assertInside, isInside } from '../base/paths.ts';
import type { WriteVerdict } from '../tool/tool.ts';
import { isInGitDir, protectedPart } from './protected-paths.ts';
import { isInScope } from './scope.ts';

export { implicitScope, isInScope } from './scope.ts';

export interface WriteQuestion {
  /** The workspace, absolute; it may be reached through a link. */
  readonly root: string;
  /** Real paths of the repository's git folders that are not `<root>/.git`. */
  readonly gitDirs: readonly string[];
  /** Entries of the step and those that it implies; empty means the whole project. */
  readonly scope: readonly string[];
  /** Absolute, or relative to `root`. */
  readonly path: string;
}

/**
 * Judges where a path really leads: inside the workspace, not protected, in scope. Never throws for a
 * path, whatever it looks like.
 */
export async function guardWrite(question: WriteQuestion): Promise<WriteVerdict> {
  const { root, gitDirs, scope, path } = question;
  if (path.includes('\0')) return deny('A path holds no NUL');
  const real = await whereInside(root, path);
  if (typeof real !== 'string') return real;

  const realRoot = await realpath(root);
  const shown = relative(realRoot, real).split(sep).join('/');
  const part = protectedPart(shown) ?? protectedPart(asWritten(path, [root, realRoot]));
  if (part !== undefined) {
    return deny(`${path} is protected because of "${part}"; only a person changes it, by hand`);
  }
  if (isInGitDir(real, gitDirs)) {
    return deny(`${path} belongs to git (${real}); only a person changes it, by hand`);
  }
  if (!isInScope(shown, scope)) {
    const entries = scope.join(', ');
    return deny(`${shown} is outside of the step's scope (${entries}); add it to the plan's scope`);
  }
  return { ok: true, path: real };
}

async function whereInside(root: string, path: string): Promise<string | WriteVerdict> {
  try {
    return await assertInside(root, path);
  } catch (error) {
    if (!(error instanceof CcError) || error.code !== 'PATH_OUTSIDE_WORKSPACE') throw error;
    return { ok: false, code: 'PATH_OUTSIDE_WORKSPACE', text: error.message };
  }
}

/** The path below its root before links are followed: a link called `.git` is as protected as a folder. */
function asWritten(path: string, [root, realRoot]: readonly [string, string]): string {
  const absolute = resolve(root, path);
  const home = [root, realRoot].find((folder) => isInside(folder, absolute));
  return home === undefined ? '' : relative(home, absolute);
}

function deny(text: string): WriteVerdict {
  return { ok: false, code: 'TOOL_PERMISSION_DENIED', text };
}
