/** Reads a repository without running git, whose config may name programs. */
import { readFile, realpath, stat } from 'node:fs/promises';
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
  const start = await realpath(root);
  for (let top = start; ; top = dirname(top)) {
    const gitDir = await gitDirOf(join(top, '.git'));
    if (gitDir !== undefined) return { top, gitDir, commonDir: await commonDirOf(gitDir) };
    if (dirname(top) === top) return undefined;
  }
}

/** Branch and commit of the repository around `root`; empty outside of one. */
export async function readHead(root: string): Promise<Position> {
  const repository = await findRepository(root);
  if (repository === undefined) return {};
  const { gitDir, commonDir } = repository;
  const ref = await matchIn(join(gitDir, 'HEAD'), /^ref: (\S+)$/m);
  if (ref === undefined) return asHead(await matchIn(join(gitDir, 'HEAD'), /^([0-9a-f]{40,64})$/m));
  const loose = await matchIn(join(commonDir, ref), /^([0-9a-f]{40,64})$/m);
  const head = loose ?? (await packedCommit(commonDir, ref));
  const branch = /^refs\/heads\/([^.].*)$/.exec(ref)?.[1];
  return { ...(branch === undefined ? {} : { branch }), ...asHead(head) };
}

async function packedCommit(commonDir: string, ref: string): Promise<string | undefined> {
  const text = await readFile(join(commonDir, 'packed-refs'), 'utf8').catch(asMissing);
  const line = text?.split('\n').find((candidate) => candidate.endsWith(` ${ref}`));
  return line?.split(' ')[0];
}

function asHead(head: string | undefined): Position {
  return head === undefined ? {} : { head };
}

async function gitDirOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(asMissing);
  const target = found?.isFile() ? await pointerIn(path, /^gitdir: (.+)$/m) : path;
  if (target === undefined || (await stat(join(target, 'HEAD')).catch(asMissing)) === undefined) {
    return undefined;
  }
  return realpath(target);
}

async function commonDirOf(gitDir: string): Promise<string> {
  const target = await pointerIn(join(gitDir, 'commondir'), /^(.+)$/m);
  return target === undefined ? gitDir : realpath(target);
}

/** The path that a file of git names, which is relative to the file's folder. */
async function pointerIn(path: string, pattern: RegExp): Promise<string | undefined> {
  const target = await matchIn(path, pattern);
  return target === undefined ? undefined : resolve(dirname(path), target);
}

async function matchIn(path: string, pattern: RegExp): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(asMissing);
  return text === undefined ? undefined : pattern.exec(text)?.[1]?.trimEnd();
}

/** What cannot be read is no repository to us, as it is none to git. */
function asMissing(): undefined {
  return undefined;
}
