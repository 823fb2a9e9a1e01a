/** Runs one command line. The only place where an error becomes text and an exit status. */
import { CcError } from '../kernel/base/errors.ts';
import type { GlobalValues, Ready } from './command.ts';
import { COMMANDS } from './commands.ts';
import { readInvocation } from './invocation.ts';
import type { Io } from './io.ts';
import { createOutput, type Output } from './output.ts';
import { quoteLine } from './quote.ts';
import { safeLine } from './terminal/safe-text.ts';
import { VERSION } from './version.ts';

const CANCELLED_EXIT = 130;
const TERMINATED_EXIT = 143;
const HELP_COLUMNS = { least: 40, usual: 80, most: 100 } as const;

export async function main(argv: readonly string[], io: Io): Promise<number> {
  // Before the line is understood, so that a line that cannot be is answered in the right form too.
  const out = createOutput(io, asksForJson(argv));
  let session: string | undefined;
  try {
    const { name, argv: rest } = readInvocation(argv, Object.keys(COMMANDS));
    if (name === 'version') return out.done({ value: { version: VERSION }, text: VERSION });
    if (name === 'help') return await printHelp(out, helpWidth(io));
    const entry = COMMANDS[name];
    if (entry === undefined) throw new CcError('REQUEST_INVALID', `There is no command "${name}"`);
    const { command } = await entry.load();
    const ready = command.read(rest);
    if ('help' in ready) {
      const { renderCommandHelp } = await import('./command-help.ts');
      return showHelp(out, renderCommandHelp(ready.help, helpWidth(io)));
    }
    session = ready.global.session;
    const typed = `cc ${quoteLine([name, ...rest])}`;
    const { isPlaceless = false } = entry;
    return exitOf(await runCommand(ready, io, { out, typed, isPlaceless }), io);
  } catch (thrown) {
    return exitOf(out.fail(thrown, session), io);
  }
}

interface Typed {
  readonly out: Output;
  /** The whole line, for remedies. */
  readonly typed: string;
  readonly isPlaceless: boolean;
}

async function runCommand(
  ready: Ready,
  io: Io,
  { out, typed, isPlaceless }: Typed,
): Promise<number> {
  const { boot } = await import('./host/boot.ts');
  const host = await boot(io, ready.global, withoutHookSwitch(ready.global, typed));
  if (!ready.global.json) {
    if (host.root !== io.cwd && !isPlaceless) io.stderr(`project: ${safeLine(host.root)}\n`);
    host.controller.beforeRequests(async () => {
      const { renderEvents } = await import('./terminal/renderer.ts');
      host.controller.subscribe(renderEvents(io));
    });
  }
  try {
    return await ready.run(host, out);
  } finally {
    await host.status.cache.save();
  }
}

/** Cancelled by SIGTERM is told apart, as shells and supervisors expect it. */
function exitOf(exit: number, { signal }: Io): number {
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  const isTerminated = reason instanceof CcError && reason.details['signal'] === 'SIGTERM';
  return exit === CANCELLED_EXIT && isTerminated ? TERMINATED_EXIT : exit;
}

/** For a remedy that says "the same again, but without the hooks". */
function withoutHookSwitch({ noHooks }: GlobalValues, typed: string): string {
  return noHooks ? typed.replace(/ --no-hooks\b/, '') : typed;
}

async function printHelp(out: Output, width: number): Promise<number> {
  const { renderHelp } = await import('./help.ts');
  return showHelp(out, renderHelp(COMMANDS, width));
}

/** Of the terminal, as far as lines of that length are pleasant to read. */
function helpWidth({ isTerminal, columns }: Io): number {
  const width = isTerminal.stdout ? (columns ?? HELP_COLUMNS.usual) : HELP_COLUMNS.usual;
  return Math.min(Math.max(width, HELP_COLUMNS.least), HELP_COLUMNS.most);
}

function showHelp(out: Output, help: string): number {
  return out.done({ value: { help }, text: help });
}

function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}
