/** Completion scripts of shells. Pure. */

/** What a script knows of one command. */
export interface CompletionRow {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
  /** Options of which the shell can know the value. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[];
  /** What may stand behind the name. */
  readonly words: readonly string[];
  /** Of these words: behind which there may be more, and what. `sessions`: the ids of the project. */
  readonly behind: readonly {
    readonly words: readonly string[];
    readonly choices: readonly string[] | 'sessions';
  }[];
}

const PROGRAMS = ['cc', 'chainlesschain', 'clc'];
/** Looks for the project as `cc` does. Folders that came with a clone may have names that a shell obeys. */
const SESSIONS = '_chainlesschain_sessions';

/** Without `mapfile`, and `compopt` only where there is one: the bash of macOS has neither. */
export function forBash(rows: readonly CompletionRow[]): string {
  const names = rows.map(({ name }) => name).join(' ');
  const cases = rows.map(
    ({ name, options, words }) => `    ${name}) words="${[...words, ...options].join(' ')}" ;;`,
  );
  const values = rows.flatMap((row) => [
    ...row.values.map(
      ({ option, choices }) => `    ${row.name}:${option}) words="${choices.join(' ')}" ;;`,
    ),
    ...row.behind.map(({ words, choices }) => {
      const known = choices === 'sessions' ? `$(${SESSIONS})` : choices.join(' ');
      return `    ${words.map((word) => `${row.name}:${word}`).join(' | ')}) words="${known}" ;;`;
    }),
  ]);
  return [
    `${SESSIONS}() {`,
    '  local folder="$PWD" entry name',
    '  while [ -n "$folder" ] && [ ! -d "$folder/.chainlesschain/sessions" ]; do folder="${folder%/*}"; done',
    '  for entry in "$folder"/.chainlesschain/sessions/*/; do',
    '    name="${entry%/}"; name="${name##*/}"',
    '    case "$name" in *[!A-Za-z0-9._-]*) ;; *) printf "%s\\n" "$name" ;; esac',
    '  done',
    '}',
    '_chainlesschain() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" verb="${COMP_WORDS[1]#\\$}" words=""',
    '  case "$verb" in',
    ...cases,
    '  esac',
    '  case "$verb:${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    `    *:--session) words="$(${SESSIONS})"; compopt +o default 2>/dev/null || : ;;`,
    '    *:--cwd | *:--out) COMPREPLY=(); return ;;',
    '  esac',
    `  [ "$COMP_CWORD" = 1 ] && words="${names}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    `complete -o default -F _chainlesschain ${PROGRAMS.join(' ')}`,
    '',
  ].join('\n');
}

export function forZsh(rows: readonly CompletionRow[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const described = rows.map(({ name, summary }) =>
    quoted(`${name}:${summary.replaceAll(':', '\\:')}`),
  );
  const sessions = `compadd -- \${(f)"$(${SESSIONS})"}`;
  const values = rows.flatMap((row) => [
    ...row.values.map(
      ({ option, choices }) =>
        `    ${row.name}:${option}) compadd -- ${choices.join(' ')}; return ;;`,
    ),
    ...row.behind.map(({ words, choices }) => {
      const known = choices === 'sessions' ? sessions : `compadd -- ${choices.join(' ')}`;
      return `    ${words.map((word) => `${row.name}:${word}`).join('|')}) ${known}; return ;;`;
    }),
  ]);
  return [
    `#compdef ${PROGRAMS.join(' ')}`,
    `${SESSIONS}() {`,
    '  local folder="$PWD" entry',
    '  while [[ -n "$folder" && ! -d "$folder/.chainlesschain/sessions" ]]; do folder="${folder%/*}"; done',
    '  for entry in "$folder"/.chainlesschain/sessions/*(N/:t); do',
    '    [[ "$entry" == *[^A-Za-z0-9._-]* ]] || print -r -- "$entry"',
    '  done',
    '}',
    '_chainlesschain() {',
    '  local -a commands options',
    `  commands=(${described.join(' ')})`,
    "  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi",
    '  case "$words[2]:$words[CURRENT-1]" in',
    ...values,
    `    *:--session) ${sessions}; return ;;`,
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

export function forFish(rows: readonly CompletionRow[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const begin = [
    `function ${SESSIONS}`,
    '  set -l folder $PWD',
    '  while test -n "$folder"; and not test -d "$folder/.chainlesschain/sessions"',
    "    set folder (string replace -r '/[^/]*$' '' -- $folder)",
    '  end',
    '  for entry in $folder/.chainlesschain/sessions/*/',
    "    string match -r '[^/]+(?=/$)' -- $entry | string match -r '^[A-Za-z0-9._-]+$'",
    '  end',
    'end',
  ];
  const lines = PROGRAMS.flatMap((program) => [
    ...rows.map(
      ({ name, summary }) =>
        `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...rows.flatMap((row) => fishRow(program, row)),
  ]);
  return [...begin, ...lines, ''].join('\n');
}

function fishRow(program: string, row: CompletionRow): readonly string[] {
  const { name, options, values, words, behind } = row;
  const seen = `__fish_seen_subcommand_from ${name}`;
  const begin = `complete -c ${program} -n '${seen}'`;
  const choicesOf = (option: string) => values.find((one) => one.option === option)?.choices;
  const valueOf = (option: string) => {
    if (option === '--session') return ` -x -a '(${SESSIONS})'`;
    const choices = choicesOf(option);
    return choices === undefined ? '' : ` -x -a '${choices.join(' ')}'`;
  };
  return [
    ...(words.length === 0 ? [] : [`${begin} -f -a '${words.join(' ')}'`]),
    ...behind.map(({ words: front, choices }) => {
      const known = choices === 'sessions' ? `(${SESSIONS})` : choices.join(' ');
      const there = `${seen}; and __fish_seen_subcommand_from ${front.join(' ')}`;
      return `complete -c ${program} -n '${there}' -f -a '${known}'`;
    }),
    ...options.map((option) => `${begin} -l ${option.slice(2)}${valueOf(option)}`),
  ];
}
