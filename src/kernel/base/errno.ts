/** What a disk that refuses is told as: in words, and with the command that helps. */
import { accessSync, constants, statSync } from 'node:fs';
import { platform, userInfo } from 'node:os';
import { dirname, sep } from 'node:path';

export const TOO_MANY_FILES = 'too many files are open';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links go round in circles',
  ENOENT: 'it is not there',
  EIO: 'the disk gives an error',
  ESTALE: 'the disk is gone',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
};
const FROM_LIMIT = ['EMFILE', 'ENFILE'];
const DENIED = ['EACCES', 'EPERM'];

interface Told {
  readonly message: string;
  readonly hint: string;
  readonly path: string;
}

/** `undefined` for what is no answer of a disk about a path. */
export function tellErrno(thrown: unknown): Told | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code, path, syscall = '' } = thrown as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ''];
  if (code === undefined || reason === undefined || typeof path !== 'string') return undefined;
  // What a spawn or a connection says is not about a file of ours.
  if (/^(?:spawn|connect|bind)/.test(syscall)) return undefined;
  return { message: `Cannot read ${path}: ${reason}`, hint: remedyFor(code, path), path };
}

function remedyFor(code: string, path: string): string {
  if (FROM_LIMIT.includes(code)) return 'ulimit -n 1024';
  return DENIED.includes(code) ? openUp(path) : `ls -ld ${quoted(nearest(path))}`;
}

/** The command that lets this user in where that is theirs to decide, else the one that shows whose it is. */
export function openUp(path: string): string {
  const closed = firstClosed(path);
  return isOwn(closed) ? `chmod u+rwX ${quoted(closed)}` : `ls -ld ${quoted(closed)}`;
}

/** A path as one word of a shell. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

/** The first folder on the way that may not be entered, else the path itself. */
function firstClosed(path: string): string {
  const parts = path.split(sep);
  for (let end = 2; end < parts.length; end++) {
    const folder = parts.slice(0, end).join(sep);
    try {
      accessSync(folder, constants.X_OK);
    } catch {
      // Whatever the reason, nothing below it can be seen.
      return folder;
    }
  }
  return path;
}

function isOwn(path: string): boolean {
  try {
    return platform() === 'win32' || [0, statSync(path).uid].includes(userInfo().uid);
  } catch {
    // Its folder may not be searched, or this user has no name here.
    return false;
  }
}

/** What of the path is there. */
function nearest(path: string): string {
  for (let part = path; ; part = dirname(part)) {
    try {
      statSync(part);
      return part;
    } catch {
      if (dirname(part) === part) return part;
    }
  }
}
