/** What a command line has of the world around it. `bin.ts` makes the real one, tests make their own. */
import type { FilePort } from '../kernel/base/files.ts';
import type { Clock } from '../workflow/lease.ts';

/**
 * Asks the person at the terminal. Every answer is typed after its question was shown. Ctrl-C at a
 * question is thrown as `REQUEST_CANCELLED`.
 */
export interface Prompter {
  confirm(question: string): Promise<boolean | undefined>;
  /** Lines of `question` after the first say why. `undefined` when the person left it open. */
  text(question: string, recommended: string | undefined): Promise<string | undefined>;
}

export interface Io {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: FilePort;
  readonly clock: Clock;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Whether that very stream is a terminal, so that colour and frames are welcome. */
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal behind stdout, where it is known. */
  readonly columns: number | undefined;
  /** `undefined` when nobody sits there. */
  readonly prompter: Prompter | undefined;
  /** All of standard input, when it is not a terminal and somebody asks for it. */
  readInput(): Promise<string>;
  /** Runs a program that takes the terminal over, such as an editor. Its exit status. */
  handOver(command: string, args: readonly string[]): Promise<number>;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP; the reason tells which. */
  readonly signal: AbortSignal;
  /** Aborted when nobody reads stdout any more: the end of what goes on for ever, of nothing else. */
  readonly readerGone: AbortSignal;
}
