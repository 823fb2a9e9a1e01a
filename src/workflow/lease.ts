/** Who carries out a session right now. Liveness is derived from this file, never stored anywhere else. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CcError } from '../kernel/base/errors.ts';
import { LEASE_FILE } from '../kernel/base/file-names.ts';
import { ignoring, readJson, writeTextAtomic } from '../kernel/base/files.ts';
import { busy, holderSchema, type LockPorts, withLock } from '../kernel/base/lock.ts';
import { endMarked } from '../kernel/base/processes.ts';

const HEARTBEAT_MS = 5_000;
/** A holder on another machine cannot be asked; it is believed for this long after its last sign of life. */
const STALE_MS = 120_000;
const BREAK_PATIENCE_MS = 200;

const leaseSchema = holderSchema.extend({
  /** The command that took it, such as `cc ralph`. */
  command: z.string(),
  startedAt: z.iso.datetime(),
  heartbeatAt: z.iso.datetime(),
});
export type LeaseHolder = z.output<typeof leaseSchema>;

export interface Clock {
  now(): Date;
  /** Calls `work` again and again until the returned function is called. Never keeps the process alive. */
  every(ms: number, work: () => void): () => void;
}

export interface LeasePorts {
  readonly locks: LockPorts;
  readonly clock: Clock;
}

/** Held from taking it to disposing of it. */
export interface Lease extends AsyncDisposable {
  readonly nonce: string;
  /** Aborted when the lease is lost: somebody cancelled the run, or broke the lease. */
  readonly lost: AbortSignal;
}

/** `undefined` when nobody holds the session, or only a process that is dead or silent for too long. */
export async function liveLease(
  folder: string,
  { locks, clock }: LeasePorts,
): Promise<LeaseHolder | undefined> {
  const lease = await readLease(folder);
  if (lease === undefined || locks.isDead(lease)) return undefined;
  const self = locks.self();
  const isHere = lease.host === self.host && lease.pidNamespace === self.pidNamespace;
  // A sign of life from the future is none: nobody could ever wait for its end.
  const silentMs = Math.abs(clock.now().getTime() - Date.parse(lease.heartbeatAt));
  return isHere || silentMs < STALE_MS ? lease : undefined;
}

/** What the file says, dead or alive. A lease that cannot be read is nobody's. */
export async function readLease(folder: string): Promise<LeaseHolder | undefined> {
  const path = join(folder, LEASE_FILE);
  const found = await lstat(path).catch(ignoring('ENOENT', 'ENOTDIR'));
  // A link is not followed: no lease is one.
  if (found?.isFile() !== true) return undefined;
  try {
    return await readJson(path, leaseSchema);
  } catch {
    // It guards a running process, not a document: no process wrote this one, so none is guarded.
    return undefined;
  }
}

/**
 * Takes the session for a run. What a killed run left running is ended first.
 *
 * @throws {CcError} `SESSION_BUSY` with the holder in `details`.
 */
export async function takeLease(
  folder: string,
  ports: LeasePorts,
  command: string,
): Promise<Lease> {
  const { locks, clock } = ports;
  const path = join(folder, LEASE_FILE);
  const at = clock.now().toISOString();
  const mine: LeaseHolder = { ...locks.self(), command, startedAt: at, heartbeatAt: at };
  const locked = <T>(work: () => Promise<T>) => withLock(join(folder, '.lock'), locks, work);

  await locked(async () => {
    await assertFree(folder, ports);
    await writeTextAtomic(locks.files, path, `${JSON.stringify(mine)}\n`);
  });

  const lost = new AbortController();
  const beat = async () => {
    const held = await readLease(folder);
    if (held?.nonce !== mine.nonce) return lost.abort(cancelled());
    const renewed = { ...mine, heartbeatAt: clock.now().toISOString() };
    await writeTextAtomic(locks.files, path, `${JSON.stringify(renewed)}\n`);
  };
  // A heartbeat that cannot be written is a late one: the next may do, and the write of a result will tell.
  const stop = clock.every(HEARTBEAT_MS, () => void locked(beat).catch(() => undefined));

  return {
    nonce: mine.nonce,
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      stop();
      const release = async () => {
        const held = await readLease(folder);
        if (held?.nonce === mine.nonce) await locks.files.remove(path);
      };
      // Without a lock where none is to be had, as on a full disk: a lease that stays would be in the way.
      await locked(release).catch(release);
    },
  };
}

/**
 * Ends a lease, whoever holds it. Every later write of that run is refused. Returns who held it. Waits only a
 * moment for a writer: a stopped process may hold the lock, and a full disk gives none.
 */
export async function breakLease(
  folder: string,
  { locks }: LeasePorts,
): Promise<LeaseHolder | undefined> {
  const take = async () => {
    const held = await readLease(folder);
    await locks.files.removeFolder(join(folder, LEASE_FILE));
    return held;
  };
  const hasty = { ...locks, patienceMs: BREAK_PATIENCE_MS };
  return withLock(join(folder, '.lock'), hasty, take).catch(take);
}

/** Under the folder's lock. A lease of a dead process goes, and with it whatever that process left running. */
export async function retireLease(folder: string, { locks }: LeasePorts): Promise<void> {
  const left = await readLease(folder);
  if (left === undefined || !locks.isDead(left)) return;
  await endMarked(left.nonce);
  await locks.files.remove(join(folder, LEASE_FILE));
}

/** @throws {CcError} `SESSION_BUSY` with the holder in `details`. */
async function assertFree(folder: string, ports: LeasePorts): Promise<void> {
  const holder = await liveLease(folder, ports);
  if (holder !== undefined) throw busy(holder);
  await retireLease(folder, ports);
}

/**
 * For a writer, under the folder's lock.
 *
 * @param nonce Of the writer's own lease; `undefined` for a writer that needs none but respects others'.
 * @throws {CcError} `REQUEST_CANCELLED` when the own lease is gone, `SESSION_BUSY` when another is live.
 */
export async function assertLease(
  folder: string,
  ports: LeasePorts,
  nonce: string | undefined,
): Promise<void> {
  if (nonce === undefined) {
    await assertFree(folder, ports);
  } else if ((await readLease(folder))?.nonce !== nonce) {
    throw cancelled();
  }
}

function cancelled(): CcError {
  return new CcError('REQUEST_CANCELLED', 'The run was cancelled', { hint: 'cc status' });
}
