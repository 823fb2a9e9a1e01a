/** Starting and ending processes. The only module below `cli/` that spawns, sends signals or asks who it is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { kill, pid as ownPid, platform } from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { MARKER_VARIABLE } from './child-env.ts';
import { CommandOutput } from './command-output.ts';
import { type CommandResult, type CommandSpec, type Outcome, toResult } from './command-result.ts';
import { findProgram } from './find-program.ts';
import { canOpenMore } from './open-files.ts';
import { Collected } from './program-output.ts';
import { TOO_MANY_FILES } from './errno.ts';
import type { Holder } from './lock.ts';
import { describeProcess, stateOf } from './process-identity.ts';
import { type Family, findFamily, hasProcessTable, readProcess } from './process-table.ts';
import { shellArguments } from './shell.ts';

export type { CommandResult, CommandSpec };

/** Between the polite signal and the other one. */
const GRACE_MS = 500;
const MAX_PAUSE_MS = 40;
/** How long a killed process may take to disappear before it is given up. */
const GONE_MS = 1_000;
/** For output that is still in a pipe when the shell has ended. */
const DRAIN_MS = 250;
const MAX_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const NEVER = new AbortController().signal;

/**
 * Runs a shell command in a process group of its own, without a terminal and with its input at its end.
 * Settles when the shell has ended, not when its pipes are closed; what it left in the background is ended.
 * At `timeoutMs` or on cancel the whole tree gets SIGTERM, half a second later SIGKILL.
 *
 * Never rejects for what a command or a folder can do; only when `onOutput` fails, with its error.
 */
export async function runCommand(spec: CommandSpec): Promise<CommandResult> {
  const startedAt = spec.now();
  const report = (outcome: Outcome) => toResult(spec, Math.round(spec.now() - startedAt), outcome);
  if (spec.signal.aborted) return report({ terminationReason: 'cancelled' });

  const child = await start(spec);
  if (typeof child === 'string')
    return report({ terminationReason: 'not-started', problem: child });
  const outputs = [
    new CommandOutput('stdout', child.stdout, spec.onOutput),
    new CommandOutput('stderr', child.stderr, spec.onOutput),
  ] as const;
  try {
    const ending = await untilEnded(spec, child, outputs);
    const [stdout, stderr] = [outputs[0].close(), outputs[1].close()];
    return report({ ...ending, stdout, stderr });
  } finally {
    for (const output of outputs) output.close();
  }
}

/** Ends whatever carries the marker, such as what a killed run left behind. Returns how many there were. */
export function endMarked(marker: string): Promise<number> {
  return endFamily({ leader: undefined, marker });
}

export interface ProgramOptions {
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** For its standard input, which is at its end otherwise. */
  readonly input?: string | Uint8Array;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** More than this on stdout ends the program. 256 MiB unless given. */
  readonly maxBytes?: number;
}

export interface ProgramResult {
  /** `undefined` when it is missing, could not start, or was ended before it had finished. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  /** Decoded, of a long one its two ends; without an exit code, the reason is its last line. */
  readonly stderr: string;
}

/** Runs git or another helper, without a shell, never one out of the project (`findProgram`). Never rejects; timeout and cancel end its whole tree. */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { cwd, env, input, signal, maxBytes = DEFAULT_MAX_BYTES } = options;
  const nothing = { exitCode: undefined, stdout: Buffer.alloc(0) };
  if (signal?.aborted) return { ...nothing, stderr: 'cancelled' };
  const program = findProgram(file, env, cwd);
  if (program === undefined) return { ...nothing, stderr: `${file} was not found on PATH` };
  const { execa } = await import('execa');
  if (!canOpenMore()) {
    return { ...nothing, stderr: `${file} was not started: ${TOO_MANY_FILES} (ulimit -n)` };
  }
  // Its own waiting and timeout are not used: they last as long as any grandchild holds a pipe.
  const child = execa(program, args, {
    ...{ cwd, env, extendEnv: false, reject: false, buffer: false, cleanup: false },
    ...{ detached: platform !== 'win32', windowsHide: true, stdout: 'pipe', stderr: 'pipe' },
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
  });
  if (child.pid === undefined) {
    const { shortMessage } = await child;
    return { ...nothing, stderr: shortMessage ?? `${file} could not be started` };
  }
  const exit = exitOf(child);
  const stdout = new Collected(child.stdout, maxBytes);
  // For people only, and the hooks of a repository may say anything there.
  const stderr = new CommandOutput('stderr', child.stderr, undefined);
  const stop = watchForStop({ timeoutMs: MAX_TIMER_MS, signal: NEVER, ...options });
  const first = await Promise.race([exit, stop.reason, stdout.overflow]);
  stop.end();
  if (typeof first === 'string') await endFamily({ leader: child.pid, marker: undefined });
  await Promise.race([
    Promise.all([stdout.ended, stderr.drain(DRAIN_MS)]),
    sleep(DRAIN_MS, undefined, { ref: false }),
  ]);
  child.unref();
  const why = typeof first === 'string' ? `\n${file}: ${first}` : '';
  return {
    exitCode: typeof first === 'string' ? undefined : first.exitCode,
    stdout: stdout.close(),
    stderr: `${stderr.close().text}${why}`,
  };
}

/**
 * Hands the terminal, or whatever our own streams are, to a program and waits for it.
 *
 * @param stdout What it gets as standard output: a result that is meant for a program stays alone there.
 * @returns Its exit status; 128 and the signal's number for a signal; 127 when it could not be started.
 */
export function runInTerminal(
  file: string,
  args: readonly string[],
  stdout: 'stdout' | 'stderr',
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: [0, stdout === 'stdout' ? 1 : 2, 2] });
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

interface Started extends ChildProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** The child, or why there is none. */
async function start(spec: CommandSpec): Promise<Started | string> {
  const { cwd, shell, command, marker } = spec;
  const folder = await stat(cwd).catch((error: Error) => error);
  // Otherwise a missing folder is reported as a missing shell.
  if (folder instanceof Error) return `Cannot start in ${cwd}: ${folder.message}`;
  if (!folder.isDirectory()) return `Cannot start in ${cwd}: it is not a folder`;
  const isMarked = spec.env[MARKER_VARIABLE]?.split('/').includes(marker);
  const env = isMarked ? spec.env : { ...spec.env, [MARKER_VARIABLE]: marker };
  const args = shellArguments(shell, command, spec.pipefail ?? false);
  try {
    const child = spawn(shell.path, args, {
      cwd,
      env,
      detached: platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const problem = new Promise<Error>((resolve) => child.on('error', resolve));
    if (child.pid === undefined) return `Cannot start ${shell.label}: ${(await problem).message}`;
    // It has a pid, and both streams were asked for as pipes.
    return child as typeof child & Started;
  } catch (error) {
    // Too long a command, a NUL in it: said at once instead of by event.
    return `Cannot start ${shell.label}: ${String(error)}`;
  }
}

/** Waits for the first of exit, timeout, cancel and a failing listener, and leaves nothing running. */
async function untilEnded(
  spec: CommandSpec,
  child: Started,
  outputs: readonly CommandOutput[],
): Promise<Outcome> {
  const since = readProcess(child.pid)?.startTime;
  const family = { leader: child.pid, marker: spec.marker, since };
  const drain = () => Promise.all(outputs.map((output) => output.drain(DRAIN_MS)));
  const exit = exitOf(child);
  const stop = watchForStop(spec);
  const failures = outputs.map((output) => output.failure);
  try {
    const first = await Promise.race([exit, stop.reason, ...failures]);
    // A reader in the background, such as `tee`, may only now see the end of its input.
    if (typeof first !== 'string') await drain();
    const leftovers = await endFamily(family);
    const end = await Promise.race([exit, sleep(GONE_MS, undefined, { ref: false })]);
    await Promise.race([drain(), ...failures]);
    const reason = typeof first === 'string' ? { terminationReason: first } : {};
    return { ...end, ...reason, leftovers };
  } catch (error) {
    await endFamily(family);
    throw error;
  } finally {
    stop.end();
    child.unref();
  }
}

interface Exit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined });
    });
  });
}

/** Settles when the time is up or the caller has enough. */
function watchForStop({ signal, timeoutMs }: Pick<CommandSpec, 'signal' | 'timeoutMs'>) {
  const over = new AbortController();
  const reason = new Promise<'timeout' | 'cancelled'>((resolve) => {
    const timer = setTimeout(resolve, Math.min(timeoutMs, MAX_TIMER_MS), 'timeout');
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => resolve('cancelled'), { signal: over.signal });
    if (signal.aborted) resolve('cancelled');
  });
  return { reason, end: () => over.abort() };
}

/** Ends a family and returns how many besides its leader had to be ended. */
async function endFamily(family: Family): Promise<number> {
  if (!hasProcessTable()) return endWithoutTable(family.leader);
  const ended = new Set<string>();
  const signalAll = (signal: NodeJS.Signals): boolean => {
    const members = findFamily(family, ownPid);
    for (const { pid, startTime } of members) {
      if (pid !== family.leader) ended.add(`${pid} ${startTime}`);
      send(pid, signal);
    }
    return members.length > 0;
  };
  if (!signalAll('SIGTERM')) return 0;
  const isGone = () => findFamily(family, ownPid).length === 0;
  // Again and again: one that was just being started is seen only in the next round.
  if (!(await within(GRACE_MS, isGone))) await within(GONE_MS, () => !signalAll('SIGKILL'));
  return ended.size;
}

/** Elsewhere only the group and the parents' lists are known, and not how many there were. */
async function endWithoutTable(leader: number | undefined): Promise<number> {
  if (leader === undefined) return 0;
  const hadGroup = exists(-leader);
  await endTree(leader, 'SIGTERM');
  send(-leader, 'SIGTERM');
  if (!(await within(GRACE_MS, () => !exists(-leader)))) {
    await endTree(leader, 'SIGKILL');
    send(-leader, 'SIGKILL');
  }
  return hadGroup ? 1 : 0;
}

async function endTree(leader: number, signal: NodeJS.Signals): Promise<void> {
  const { default: treeKill } = await import('tree-kill');
  await new Promise<void>((resolve) => treeKill(leader, signal, () => resolve()));
}

/** @returns Whether it became true in time. Looks seldom after a while: a look at the table is not free. */
async function within(limitMs: number, isDone: () => boolean): Promise<boolean> {
  const until = performance.now() + limitMs;
  for (let pauseMs = 5; performance.now() < until; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    if (isDone()) return true;
    await sleep(pauseMs);
  }
  return isDone();
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    kill(target, signal);
  } catch {
    // It ended by itself in the meantime, or belongs to somebody else.
  }
}

/** Signal 0 only asks. A process of another user exists, although it may not be signalled. */
function exists(target: number): boolean {
  try {
    kill(target, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Who holds a lock or a lease: this process unless another one is named. */
export function selfHolder(nonce: string, pid: number = ownPid): Holder {
  return describeProcess(nonce, pid);
}

/** True only when proven. What cannot be seen from here (another machine or container) is not dead. */
export function isDead(holder: Holder): boolean {
  return stateOf(holder, exists) === 'dead';
}

/** True only when proven; see `isDead`. Both are false where nothing can be seen. */
export function isAlive(holder: Holder): boolean {
  return stateOf(holder, exists) === 'alive';
}

/**
 * SIGTERM, and SIGKILL after `graceMs` if it is still the same process.
 *
 * @returns Whether it is gone. False for one that cannot be seen or ended from here.
 */
export async function endProcess(holder: Holder, graceMs: number): Promise<boolean> {
  if (!isAlive(holder)) return isDead(holder);
  send(holder.pid, 'SIGTERM');
  if (await within(graceMs, () => !isAlive(holder))) return true;
  // The number may have gone to another process while we waited.
  if (isAlive(holder)) send(holder.pid, 'SIGKILL');
  return within(GONE_MS, () => !isAlive(holder));
}
