/** The disk. The only module that writes to it; boot hands it to everybody else. */
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CcError } from './errors.ts';
import { type FilePort, ignoring } from './files.ts';

/** Never through a link: what it leads to is somebody else's. Windows knows no such flag. */
const REWRITE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

export const nodeFiles: FilePort = {
  async makeFolder(path) {
    // Not `mkdir -p`: below a folder like /proc it never returns on Node 20.
    const found = await stat(path).catch(ignoring('ENOENT', 'ENOTDIR'));
    if (found?.isDirectory()) return;
    const inPlace = found ?? (await lstat(path).catch(ignoring('ENOENT', 'ENOTDIR')));
    // Another process may have made it since the first look.
    if (inPlace?.isDirectory()) return;
    if (inPlace !== undefined) {
      throw refused(path, 'something else is in its place');
    }
    if (dirname(path) === path) throw refused(path, 'it is not there');
    await this.makeFolder(dirname(path));
    await mkdir(path).catch(ignoring('EEXIST')).catch(asUnwritable(path));
  },

  async writeNew(path, bytes, mode) {
    const file = await open(path, 'wx', mode).catch(asUnwritable(path));
    try {
      await file.writeFile(bytes);
      // The umask took bits away that the file replaced by this one had.
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw unwritable(path, error);
    } finally {
      await file.close();
    }
  },

  async append(path, bytes) {
    const file = await open(path, 'a').catch(asUnwritable(path));
    const { size } = await file.stat();
    try {
      await file.writeFile(bytes);
      await file.sync();
    } catch (error) {
      // Half a line is worse than none, and what a full disk took in must not stay.
      await file.truncate(size).catch(() => undefined);
      throw unwritable(path, error);
    } finally {
      await file.close();
    }
  },

  async openWriter(path) {
    const file = await open(path, REWRITE).catch(asUnwritable(path));
    return {
      write: async (bytes) => {
        await file.writeFile(bytes).catch(asUnwritable(path));
      },
      close: () => file.close().catch(asUnwritable(path)),
    };
  },

  rename: (from, to) => rename(from, to).catch(asUnwritable(to)),
  link: (from, to) => link(from, to).catch(asUnwritable(to)),
  async setMode(path, mode) {
    const file = await open(path, 'r').catch(asUnwritable(path));
    try {
      await file.chmod(mode).catch(asUnwritable(path));
    } finally {
      await file.close();
    }
  },
  remove: (path) => rm(path, { force: true }).catch(asUnwritable(path)),
  removeFolder: (path) => rm(path, { recursive: true, force: true }).catch(asUnwritable(path)),

  async syncFolder(path) {
    // Windows cannot open folders and needs no such call.
    const folder = await open(path).catch(ignoring('EISDIR', 'EPERM', 'EACCES'));
    try {
      await folder?.sync().catch(asUnwritable(path));
    } finally {
      await folder?.close();
    }
  },
};

/** What a disk that refuses is told as: no defect of the program, and worth another try. */
export function unwritable(path: string, cause: unknown): CcError {
  return refused(path, reasonOf(cause), cause);
}

function refused(path: string, reason: string, cause?: unknown): CcError {
  const options = { hint: 'cc doctor', details: { path }, cause };
  return new CcError('SESSION_PERSISTENCE_FAILED', `Cannot write ${path}: ${reason}`, options);
}

function asUnwritable(path: string): (error: unknown) => never {
  return (error) => {
    // A missing source or an existing target is for the caller to judge.
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof CcError || code === 'EEXIST' || code === 'ENOENT') throw error;
    throw unwritable(path, error);
  };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EROFS') return 'the file system is read-only';
  return message;
}
