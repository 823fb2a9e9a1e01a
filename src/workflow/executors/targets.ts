/** The files that an action is about to change: what they are before, and how they become it again. */
import { lstat, readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { ErrorCode } from '../../kernel/base/errors.ts';
import { decodeUtf8, ignoring } from '../../kernel/base/files.ts';
import type { ToolContext, ToolOutcome } from '../../kernel/tool/tool.ts';
import type { LiteralCall } from './literal-actions.ts';

const PERMISSIONS = 0o777;

export interface Targets {
  readonly ok: true;
  /** By the path that the action names; `undefined` for a file that is not there. */
  readonly bytes: ReadonlyMap<string, Uint8Array | undefined>;
  readonly files: readonly Target[];
}

interface Target {
  /** Absolute, links followed. */
  readonly path: string;
  /** Relative to the workspace, separated by `/`. */
  readonly shown: string;
  readonly before: { readonly bytes: Uint8Array; readonly mode: number } | undefined;
}

interface Refused {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Refuses what may not be written before anything is. Opens regular files only. */
export async function readTargets(
  paths: readonly string[],
  context: ToolContext,
): Promise<Targets | Refused> {
  const bytes = new Map<string, Uint8Array | undefined>();
  const files: Target[] = [];
  for (const path of paths) {
    const target = await readOne(path, context);
    if ('code' in target) return target;
    if (files.some((other) => other.path === target.path)) {
      return refuse(`${path} and another path of this action are one file`);
    }
    files.push(target);
    bytes.set(path, target.before?.bytes);
  }
  return { ok: true, bytes, files };
}

interface PutBackPorts extends Pick<ToolContext, 'files'> {
  run(call: LiteralCall): Promise<ToolOutcome>;
}

/** Makes the named files what they were. Returns those that it could not, because the disk fails. */
export async function putBack(
  changed: readonly string[],
  targets: Targets,
  ports: PutBackPorts,
): Promise<string[]> {
  const left: string[] = [];
  for (const shown of changed) {
    const target = targets.files.find((file) => file.shown === shown);
    const isBack = target !== undefined && (await putOneBack(target, ports));
    if (!isBack) left.push(shown);
  }
  return left;
}

async function putOneBack({ path, shown, before }: Target, ports: PutBackPorts): Promise<boolean> {
  if (before === undefined) {
    return (await ports.run({ toolName: 'delete_file', arguments: { path: shown } })).ok;
  }
  // It was UTF-8, or it would not have been changed.
  const content = decodeUtf8(before.bytes);
  const outcome = await ports.run({ toolName: 'write_file', arguments: { path: shown, content } });
  if (!outcome.ok) return false;
  const now = await lstat(path);
  if ((now.mode & PERMISSIONS) !== before.mode) await ports.files.setMode(path, before.mode);
  return true;
}

async function readOne(path: string, context: ToolContext): Promise<Target | Refused> {
  const verdict = await context.mayWrite(path);
  if (!verdict.ok) return { ok: false, code: verdict.code, message: verdict.text };
  const shown = relative(context.workspace, verdict.path).split(sep).join('/');
  const found = await lstat(verdict.path).catch(ignoring('ENOENT', 'ENOTDIR', 'ENAMETOOLONG'));
  if (found === undefined) return { path: verdict.path, shown, before: undefined };
  if (found.isDirectory()) return refuse(`${path} is a folder`);
  if (!found.isFile()) return refuse(`${path} is not a regular file`);
  const before = { bytes: await readFile(verdict.path), mode: found.mode & PERMISSIONS };
  return { path: verdict.path, shown, before };
}

function refuse(message: string): Refused {
  return { ok: false, code: 'REQUEST_INVALID', message };
}
