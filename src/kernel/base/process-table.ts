/**
 * What Linux tells about processes. Where there is no `/proc`, there is no table: `undefined` and empty.
 * Read synchronously: a process that is found must not have half a second to become another one.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { MARKER_VARIABLE } from './child-env.ts';

export interface ProcessEntry {
  readonly pid: number;
  /** One letter; `Z` and `X` are dead and only not yet collected by their parent. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ticks since boot. With the pid it names one process for the time since the machine started. */
  readonly startTime: string;
}

/** All processes of a run: what the started shell leads, what carries the marker, and their children. */
export interface Family {
  /** Leads a group and a session of its own; `undefined` when only the marker is known. */
  readonly leader: number | undefined;
  /** `undefined` when only the group is known. */
  readonly marker: string | undefined;
  /** Start time of the leader: no member is older, and looking into a process is what costs. */
  readonly since?: string | undefined;
}

/** Parent of the kernel's own threads, which have no environment. */
const KERNEL = 2;

/** Reused: a table is read after each command, and `readFileSync` takes several times as long. */
let buffer = Buffer.alloc(256 * 1024);

export function hasProcessTable(): boolean {
  return existsSync('/proc/self/stat');
}

/** `undefined` when there is no such process, or no table. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat === undefined || stat.length === 0
    ? undefined
    : parseStat(pid, stat.toString('latin1'));
}

/** The second field is the program's name, which may hold spaces and brackets of its own. */
export function parseStat(pid: number, text: string): ProcessEntry {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: fields[19] ?? '',
  };
}

export function isRunning(entry: ProcessEntry): boolean {
  return entry.state !== 'Z' && entry.state !== 'X';
}

/** The living members, without `self`. Empty when all are gone, or where there is no table. */
export function findFamily(family: Family, self: number): ProcessEntry[] {
  const since = Number(family.since ?? 0);
  const others = listProcesses().filter(
    (entry) => entry.pid !== self && isRunning(entry) && Number(entry.startTime) >= since,
  );
  const members = new Set<number>();
  for (const entry of others) {
    const isLed = entry.group === family.leader || entry.session === family.leader;
    if (isLed || isMarked(entry, family.marker)) members.add(entry.pid);
  }
  addChildren(members, others);
  return others.filter((entry) => members.has(entry.pid));
}

/** A child that emptied its environment is still known by its parent, as long as that one lives. */
function addChildren(members: Set<number>, others: readonly ProcessEntry[]): void {
  let before = -1;
  while (before !== members.size) {
    before = members.size;
    for (const { pid, parent } of others) if (members.has(parent)) members.add(pid);
  }
}

function listProcesses(): ProcessEntry[] {
  if (!hasProcessTable()) return [];
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const entries = names.map((name) => readProcess(Number(name)));
  return entries.filter((entry) => entry !== undefined).filter(({ parent }) => parent !== KERNEL);
}

/** The marker may stand inside a longer one: `outer/inner`. */
function isMarked({ pid }: ProcessEntry, marker: string | undefined): boolean {
  if (marker === undefined || marker === '') return false;
  const environment = readProc(`/proc/${pid}/environ`);
  // Most processes of a machine do not mention it at all, and searching bytes is cheap.
  if (environment === undefined || !environment.includes(marker)) return false;
  const start = `${MARKER_VARIABLE}=`;
  const line = environment
    .toString('latin1')
    .split('\0')
    .find((variable) => variable.startsWith(start));
  return line !== undefined && `/${line.slice(start.length)}/`.includes(`/${marker}/`);
}

/** Valid until the next call. `undefined` for another user's process, and for one that has just ended. */
function readProc(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let size = 0;
    for (;;) {
      const read = readSync(file, buffer, size, buffer.length - size, -1);
      size += read;
      if (read === 0) return buffer.subarray(0, size);
      if (size === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(size)]);
    }
  } catch {
    // A process that cannot be looked at is not one of ours.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
