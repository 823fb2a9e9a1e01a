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

  async run({ words, host, out }) {
    const shell = SHELLS.find((one) => one === words[0]);
    if (shell === undefined) {
      throw new CcError('REQUEST_INVALID', `Say which shell: ${SHELLS.join(', ')}`, {
        hint: 'cc completion bash',
      });
    }
    const script = printScript(shell, await readTable());
    if (host.global.json) return out.done({ value: { shell, script }, text: '' });
    out.raw(script);
    return 0;
  },
});

interface Row {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
}

async function readTable(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const loaded: { readonly command: Command } = await load();
    const options = Object.keys(loaded.command.options).map((option) => `--${dashed(option)}`);
    rows.push({ name, summary, options });
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

function forBash(rows: readonly Row[]): string {
  const cases = rows.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`);
  return [
    '_chainlesschain() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    `    *) words="${rows.map(({ name }) => name).join(' ')}" ;;`,
    '  esac',
    `  [ "$COMP_CWORD" = 1 ] && words="${rows.map(({ name }) => name).join(' ')}"`,
    '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")',
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
  return [
    `#compdef ${PROGRAMS.join(' ')}`,
    '_chainlesschain() {',
    '  local -a commands options',
    `  commands=(${described.join(' ')})`,
    "  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi",
    '  case "$words[2]" in',
    ...rows.map(({ name, options }) => `    ${name}) options=(${options.join(' ')}) ;;`),
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
    ...rows.flatMap(({ name, options }) =>
      options.map(
        (option) =>
          `complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
      ),
    ),
  ])
    .concat('')
    .join('\n');
}
