/**
 * Reads a repository without running git, whose config may name programs. Synchronously: a handful of small
 * files, for which threads cost more than reading.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface Repository {
  /** The folder that holds `.git`, links resolved. */
  readonly top: string;
  /** Index and HEAD; of its own for a linked worktree and for a submodule. */
  readonly gitDir: string;
  /** Objects, refs, config, `info/exclude`. */
  readonly commonDir: string;
}

/** What is checked out. */
export interface Position {
  /** Absent when a commit is checked out by itself. */
  readonly branch?: string;
  /** Commit id. Absent before the first commit, and where refs are not kept in files. */
  readonly head?: string;
}

/** The innermost repository around `root`, or `undefined`. Follows the `.git` files of worktrees and submodules. */
export async function findRepository(root: string): Promise<Repository | undefined> {
  const start = realpathSync(root);
  for (let top = start; ; top = dirname(top)) {
    const gitDir = gitDirOf(join(top, '.git'));
    if (gitDir !== undefined) return { top, gitDir, commonDir: commonDirOf(gitDir) };
    if (dirname(top) === top) return undefined;
  }
}

/** Branch and commit of the repository around `root`; empty outside of one. */
export async function readHead(root: string): Promise<Position> {
  const repository = await findRepository(root);
  if (repository === undefined) return {};
  const { gitDir, commonDir } = repository;
  const ref = matchIn(join(gitDir, 'HEAD'), /^ref: (\S+)$/m);
  if (ref === undefined) return asHead(matchIn(join(gitDir, 'HEAD'), /^([0-9a-f]{40,64})$/m));
  const loose = matchIn(join(commonDir, ref), /^([0-9a-f]{40,64})$/m);
  const head = loose ?? packedCommit(commonDir, ref);
  const branch = /^refs\/heads\/([^.].*)$/.exec(ref)?.[1];
  return { ...(branch === undefined ? {} : { branch }), ...asHead(head) };
}

function packedCommit(commonDir: string, ref: string): string | undefined {
  const text = whatIsThere(() => readFileSync(join(commonDir, 'packed-refs'), 'utf8'));
  const line = text?.split('\n').find((candidate) => candidate.endsWith(` ${ref}`));
  return line?.split(' ')[0];
}

function asHead(head: string | undefined): Position {
  return head === undefined ? {} : { head };
}

function gitDirOf(path: string): string | undefined {
  const found = whatIsThere(() => statSync(path));
  const target = found?.isFile() ? pointerIn(path, /^gitdir: (.+)$/m) : path;
  if (target === undefined || whatIsThere(() => statSync(join(target, 'HEAD'))) === undefined) {
    return undefined;
  }
  return realpathSync(target);
}

function commonDirOf(gitDir: string): string {
  const target = pointerIn(join(gitDir, 'commondir'), /^(.+)$/m);
  return target === undefined ? gitDir : realpathSync(target);
}

/** The path that a file of git names, which is relative to the file's folder. */
function pointerIn(path: string, pattern: RegExp): string | undefined {
  const target = matchIn(path, pattern);
  return target === undefined ? undefined : resolve(dirname(path), target);
}

function matchIn(path: string, pattern: RegExp): string | undefined {
  const text = whatIsThere(() => readFileSync(path, 'utf8'));
  return text === undefined ? undefined : pattern.exec(text)?.[1]?.trimEnd();
}

function whatIsThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // What cannot be read is no repository to us, as it is none to git.
    return undefined;
  }
}
