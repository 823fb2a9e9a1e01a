/** The key that makes an approval this person's. Lives in their home, never in a project. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';
import { clearOldDrafts, type FilePort, ignoring } from '../../kernel/base/files.ts';

const FILE = 'seal.key';
const BYTES = 32;

/**
 * `CC_SEAL_KEY` (any text; shares one key with a team or CI), else `<home>/seal.key`.
 *
 * @returns `undefined` when there is none and `make` is false.
 * @throws {CcError} `CONFIG_INVALID` when others may read or write the key, or it was cut.
 */
export async function readSealKey(
  home: string,
  {
    files,
    env,
    make,
  }: {
    readonly files: FilePort;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly make: boolean;
  },
): Promise<Uint8Array | undefined> {
  const shared = env['CC_SEAL_KEY'];
  if (shared !== undefined && shared !== '') return createHash('sha256').update(shared).digest();
  const path = join(home, FILE);
  // Each of them is a key, or was to be one.
  if (make) await clearOldDrafts(files, path, Date.now());
  const found = readKey(path);
  if (found !== undefined) return checked(path, found);
  if (!make) return undefined;
  await files.makeFolder(home);
  // The name appears with the whole key behind it, and of two who make one at once one wins.
  const draft = `${path}.${randomUUID()}.tmp`;
  await files.writeNew(draft, randomBytes(BYTES), 0o600);
  try {
    await files.link(draft, path).catch(ignoring('EEXIST'));
  } finally {
    await files.remove(draft);
  }
  return checked(path, readFileSync(path));
}

/** Synchronous: a thread for it would cost more than everything else that `status` reads. */
function readKey(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    return ignoring('ENOENT', 'ENOTDIR')(error as NodeJS.ErrnoException);
  }
}

function checked(path: string, key: Buffer): Uint8Array {
  const { mode } = statSync(path);
  const isShared = process.platform !== 'win32' && (mode & 0o077) !== 0;
  if (isShared) throw invalid(path, 'others may read it', `chmod 600 ${path}`);
  if (key.length !== BYTES)
    throw invalid(path, `it has ${key.length} bytes, not ${BYTES}`, `rm ${path}`);
  // A file system that lost power may leave zeros, and anybody can guess those.
  if (key.every((byte) => byte === 0)) throw invalid(path, 'it is all zeros', `rm ${path}`);
  return key;
}

function invalid(path: string, problem: string, hint: string): CcError {
  return new CcError('CONFIG_INVALID', `${path}: ${problem}`, { hint });
}
