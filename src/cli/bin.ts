/** The command line of this process: its streams, its signals, its terminal. */
import { homedir } from 'node:os';
import { CcError } from '../kernel/base/errors.ts';
import { nodeFiles } from '../kernel/base/node-files.ts';
import type { Io, Prompter } from './io.ts';
import { main } from './main.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A second signal during the clean-up ends the process at once. */
const EXITS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Sets `process.exitCode` and never rejects. */
export async function run(): Promise<void> {
  const stop = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(EXITS[name]);
      const details = { signal: name };
      stop.abort(
        new CcError('REQUEST_CANCELLED', `Cancelled by ${name}`, { hint: 'cc status', details }),
      );
    });
  }
  // A reader that went away is no fault of the work: `cc log | head`.
  process.stdout.on('error', ignorePipe);
  process.stderr.on('error', ignorePipe);
  process.exitCode = await main(process.argv.slice(2), realIo(stop.signal));
  // Nothing that is still open, such as a terminal that was asked, keeps the process.
  process.stdin.unref?.();
}

function realIo(signal: AbortSignal): Io {
  return {
    cwd: process.cwd(),
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
    isTerminal: { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY },
    prompter: process.stdin.isTTY && process.stderr.isTTY ? lazyPrompter() : undefined,
    readInput,
    handOver,
    signal,
  };
}

/** The prompts are loaded when somebody is asked. */
function lazyPrompter(): Prompter {
  const load = async () => {
    const { createPrompter } = await import('./terminal/prompter.ts');
    return createPrompter(process.stdin, process.stderr);
  };
  return {
    confirm: async (question) => (await load()).confirm(question),
    text: async (question, recommended) => (await load()).text(question, recommended),
  };
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}

async function handOver(command: string, args: readonly string[]): Promise<number> {
  const { runInTerminal } = await import('../kernel/base/processes.ts');
  return runInTerminal(command, args);
}

function ignorePipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
