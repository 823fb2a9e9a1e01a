/** The person's own index, before and after a commit that was built in another one. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import type { ProgramResult } from '../kernel/base/processes.ts';
import { type Decision, refuse } from './transitions.ts';

const BATCH = 200;

export type Git = (args: readonly string[], options?: GitOptions) => Promise<ProgramResult>;

interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer;
  readonly timeoutMs?: number;
  /** Exit codes besides 0 that are an answer. */
  readonly fine?: readonly number[];
}

/** `undefined` while the index can be written; git itself would find out only after the commit. */
export async function whyLocked(
  gitDir: string,
): Promise<Extract<Decision, { allowed: false }> | undefined> {
  const path = join(gitDir, 'index.lock');
  if ((await lstat(path).catch(() => undefined)) === undefined) return undefined;
  const message = `Another git holds the index, or left its lock when it was killed: when no git runs here any more, remove ${path}`;
  return refuse('STAGE_MISMATCH', message, `rm ${quoted(path)}`);
}

/** Paths of these that have something staged. */
export async function stagedAmong(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  return differing(git, ['--cached'], paths);
}

/** Paths of these that git does not know, neither staged nor committed; relative to `root`, as they are given. */
export async function untrackedAmong(
  git: Git,
  { root, paths }: { readonly root: string; readonly paths: readonly string[] },
): Promise<readonly string[]> {
  const untracked: string[] = [];
  for (const path of paths) {
    const listed = await git(['ls-files', '-z', '--', join(root, path)]);
    if (listed.stdout.length === 0) untracked.push(path);
  }
  return untracked;
}

/** Files of a commit, in order; relative to the top of the repository. */
export async function filesOf(git: Git, hash: string): Promise<readonly string[]> {
  const listing = ['diff-tree', '-r', '-z', '--root', '--no-commit-id', '--name-only', hash];
  return namesIn((await git(listing)).stdout);
}

/** What git should be told by hand, and why; `undefined` when the index is at the commit. */
export type Behind = { readonly command: string; readonly why: string } | undefined;

/**
 * Brings the index to the newest commit, for exactly its files: their old entries would take the commit
 * back with the next one.
 *
 * @param all Also entries that are not as they were before the commit.
 */
export async function bringIndexAlong(
  git: Git,
  { hash, all }: { readonly hash: string; readonly all: boolean },
): Promise<Behind> {
  const parent = await git(['rev-parse', '--quiet', '--verify', `${hash}^`], { fine: [1] });
  if (parent.exitCode !== 0) return undefined;
  const committed = await filesOf(git, hash);
  const staged = all ? [] : await differing(git, ['--cached', `${hash}^`], committed);
  const old = committed.filter((path) => !staged.includes(path));
  const behind = all ? old : await differing(git, ['--cached', hash], old);
  try {
    for (const some of batches(behind)) {
      await git(['reset', '--quiet', '--', ...some], { fine: [1] });
    }
    return undefined;
  } catch (error) {
    const paths = behind.map((path) => quoted(`:(top,literal)${path}`));
    return {
      command: `git reset -- ${paths.join(' ')}`,
      why: firstLine(CcError.from(error).message),
    };
  }
}

async function differing(
  git: Git,
  against: readonly string[],
  paths: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const some of batches(paths)) {
    const { stdout } = await git([
      'diff',
      ...against,
      '--no-renames',
      '--name-only',
      '-z',
      '--',
      ...some,
    ]);
    found.push(...namesIn(stdout));
  }
  return found;
}

/** As many as a command line takes. */
function batches(paths: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(paths.length / BATCH);
  return Array.from({ length: count }, (_, at) => paths.slice(at * BATCH, (at + 1) * BATCH));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function namesIn(output: Buffer): readonly string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '');
}

/** For a command that is shown to be typed. */
export function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) && !path.startsWith('-')
    ? path
    : `'${path.replaceAll("'", "'\\''")}'`;
}
