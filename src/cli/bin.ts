/** The command line of this process: its streams, its signals, its terminal. */
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { CcError } from '../kernel/base/errors.ts';
import { decodeUtf8 } from '../kernel/base/files.ts';
import { nodeFiles } from '../kernel/base/node-files.ts';
import { isCompilerCall } from './compiler-call.ts';
import type { Io, Prompter } from './io.ts';
import { main } from './main.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A second signal during the clean-up ends the process at once. */
const EXITS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Sets `process.exitCode` and never rejects. */
export async function run(): Promise<void> {
  const [, program = '', ...argv] = process.argv;
  if (isCompilerCall(program, argv)) {
    const { callCompiler } = await import('./next-compiler.ts');
    process.exitCode = await callCompiler(program, argv);
    return;
  }
  const stop = new AbortController();
  const readerGone = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(EXITS[name]);
      const details = { signal: name };
      stop.abort(
        new CcError('REQUEST_CANCELLED', `Cancelled by ${name}`, { hint: 'cc status', details }),
      );
    });
  }
  let isCut = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that went away is no fault of the work: `cc log | head`.
    if (error.code === 'EPIPE') return readerGone.abort();
    isCut = true;
    process.exitCode = 1;
    process.stderr.write(`SESSION_PERSISTENCE_FAILED: stdout: ${error.message}\n`);
  });
  // Whoever cannot be told cannot be told that either.
  process.stderr.on('error', () => {});
  const exit = await main(argv, realIo(stop.signal, readerGone.signal));
  process.exitCode = isCut ? 1 : exit;
  // A terminal that was asked keeps the process no longer. A pipe was never touched, and is not now.
  if (isatty(0)) process.stdin.unref();
}

function realIo(signal: AbortSignal, readerGone: AbortSignal): Io {
  return {
    get cwd() {
      return workingFolder();
    },
    home: homedir(),
    env: process.env,
    files: nodeFiles,
    clock: {
      now: () => new Date(),
      every(ms, work) {
        const timer = setInterval(work, ms);
        timer.unref();
        return () => clearInterval(timer);
      },
    },
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: { stdout: isatty(1), stderr: isatty(2) },
    get columns() {
      return process.stdout.columns;
    },
    // Not `process.stdin`: making that stream already reads from a pipe that nobody asked about.
    prompter: isatty(0) && isatty(2) ? lazyPrompter(signal) : undefined,
    readInput,
    handOver,
    signal,
    readerGone,
  };
}

/** Asked for when it is needed: `cc --help` works in a folder that was removed. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'The folder you are in is gone, or may not be read';
    throw new CcError('REQUEST_INVALID', message, { hint: 'cd ..', cause });
  }
}

/** The prompts are loaded when somebody is asked. */
function lazyPrompter(signal: AbortSignal): Prompter {
  const load = async () => {
    const { createPrompter } = await import('./terminal/prompter.ts');
    const place = { stdin: process.stdin, output: process.stderr, signal };
    return createPrompter(place, process.env);
  };
  return {
    confirm: async (question) => (await load()).confirm(question),
    text: async (question, recommended) => (await load()).text(question, recommended),
  };
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  try {
    return decodeUtf8(Buffer.concat(chunks));
  } catch (cause) {
    const hint = 'cc deep-interview --help';
    throw new CcError('REQUEST_INVALID', 'stdin is not UTF-8', { hint, cause });
  }
}

async function handOver(command: string, args: readonly string[]): Promise<number> {
  const { runInTerminal } = await import('../kernel/base/processes.ts');
  return runInTerminal(command, args, isatty(1) ? 'stdout' : 'stderr');
}
