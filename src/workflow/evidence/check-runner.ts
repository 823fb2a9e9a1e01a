/** Runs one check as a person's shell would, and keeps what it printed. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { childEnv } from '../../kernel/base/child-env.ts';
import { type FilePort, readPlain } from '../../kernel/base/files.ts';
import { sha256 } from '../../kernel/base/hash.ts';
import { assertInside } from '../../kernel/base/paths.ts';
import { type CommandResult, runCommand } from '../../kernel/base/processes.ts';
import { findShell } from '../../kernel/base/shell.ts';
import type { Clock } from '../lease.ts';
import { assertOwnFolders } from '../session-folder.ts';
import type { Check } from './checks.ts';
import { runnerWithoutTests } from './no-tests.ts';
import { hasPipe, type Scripts, whyVacuous } from './vacuity.ts';
import type { CheckReason, CheckRecord } from './verify-file.ts';

/** A check that never stops printing must not fill the disk: what is beyond is counted, not kept. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const SUMMARY_LINES = 3;
const MAX_SUMMARY = 400;
const MAX_FILE_NAME = 50;
const MAX_TOLD_OUTPUT = 8_000;
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

export interface CheckPorts {
  readonly root: string;
  /** The session's folder; outputs go to its `artifacts/`. Without one the record holds the last of it. */
  readonly folder: string | undefined;
  readonly files: FilePort;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Marks every process of this run, so that the last of them can be found. */
  readonly marker: string;
  readonly signal: AbortSignal;
}

/** Runs the check to its end, its time limit or the signal. Never throws for what the command does. */
export async function runCheck(check: Check, ports: CheckPorts): Promise<CheckRecord> {
  const cwd = await assertInside(ports.root, resolve(ports.root, check.cwd));
  const vacuous = whyVacuous(check.command, await scriptsOf(cwd));
  if (vacuous !== undefined) {
    return record(check, { reason: 'vacuous', summary: `It proves nothing: ${vacuous}` });
  }

  const env = childEnv(ports.env, { marker: ports.marker });
  const shell = await findShell(env);
  if (shell === undefined) {
    return record(check, { reason: 'not-found', summary: 'There is no shell on this machine' });
  }
  if (shell.kind === 'sh' && hasPipe(check.command)) {
    const summary = 'Only bash tells whether the first part of a pipe failed, and there is none';
    return record(check, { reason: 'vacuous', summary });
  }

  const output = await openOutput(ports, `artifacts/${fileNameOf(check.id)}.log`);
  const result = await runCommand({
    command: check.command,
    cwd,
    env,
    shell,
    timeoutMs: check.timeoutMs,
    signal: ports.signal,
    marker: ports.marker,
    pipefail: true,
    onOutput: (_stream, bytes) => output?.write(bytes),
    now: () => ports.clock.now().getTime(),
  });
  await output?.close();
  return judge(check, result, output?.name);
}

/** The words of a result, from how the process ended and what it said last. */
function judge(check: Check, result: CommandResult, outputFile: string | undefined): CheckRecord {
  const { exitCode, signal, terminationReason, durationMs } = result;
  const ended = {
    ...(outputFile === undefined ? { output: lastOf(result) } : { outputFile }),
    durationMs: Math.round(durationMs),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
  };
  const reason = reasonOf(result);
  const tail = summaryOf(result, reason === undefined);
  if (reason === undefined) return { ...record(check, { summary: tail }), ...ended };
  const summary =
    terminationReason === 'timeout' ? `No end after ${check.timeoutMs / 1000} s. ${tail}` : tail;
  return { ...record(check, { reason, summary }), ...ended };
}

function reasonOf(result: CommandResult): CheckReason | undefined {
  const { exitCode, signal, terminationReason, stdout, stderr } = result;
  if (terminationReason === 'timeout') return 'timeout';
  if (terminationReason === 'cancelled') return 'cancelled';
  if (terminationReason === 'not-started') return 'not-found';
  if (signal !== undefined) return 'signal';
  if (exitCode === NOT_EXECUTABLE) return 'not-executable';
  if (exitCode === NOT_FOUND) return 'not-found';
  if (exitCode !== 0) return 'exit-code';
  return runnerWithoutTests(`${stdout}\n${stderr}`) === undefined ? undefined : 'no-tests';
}

function record(
  { id, command }: Check,
  { reason, summary }: { readonly reason?: CheckReason; readonly summary: string },
): CheckRecord {
  const status = reason === undefined ? 'passed' : 'failed';
  const why = reason === undefined ? {} : { reason };
  return { id, command, status, ...why, durationMs: 0, summary: summary.slice(0, MAX_SUMMARY) };
}

/** What runners write in front of a failure, and programs in front of an error. */
const FAILURE =
  /^(?:not ok\b|[✖✗×✘]|FAIL(?:ED|URE)?\b|--- FAIL|E\s{2,}|\w*(?:Error|Exception)\b|error(?:\[|:)|panicked\b|assert)/i;

/** The last lines: of stdout when it passed; when it did not, those that speak of a failure, if any do. */
function summaryOf({ stdout, stderr }: CommandResult, passed: boolean): string {
  const text = passed ? stdout : `${stdout}\n${stderr}`;
  const lines = withoutNoise(text.split(/\r?\n/).map(withoutControls));
  const said = lines.filter((line) => line !== '');
  const failures = passed ? [] : said.filter((line) => FAILURE.test(line));
  // The first failure is mostly the cause of the others.
  if (failures.length > 0)
    return failures.slice(0, SUMMARY_LINES).join(' | ').slice(0, MAX_SUMMARY);
  return said.slice(-SUMMARY_LINES).join(' | ').slice(-MAX_SUMMARY);
}

/** TAP says `error: |-` and the words in the next line, between lines that only mark a block. */
function withoutNoise(lines: readonly string[]): readonly string[] {
  const opener = /^([\w-]+:)\s*[|>][-+\d]*$/;
  return lines.flatMap((line, at) => {
    if (line === '---' || line === '...') return [];
    if (opener.test(lines[at - 1] ?? '')) return [];
    const [, name] = opener.exec(line) ?? [];
    return name === undefined ? [line] : [`${name} ${lines[at + 1] ?? ''}`.trim()];
  });
}

/** For a report that has no file beside it. */
function lastOf({ stdout, stderr }: CommandResult): string {
  const lines = `${stdout}\n${stderr}`.split(/\r?\n/).map(withoutControls);
  return lines.join('\n').trim().slice(-MAX_TOLD_OUTPUT);
}

/** What a check prints must not reach a terminal as a command to it. */
function withoutControls(line: string): string {
  return line
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .trim();
}

async function openOutput({ root, folder, files }: CheckPorts, name: string) {
  // One that somebody removed during the run is not made again.
  if (folder === undefined || !existsSync(folder)) return undefined;
  assertOwnFolders(root, folder);
  await files.makeFolder(join(folder, 'artifacts'));
  // Whatever lies there, such as a link or a pipe that a clone brought, goes.
  await files.remove(join(folder, name));
  const file = await files.openWriter(join(folder, name));
  let written = 0;
  let queue: Promise<void> = Promise.resolve();
  return {
    name,
    write(bytes: Uint8Array): void {
      const room = MAX_OUTPUT_BYTES - written;
      written += bytes.length;
      if (room <= 0) return;
      const kept = bytes.subarray(0, room);
      queue = queue.then(() => file.write(kept));
      // Awaited in `close`; until then a full disk must not count as unhandled.
      queue.catch(() => undefined);
    },
    async close(): Promise<void> {
      try {
        await queue;
        if (written > MAX_OUTPUT_BYTES) {
          await file.write(Buffer.from(`\n[${written - MAX_OUTPUT_BYTES} more bytes not kept]\n`));
        }
      } finally {
        await file.close();
      }
    },
  };
}

/** Two ids never share a file: one that had to be changed carries a piece of its hash. */
function fileNameOf(id: string): string {
  const safe = id.replaceAll(/[^\p{L}\p{N}._-]/gu, '-').slice(0, MAX_FILE_NAME);
  return safe === id ? safe : `${safe}-${sha256(id).slice(0, 8)}`;
}

/** Scripts of the package.json in that folder; none when there is none, or none that can be read. */
export async function scriptsOf(folder: string): Promise<Scripts> {
  try {
    const bytes = await readPlain(join(folder, 'package.json'));
    const manifest: unknown = JSON.parse((bytes ?? '').toString().replace(/^\uFEFF/, ''));
    const scripts = (manifest as { scripts?: unknown } | null)?.scripts;
    const entries = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {});
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    // Whatever is wrong with it, the check itself will say it better.
    return {};
  }
}
