/** One writer per folder, for the length of one write. A run holds a lease instead (`workflow/lease.ts`). */
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { CcError } from './errors.ts';
import { type FilePort, ignoring, isDraft, readJson, stageText } from './files.ts';

const PATIENCE_MS = 5_000;
const PAUSE_MS = 20;
/** A draft of a lock lives for a moment; an older one was left by a killed process. */
const STALE_DRAFT_MS = 60_000;

/** Who holds something: a process of one machine, of one boot, of one pid namespace. */
export const holderSchema = z.looseObject({
  nonce: z.uuid(),
  /** Positive: other numbers mean groups, or every process there is. */
  pid: z.int().positive(),
  host: z.string(),
  /** Ticks since boot at which the process began, or empty where the system does not tell. */
  startTime: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
});
export type Holder = z.output<typeof holderSchema>;

export interface LockPorts {
  readonly files: FilePort;
  /** This process, with a fresh `nonce`. */
  self(): Holder;
  /** True only when proven: same host, boot and pid namespace, and no process of that start time. */
  isDead(holder: Holder): boolean;
  /** How long to wait for another holder; five seconds unless given. */
  readonly patienceMs?: number;
}

/**
 * Runs `work` while no other process is inside a lock of the same path.
 *
 * @throws {CcError} `SESSION_BUSY` with the holder in `details`, after `patienceMs` of waiting;
 *   `SESSION_DAMAGED` when the lock is no lock of ours, such as one that came with a clone.
 */
export async function withLock<T>(
  path: string,
  ports: LockPorts,
  work: () => Promise<T>,
): Promise<T> {
  const self = ports.self();
  const until = Date.now() + (ports.patienceMs ?? PATIENCE_MS);
  while (!(await claim(path, ports, self))) {
    const holder = await readHolder(path);
    const isLeft = holder !== undefined && ports.isDead(holder);
    // Clearing a dead one takes its time, and somebody else may be about it.
    if (Date.now() >= (isLeft ? until + PATIENCE_MS : until)) throw busy(holder);
    if (isLeft) await clear(path, ports, holder);
    else await sleep(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await ports.files.remove(path);
  }
}

/** Removes a lock whose holder is dead, or any lock with `force`. Returns who held it. */
export async function breakLock(
  path: string,
  ports: LockPorts,
  force: boolean,
): Promise<Holder | undefined> {
  const holder = await readHolder(path);
  if (holder === undefined) return undefined;
  if (!force && !ports.isDead(holder)) throw busy(holder);
  // The right to clear it may have to be inherited first.
  const until = Date.now() + PATIENCE_MS;
  while ((await readHolder(path))?.nonce === holder.nonce) {
    if (Date.now() >= until) throw busy(holder);
    await clear(path, ports, holder);
  }
  return holder;
}

/**
 * Who holds the lock; `undefined` when nobody does.
 *
 * @throws {CcError} `SESSION_DAMAGED` when it cannot be read. A link is not followed: no lock is one.
 */
export async function readHolder(path: string): Promise<Holder | undefined> {
  const found = await lstat(path).catch(ignoring('ENOENT'));
  if (found === undefined) return undefined;
  try {
    if (!found.isFile()) throw new CcError('SESSION_DAMAGED', `${path}: it is not a file`);
    return await readJson(path, holderSchema);
  } catch (error) {
    const { code, message } = CcError.from(error);
    throw new CcError(code, message, { hint: 'cc unlock', details: { path }, cause: error });
  }
}

/** `link` fails when the name exists, and what it shows is complete from the first moment. */
async function claim(path: string, ports: LockPorts, self: Holder): Promise<boolean> {
  const { files } = ports;
  await clearLeftDrafts(path, ports);
  const draft = await stageText(files, path, JSON.stringify(self));
  try {
    await files.link(draft, path);
    return true;
  } catch (error) {
    return ignoring('EEXIST')(error as NodeJS.ErrnoException) ?? false;
  } finally {
    await files.remove(draft);
  }
}

/** Of all who saw this holder dead, one may clear: the claim is named after the dead holder's nonce. */
async function clear(path: string, ports: LockPorts, dead: Holder): Promise<void> {
  const { files } = ports;
  const right = `${path}.${dead.nonce}`;
  if (!(await claim(right, ports, ports.self()))) {
    const other = await readHolder(right);
    // Killed while it held the right to clear: the next one inherits it.
    if (other !== undefined && ports.isDead(other)) return clear(right, ports, other);
    return sleep(PAUSE_MS);
  }
  const current = await readHolder(path);
  if (current?.nonce === dead.nonce) await files.remove(path);
  await files.remove(right);
}

/** Of processes that were killed between draft and link: proven by what the draft says, else by its age. */
async function clearLeftDrafts(path: string, ports: LockPorts): Promise<void> {
  const folder = dirname(path);
  const names = (await readdir(folder).catch(ignoring('ENOENT'))) ?? [];
  for (const name of names.filter((one) => isDraft(one) && one.startsWith(`${basename(path)}.`))) {
    const draft = join(folder, name);
    const holder = await readHolder(draft).catch(() => undefined);
    const age = holder === undefined ? await ageOf(draft) : undefined;
    const isLeft = holder === undefined ? (age ?? 0) > STALE_DRAFT_MS : ports.isDead(holder);
    if (isLeft) await ports.files.remove(draft);
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(ignoring('ENOENT'));
  return found && Date.now() - found.mtimeMs;
}

/** The error for whoever came second. */
export function busy(holder: Holder | undefined): CcError {
  const command = typeof holder?.['command'] === 'string' ? ` (${holder['command']})` : '';
  const who =
    holder === undefined ? 'Somebody' : `Process ${holder.pid} on ${holder.host}${command}`;
  const options = { hint: 'cc status', details: { holder } };
  return new CcError('SESSION_BUSY', `${who} is writing this session`, options);
}
