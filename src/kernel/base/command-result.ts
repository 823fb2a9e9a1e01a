/** What a shell command is given, and what is known of it afterwards. */
import type { KeptOutput } from './bounded-output.ts';
import type { OutputListener } from './command-output.ts';
import type { Shell } from './shell.ts';

export interface CommandSpec {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** From `childEnv`, with the same marker. */
  readonly env: Readonly<Record<string, string>>;
  readonly shell: Shell;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Names the run; its children are found by it after they left the group. */
  readonly marker: string;
  /** A pipeline fails when any part of it fails. Bash only. */
  readonly pipefail?: boolean;
  readonly onOutput?: OutputListener;
  /** Milliseconds, for `durationMs` only. */
  now(): number;
}

export interface CommandResult {
  readonly shell: Pick<Shell, 'kind' | 'label'>;
  /** `undefined` when a signal ended the shell, or when it never started. */
  readonly exitCode: number | undefined;
  readonly signal?: string;
  /** Absent when the command ended by itself. */
  readonly terminationReason?: 'timeout' | 'cancelled' | 'not-started';
  readonly durationMs: number;
  /** Both ends of what was printed, decoded. For `not-started`, `stderr` says why. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Processes besides the shell that did not end by themselves and were ended. */
  readonly leftovers: number;
}

/** How it ended; what is absent did not happen. */
export type Outcome = Pick<CommandResult, 'terminationReason'> & {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly problem?: string;
  readonly stdout?: KeptOutput;
  readonly stderr?: KeptOutput;
  readonly leftovers?: number;
};

export function toResult(spec: CommandSpec, durationMs: number, outcome: Outcome): CommandResult {
  const { exitCode, signal, terminationReason, problem, stdout, stderr } = outcome;
  return {
    shell: { kind: spec.shell.kind, label: spec.shell.label },
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    ...(terminationReason === undefined ? {} : { terminationReason }),
    durationMs,
    stdout: stdout?.text ?? '',
    stderr: problem ?? stderr?.text ?? '',
    stdoutTruncated: stdout?.truncated ?? false,
    stderrTruncated: stderr?.truncated ?? false,
    stdoutBytes: stdout?.totalBytes ?? 0,
    stderrBytes: stderr?.totalBytes ?? 0,
    leftovers: outcome.leftovers ?? 0,
  };
}
