/** Where a report goes that is not for stdout. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { writeTextAtomic } from '../kernel/base/files.ts';
import type { Host } from './host/host.ts';

/**
 * Asked before anything runs: nobody waits for checks whose report cannot be written.
 *
 * @returns The absolute path.
 * @throws {CcError} `REQUEST_INVALID` when no file can be written there.
 */
export async function reportPath({ io, global }: Host, word: string): Promise<string> {
  const path = resolve(io.cwd, global.cwd ?? '.', word);
  const folder = dirname(path);
  const isFolder = async (one: string) => (await stat(one).catch(() => undefined))?.isDirectory();
  if (!(await isFolder(folder))) throw refused(`--out: there is no folder ${folder}`);
  if (await isFolder(path)) throw refused(`--out: ${path} is a folder`);
  await access(folder, constants.W_OK).catch(() => {
    throw refused(`--out: nothing can be written in ${folder}`);
  });
  return path;
}

export async function writeReport({ files }: Host, path: string, document: string): Promise<void> {
  await writeTextAtomic(files, path, document);
}

function refused(message: string): CcError {
  return new CcError('REQUEST_INVALID', message, { hint: 'cc verify --help' });
}
