/** The shape of every command, and the one place that reads a command line. */
import { Command as Parser, CommanderError } from 'commander';
import { CcError } from '../kernel/base/errors.ts';
import type { Host } from './host/host.ts';
import { dashed, flag, type Option, type OptionTable, text, type ValuesOf } from './options.ts';
import { inBrief } from './in-brief.ts';
import type { Output } from './output.ts';

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  json: flag('Print one JSON document instead of text'),
  cwd: text('<folder>', 'Work in this folder instead of the current one'),
  session: text('<id>', 'The session to work on'),
  noInput: flag('Never ask; what needs an answer exits with status 8'),
  noHooks: flag('Go on without the hooks of this project'),
} as const satisfies OptionTable;
export type GlobalValues = ValuesOf<typeof GLOBAL_OPTIONS>;

export interface CommandSpec<Table extends OptionTable> extends About {
  readonly name: string;
  /** What the first word may be, where each of them has a help of its own. */
  readonly actions?: Readonly<Record<string, About>>;
  readonly options: Table;
  run(call: Call<Table>): Promise<number>;
}

interface About {
  /** What stands behind the name, as in `[goal]`; `...` takes the rest. */
  readonly positionals?: string;
  /** A few lines of help below the usage. */
  readonly about: string;
  readonly examples?: readonly string[];
}

/** What help says of a command, or of one of its actions. */
export interface CommandPage {
  readonly name: string;
  readonly positionals: string | undefined;
  readonly about: string;
  readonly examples: readonly string[];
  readonly options: OptionTable;
}

export interface Call<Table extends OptionTable> {
  readonly args: ValuesOf<Table>;
  readonly words: readonly string[];
  readonly host: Host;
  readonly out: Output;
}

/** A command whose line has been read; what is left is to run it. */
export interface Ready {
  readonly global: GlobalValues;
  run(host: Host, out: Output): Promise<number>;
}

export interface Command {
  readonly name: string;
  readonly about: string;
  readonly options: OptionTable;
  /** @throws {CcError} `REQUEST_INVALID` for an unknown option, a missing value or a word too many. */
  read(argv: readonly string[]): Ready | { readonly help: CommandPage };
}

export function defineCommand<Table extends OptionTable>(spec: CommandSpec<Table>): Command {
  const all: OptionTable = { ...spec.options, ...GLOBAL_OPTIONS };
  return {
    name: spec.name,
    about: spec.about,
    options: all,
    read(argv) {
      const parsed = parse(spec, all, argv);
      if ('help' in parsed) return parsed;
      const { given, words } = parsed;
      const help = `cc ${spec.name} --help`;
      // `valuesOf` reads exactly the names of the table that it is given.
      const args = valuesOf(spec.options, given, help) as ValuesOf<Table>;
      const global = valuesOf(GLOBAL_OPTIONS, given, help) as GlobalValues;
      return { global, run: (host, out) => spec.run({ args, words, host, out }) };
    },
  };
}

function valuesOf(table: OptionTable, given: Given, help: string): Record<string, unknown> {
  const entries = Object.entries(table);
  return Object.fromEntries(
    entries.map(([name, option]) => [name, option.read(given(name), { name, help })]),
  );
}

type Given = (name: string) => readonly string[];

function parse<Table extends OptionTable>(
  spec: CommandSpec<Table>,
  all: OptionTable,
  argv: readonly string[],
): { readonly given: Given; readonly words: readonly string[] } | { readonly help: CommandPage } {
  const parser = new Parser(`cc ${spec.name}`).exitOverride();
  parser.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  if (spec.positionals !== undefined) parser.arguments(spec.positionals);
  parser.allowExcessArguments(false);
  const found = new Map<string, string[]>();
  for (const [name, option] of Object.entries(all)) {
    parser.option(
      `${option.letter === undefined ? '' : `-${option.letter}, `}--${dashed(name)}${option.value === undefined ? '' : ` ${option.value}`}`,
      option.describe,
    );
    listen(parser, name, option, found);
  }
  try {
    parser.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { help: pageOf(spec, all, argv) };
    throw refused(spec.name, messageOf(error, parser), error);
  }
  const swallowed = swallowedOption(all, argv);
  if (swallowed !== undefined) throw refused(spec.name, swallowed);
  return { given: (name) => found.get(name) ?? [], words: parser.args };
}

function pageOf<Table extends OptionTable>(
  spec: CommandSpec<Table>,
  options: OptionTable,
  argv: readonly string[],
): CommandPage {
  const action = argv.find((word) => Object.hasOwn(spec.actions ?? {}, word));
  const about = (action === undefined ? undefined : spec.actions?.[action]) ?? spec;
  const { positionals, examples = [] } = about;
  const name = [spec.name, action].filter((word) => word !== undefined).join(' ');
  return { name, positionals, about: about.about, examples, options };
}

function refused(name: string, message: string, cause?: unknown): CcError {
  return new CcError('REQUEST_INVALID', message, { hint: `cc ${name} --help`, cause });
}

/** The parser's own sentences, in our words where it counts instead of naming. */
function messageOf({ code, message }: CommanderError, parser: Parser): string {
  if (code === 'commander.excessArguments') {
    const first = parser.args[parser.registeredArguments.length] ?? '';
    return `${parser.name()} does not take the word "${inBrief(first)}"`;
  }
  return message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll(/[^ ]{200,}/g, inBrief);
}

/** `--task --done` means two options; `--reason=--json` says that it is a value. */
function swallowedOption(all: OptionTable, argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const typed = argv.slice(0, end < 0 ? argv.length : end);
  const isOption = (word: string | undefined) =>
    Object.keys(all).some((name) => word === `--${dashed(name)}`);
  for (const [name, option] of Object.entries(all)) {
    const at = typed.indexOf(`--${dashed(name)}`);
    if (option.value === undefined || at < 0 || !isOption(typed[at + 1])) continue;
    return `--${dashed(name)} needs a value, and ${typed[at + 1] ?? ''} is an option`;
  }
  return undefined;
}

/** Collects what was typed for one option, in order. */
function listen(
  parser: Parser,
  name: string,
  option: Option<unknown>,
  found: Map<string, string[]>,
): void {
  parser.on(`option:${dashed(name)}`, (value: unknown) => {
    const typed = option.value === undefined ? '' : String(value);
    found.set(name, [...(found.get(name) ?? []), typed]);
  });
}
