/** Removes locks and leases of processes that are no more. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LEASE_FILE } from '../kernel/base/file-names.ts';
import { ignoring } from '../kernel/base/files.ts';
import { breakLock, busy, type Holder, readHolder } from '../kernel/base/lock.ts';
import { endMarked, isAlive } from '../kernel/base/processes.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { readLease } from './lease.ts';
import type { AskConsent, WorkflowPorts } from './ports.ts';
import { assertExists, openSession } from './session-dir.ts';
import { type Refusal, refuse } from './transitions.ts';

export type Unlocked =
  | { readonly allowed: false; readonly refusal: Refusal }
  | { readonly allowed: true; readonly holders: readonly Holder[] };

/**
 * Dead holders are cleared at once. For one that cannot be judged, such as on another machine, a person is
 * asked. One that runs on this machine keeps what it has.
 */
export async function unlock(
  ports: WorkflowPorts,
  request: { readonly id: SessionId; readonly ask: AskConsent },
): Promise<Unlocked> {
  const session = openSession(ports, request.id);
  await assertExists(session);
  const { folder } = session;
  const lock = join(folder, '.lock');
  const lease = await readLease(folder);
  if (lease !== undefined && isAlive(lease)) return isBusy(lease, 'cc cancel');
  const { locks } = ports.leases;
  const held = await readableHolder(lock, ports);
  // Held for a moment, unless its process hangs.
  if (held !== undefined && isAlive(held)) return isBusy(held, `kill -9 ${held.pid}`);
  const holders = [lease, held].filter((one) => one !== undefined);
  const doubtful = holders.filter((holder) => !locks.isDead(holder));
  if (doubtful.length > 0) {
    const names = doubtful.map(({ pid, host }) => `process ${pid} on ${host}`).join(', ');
    const text = `${names} may still be writing ${request.id}. Take it away from there?`;
    const consent = await request.ask({ text, hash: '' });
    if (!consent.given) return { allowed: false, refusal: consent.refusal };
  }
  await breakLock(lock, locks, true);
  await ports.files.removeFolder(join(folder, LEASE_FILE));
  for (const name of await leftRights(folder)) await ports.files.removeFolder(join(folder, name));
  if (lease !== undefined) await endMarked(lease.nonce);
  return { allowed: true, holders };
}

function isBusy(holder: Holder, remedy: string) {
  return refuse('SESSION_BUSY', busy(holder).message, remedy);
}

async function readableHolder(lock: string, ports: WorkflowPorts): Promise<Holder | undefined> {
  try {
    return await readHolder(lock);
  } catch {
    // A lock that cannot be read is nobody's, and in everybody's way.
    await ports.files.removeFolder(lock);
    return undefined;
  }
}

/** `.lock.<nonce>`: the right to clear a dead holder, left by a process that was killed with it. */
async function leftRights(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(ignoring('ENOENT'))) ?? [];
  return names.filter((name) => name.startsWith('.lock.'));
}
