import { CcError } from '../../kernel/base/errors.ts';
import { type Command, defineCommand } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { dashed } from '../options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export const command = defineCommand({
  name: 'completion',
  positionals: '<shell>',
  about: 'Prints the completion script for bash, zsh or fish.',
  examples: ['source <(cc completion bash)', 'cc completion fish | source'],
  options: {},

  async run({ words, out }) {
    const shell = SHELLS.find((one) => one === words[0]);
    if (shell === undefined) {
      throw new CcError('REQUEST_INVALID', `Say which shell: ${SHELLS.join(', ')}`, {
        hint: 'cc completion bash',
      });
    }
    const script = printScript(shell, await readTable());
    if (out.json) return out.done({ value: { shell, script }, text: '' });
    out.raw(script);
    return 0;
  },
});

interface Row {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
  /** Options of which the shell can know the value. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[];
  /** What may stand behind the name. */
  readonly words: readonly string[];
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  session: ['list', 'show', 'use', 'workflow'],
  config: ['list', 'get', 'set'],
  completion: SHELLS,
};

async function readTable(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const loaded: { readonly command: Command } = await load();
    const entries = Object.entries(loaded.command.options);
    const options = entries.map(([option]) => `--${dashed(option)}`);
    const values = entries.flatMap(([option, { choices }]) =>
      choices === undefined ? [] : [{ option: `--${dashed(option)}`, choices }],
    );
    rows.push({ name, summary, options, values, words: WORDS[name] ?? [] });
  }
  return rows;
}

function printScript(shell: Shell, rows: readonly Row[]): string {
  switch (shell) {
    case 'bash':
      return forBash(rows);
    case 'zsh':
      return forZsh(rows);
    case 'fish':
      return forFish(rows);
  }
}

const PROGRAMS = ['cc', 'chainlesschain', 'clc'];

/** Without `mapfile`: the bash of macOS has none. */
function forBash(rows: readonly Row[]): string {
  const names = rows.map(({ name }) => name).join(' ');
  const cases = rows.map(
    ({ name, options, words }) => `    ${name}) words="${[...words, ...options].join(' ')}" ;;`,
  );
  const values = rows.flatMap((row) =>
    row.values.map(
      ({ option, choices }) => `    ${row.name}:${option}) words="${choices.join(' ')}" ;;`,
    ),
  );
  return [
    '_chainlesschain() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" verb="${COMP_WORDS[1]#\\$}" words=""',
    '  case "$verb" in',
    ...cases,
    '  esac',
    '  case "$verb:${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    '    *:--cwd | *:--out) COMPREPLY=(); return ;;',
    '  esac',
    `  [ "$COMP_CWORD" = 1 ] && words="${names}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    `complete -o default -F _chainlesschain ${PROGRAMS.join(' ')}`,
    '',
  ].join('\n');
}

function forZsh(rows: readonly Row[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const described = rows.map(({ name, summary }) =>
    quoted(`${name}:${summary.replaceAll(':', '\\:')}`),
  );
  const values = rows.flatMap((row) =>
    row.values.map(
      ({ option, choices }) =>
        `    ${row.name}:${option}) compadd -- ${choices.join(' ')}; return ;;`,
    ),
  );
  return [
    `#compdef ${PROGRAMS.join(' ')}`,
    '_chainlesschain() {',
    '  local -a commands options',
    `  commands=(${described.join(' ')})`,
    "  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi",
    '  case "$words[2]:$words[CURRENT-1]" in',
    ...values,
    '    *:--cwd | *:--out) _files; return ;;',
    '  esac',
    '  case "$words[2]" in',
    ...rows.map(
      ({ name, options, words }) => `    ${name}) options=(${[...words, ...options].join(' ')}) ;;`,
    ),
    '  esac',
    '  compadd -- $options',
    '}',
    `compdef _chainlesschain ${PROGRAMS.join(' ')}`,
    '',
  ].join('\n');
}

function forFish(rows: readonly Row[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return PROGRAMS.flatMap((program) => [
    ...rows.map(
      ({ name, summary }) =>
        `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...rows.flatMap((row) => fishRow(program, row)),
  ])
    .concat('')
    .join('\n');
}

function fishRow(program: string, { name, options, values, words }: Row): readonly string[] {
  const begin = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
  const choicesOf = (option: string) => values.find((one) => one.option === option)?.choices;
  return [
    ...(words.length === 0 ? [] : [`${begin} -f -a '${words.join(' ')}'`]),
    ...options.map((option) => {
      const choices = choicesOf(option);
      const value = choices === undefined ? '' : ` -x -a '${choices.join(' ')}'`;
      return `${begin} -l ${option.slice(2)}${value}`;
    }),
  ];
}
