/** A file that is about to be replaced or removed: what it is now, and how it is replaced whole. */
import { randomUUID } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { CcError } from '../base/errors.ts';
import { ignoring } from '../base/files.ts';
import { fail, type ToolContext, type ToolFailure, type WriteVerdict } from './tool.ts';

const NEW_FILE_MODE = 0o644;
/** Without set-uid and set-gid: a system takes them away from whoever writes. */
const PERMISSIONS = 0o777;

export interface TargetFile {
  readonly ok: true;
  /** Absolute, links followed. */
  readonly path: string;
  /** Relative to the workspace, separated by `/`. */
  readonly shown: string;
  /** `undefined` when there is no such file. */
  readonly bytes: Uint8Array | undefined;
  /** Permission bits; those of a new file when there is none. */
  readonly mode: number;
}

/** Never opens anything but a regular file: a named pipe would hold the process for ever. */
export async function readTarget(
  path: string,
  context: Pick<ToolContext, 'workspace' | 'mayWrite'>,
): Promise<TargetFile | ToolFailure> {
  if (/[\\/]$/.test(path)) return fail('REQUEST_INVALID', `${path} names a folder, not a file`);
  const verdict = await context.mayWrite(path);
  if (!verdict.ok) return fail(verdict.code, verdict.text);
  return inspect(verdict.path, context.workspace);
}

/**
 * Puts the bytes in the target's place in one step. A link to it stays a link, since `path` is where the
 * links end.
 *
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` when a link on the way has changed since it was judged.
 */
export async function replaceTarget(
  target: Pick<TargetFile, 'path' | 'shown'>,
  content: { readonly bytes: Uint8Array; readonly mode: number },
  { files, mayWrite }: Pick<ToolContext, 'files' | 'mayWrite'>,
): Promise<void> {
  const folder = dirname(target.path);
  await files.makeFolder(folder);
  assertSame(target, await mayWrite(target.path));
  // A name of its own, not one made longer: the target's may be as long as a name can be.
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    await files.writeNew(draft, content.bytes, content.mode);
    assertSame(target, await mayWrite(target.path));
    await files.rename(draft, target.path);
  } catch (error) {
    await files.remove(draft).catch(() => undefined);
    throw error;
  }
  await files.syncFolder(folder);
}

async function inspect(path: string, workspace: string): Promise<TargetFile | ToolFailure> {
  const shown = relative(workspace, path).split(sep).join('/');
  // All links are resolved: whatever is a link now was put there since, and is no regular file.
  const found = await lstat(path).catch(ignoring('ENOENT', 'ENOTDIR', 'ENAMETOOLONG'));
  if (found === undefined) {
    return { ok: true, path, shown, bytes: undefined, mode: NEW_FILE_MODE };
  }
  if (found.isDirectory()) return fail('REQUEST_INVALID', `${shown || '.'} is a folder`);
  if (!found.isFile()) return fail('REQUEST_INVALID', `${shown} is not a regular file`);
  return { ok: true, path, shown, bytes: await readFile(path), mode: found.mode & PERMISSIONS };
}

function assertSame(target: Pick<TargetFile, 'path' | 'shown'>, verdict: WriteVerdict): void {
  if (verdict.ok && verdict.path === target.path) return;
  const reason = verdict.ok ? `it now leads to ${verdict.path}` : verdict.text;
  throw new CcError('PATH_OUTSIDE_WORKSPACE', `${target.shown} changed on the way: ${reason}`);
}
