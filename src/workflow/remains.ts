/** What a killed process leaves in a session's folder besides a journal: drafts, its lock, its lease. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring, isDraft } from '../kernel/base/files.ts';
import { readHolder, withLock } from '../kernel/base/lock.ts';
import { rollForward } from '../kernel/base/transaction.ts';
import { type LeasePorts, readLease, retireLease } from './lease.ts';

const LOCK_FILE = '.lock';

/** Cheap, without a lock. Drafts of a writer that is at work count too: whoever clears waits for it. */
export async function hasRemains(folder: string, { locks }: LeasePorts): Promise<boolean> {
  const names = (await readdir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? [];
  if (names.some((name) => isDraft(name) && !name.startsWith(LOCK_FILE))) return true;
  const lease = await readLease(folder);
  if (lease !== undefined && locks.isDead(lease)) return true;
  for (const name of names.filter((one) => one.startsWith(LOCK_FILE))) {
    const holder = await readHolder(join(folder, name)).catch(() => undefined);
    if (holder !== undefined && locks.isDead(holder)) return true;
  }
  return false;
}

/** Never fails: remains are in nobody's way, and whoever only reads may not be allowed to write. */
export async function clearRemains(folder: string, leases: LeasePorts): Promise<void> {
  const { locks } = leases;
  const clear = async () => {
    await rollForward(locks.files, folder);
    await retireLease(folder, leases);
  };
  await withLock(join(folder, LOCK_FILE), locks, clear).catch(() => undefined);
}
