/** One writer per folder, for the length of one write. A run holds a lease instead (`workflow/lease.ts`). */
import { readdir, stat } from 'node:fs/promises';
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
  pid: z.int(),
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
}

/**
 * Runs `work` while no other process is inside a lock of the same path.
 *
 * @throws {CcError} `SESSION_BUSY` with the holder in `details`, after five seconds of waiting.
 */
export async function withLock<T>(
  path: string,
  ports: LockPorts,
  work: () => Promise<T>,
): Promise<T> {
  const self = ports.self();
  const until = Date.now() + PATIENCE_MS;
  while (!(await claim(path, ports.files, self))) {
    const holder = await readJson(path, holderSchema);
    if (holder !== undefined && ports.isDead(holder)) await clear(path, holder, self, ports.files);
    else if (Date.now() >= until) throw busy(holder);
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
  const holder = await readJson(path, holderSchema);
  if (holder === undefined) return undefined;
  if (!force && !ports.isDead(holder)) throw busy(holder);
  await clear(path, holder, ports.self(), ports.files);
  return holder;
}

/** `link` fails when the name exists, and what it shows is complete from the first moment. */
async function claim(path: string, files: FilePort, self: Holder): Promise<boolean> {
  await clearOldDrafts(path, files);
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
async function clear(path: string, dead: Holder, self: Holder, files: FilePort): Promise<void> {
  const right = `${path}.${dead.nonce.replaceAll(/[^\w-]/g, '')}`;
  if (!(await claim(right, files, self))) {
    const age = await ageOf(right);
    // Killed while it held the right to clear: that right lapses too.
    if (age !== undefined && age > STALE_DRAFT_MS) await files.remove(right);
    return sleep(PAUSE_MS);
  }
  const current = await readJson(path, holderSchema);
  if (current?.nonce === dead.nonce) await files.remove(path);
  await files.remove(right);
}

async function clearOldDrafts(path: string, files: FilePort): Promise<void> {
  const names = (await readdir(dirname(path)).catch(ignoring('ENOENT'))) ?? [];
  const mine = names.filter((name) => name.startsWith(`${basename(path)}.`) && isDraft(name));
  for (const name of mine) {
    const age = await ageOf(join(dirname(path), name));
    if (age !== undefined && age > STALE_DRAFT_MS) await files.remove(join(dirname(path), name));
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(ignoring('ENOENT'));
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
