/** Which process is meant, across restarts, reused numbers and containers. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Holder } from './lock.ts';
import { isRunning, readProcess } from './process-table.ts';

/** What every process on this machine, boot and pid namespace has in common. */
export interface Place {
  readonly host: string;
  /** Empty where the system does not tell. */
  readonly bootId: string;
  readonly pidNamespace: string;
}

let here: Place | undefined;

function currentPlace(): Place {
  here ??= {
    host: hostname(),
    bootId: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
  return here;
}

export function describeProcess(nonce: string, pid: number): Holder {
  return { nonce, pid, ...currentPlace(), startTime: readProcess(pid)?.startTime ?? '' };
}

/**
 * `unknown` where nothing can be seen from here: another machine, another container.
 *
 * @param exists Whether any process has this number; the table may be missing, or hide other people's.
 */
export function stateOf(
  holder: Holder,
  exists: (pid: number) => boolean,
  place: Place = currentPlace(),
): 'alive' | 'dead' | 'unknown' {
  if (holder.host !== place.host) return 'unknown';
  if (holder.bootId !== place.bootId) return wasRebooted(holder, place) ? 'dead' : 'unknown';
  if (holder.pidNamespace !== place.pidNamespace) return 'unknown';
  const entry = readProcess(holder.pid);
  if (entry === undefined) return exists(holder.pid) ? 'alive' : 'dead';
  const isOther = holder.startTime !== '' && holder.startTime !== entry.startTime;
  return isOther || !isRunning(entry) ? 'dead' : 'alive';
}

/**
 * Another boot of the machine with this name: nothing of it is left. Two machines would have to share both
 * their name and this disk to make that wrong, so a name that every machine has by default proves nothing.
 */
function wasRebooted(holder: Holder, place: Place): boolean {
  const isNamed = !/^(?:localhost\b.*)?$/i.test(holder.host);
  return isNamed && holder.bootId !== '' && place.bootId !== '';
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    // Not Linux: there is no such file.
    return '';
  }
}
