/** Single commands that prove nothing, whatever the project is like. Pure; what is not in here may prove something. */
import type { SimpleCommand, Word } from './shell-split.ts';

export interface Idle {
  readonly reason: string;
  /** Exits with 0, always. */
  readonly succeeds: boolean;
}

/** Whether the command ends well whatever the project is like, and why it proves nothing then. */
export function whyIdle(part: string, command: SimpleCommand): Idle | undefined {
  const { words, hasAssignments, isExpanded } = command;
  const [first] = words;
  if (first === undefined) {
    // The result of `A=$(…)` is that of what stands in it.
    return hasAssignments && isExpanded ? undefined : { ...always(part), succeeds: true };
  }
  const { words: own, isProgram } = unwrap(words);
  const texts = own.map(({ text }) => text);
  const isLiteral = own.every((word) => word.isLiteral);
  if (own[0]?.isLiteral !== true) return undefined;
  if (texts[0] === '!') return isLiteral && fails(own.slice(1)) ? always(part) : undefined;
  if (SUCCEEDS.some((succeeds) => succeeds(texts, { isLiteral, isProgram }))) return always(part);
  if (isLiteral && isTrueTest(texts)) return always(part);
  if (isLiteral && isConstantProgram(texts)) return always(part);
  if (isLiteral && /^(?:cd|pushd)$/.test(texts[0] ?? ''))
    return idle(part, 'only changes the folder');
  return isLiteral && asksForHelp(texts) ? idle(part, 'only prints help or a version') : undefined;
}

/** `exit` with no number ends with the result of what stands before it. */
export function isBareExit(part: string): boolean {
  return /^exit$/.test(part.trim());
}

function always(part: string): Idle {
  return { reason: `\`${part}\` cannot fail`, succeeds: !isBareExit(part) };
}

function idle(part: string, what: string): Idle {
  return { reason: `\`${part}\` ${what}`, succeeds: false };
}

/** Words of a command without those that only run the rest of them. */
export function unwrap(words: readonly Word[]): {
  readonly words: readonly Word[];
  /** Looked for on the `PATH`: what only a shell knows is not found. */
  readonly isProgram: boolean;
} {
  let isProgram = false;
  let rest = words;
  for (;;) {
    const [first, second, third] = rest.map(({ text, isLiteral }) => (isLiteral ? text : '$'));
    if (second === undefined || second.startsWith('-')) break;
    const isOwn = WRAPPERS.has(first ?? '');
    const isOutside = OUTSIDE.has(first ?? '');
    if (!isOwn && !isOutside && first !== 'timeout') break;
    if (first === 'timeout' && (third === undefined || !/^\d+[smhd]?$/.test(second))) break;
    isProgram ||= !isOwn;
    rest = rest.slice(first === 'timeout' ? 2 : 1);
    if (first === 'env') rest = rest.slice(assignmentsOf(rest));
  }
  return { words: rest, isProgram };
}

function assignmentsOf(words: readonly Word[]): number {
  const at = words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  return at === -1 ? words.length - 1 : at;
}

const WRAPPERS = new Set(['command', 'builtin', 'time']);
const OUTSIDE = new Set(['env', 'exec', 'nohup', 'nice', 'setsid']);

interface How {
  readonly isLiteral: boolean;
  readonly isProgram: boolean;
}

type Rule = (texts: readonly string[], how: How) => boolean;

const TRUE = /^(?:(?:\/usr)?\/bin\/)?true$/;
const ECHO = /^(?:(?:\/usr)?\/bin\/)?echo$/;
/** Of the shell: they set something for what comes after them. */
const SETTING =
  /^(?:(?:export|declare|typeset)(?: [A-Za-z_]\w*(?:=[^ ]*)?)+|unset(?: [A-Za-z_]\w*)+|umask \d+|set(?: [-+][a-z]+(?: pipefail)?)+)$/;
/** Without arguments. */
const TELL = /^(?:wait|exit|exec|pwd|date|whoami|uname|env|ls|jobs|times|export|declare|set)$/;

const SUCCEEDS: readonly Rule[] = [
  ([name = '']) => TRUE.test(name) || ECHO.test(name),
  ([name], { isProgram }) => name === ':' && !isProgram,
  ([name, format = ''], { isLiteral }) =>
    name === 'printf' &&
    format !== '' &&
    !format.startsWith('-') &&
    (isLiteral ? !/%[^sb%]/.test(format) : /^[^%$`]*(?:%s[^%$`]*)*$/.test(format)),
  ([name = '', ...rest]) => TELL.test(name) && rest.length === 0,
  ([name, code = '', ...rest], { isProgram }) =>
    name === 'exit' &&
    !isProgram &&
    rest.length === 0 &&
    /^\d+$/.test(code) &&
    Number(code) % 256 === 0,
  (texts, { isLiteral }) => isLiteral && SETTING.test(texts.join(' ')),
];

/** For what stands behind `!`. */
function fails(words: readonly Word[]): boolean {
  const { words: own } = unwrap(words);
  const texts = own.map(({ text }) => text);
  return texts.length === 1 && /^(?:(?:\/usr)?\/bin\/)?false$/.test(texts[0] ?? '');
}

/** Here in every project. */
const HERE = /^(?:\.{1,2}|\/|\.\/|\/tmp|\/dev\/null)$/;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '[[': ']]' };

/** `test`, `[ … ]` and `[[ … ]]` of what is known beforehand. */
function isTrueTest([name = '', ...words]: readonly string[]): boolean {
  const closing = CLOSING[name];
  if (closing === undefined && name !== 'test') return false;
  if (closing !== undefined && words.at(-1) !== closing) return false;
  const parts = closing === undefined ? words : words.slice(0, -1);
  if (parts.some((part) => /^(?:-a|-o|[()])$/.test(part))) return false;
  return isTrue(parts);
}

function isTrue(parts: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1) return first !== '';
  if (parts.length === 2) {
    if (first === '!') return second === '';
    if (first === '-n') return second !== '';
    if (first === '-z') return second === '';
    if (first === '-d') return HERE.test(second) && second !== '/dev/null';
    return /^-[er]$/.test(first) && HERE.test(second);
  }
  return parts.length === 3 && (COMPARE[second]?.(first, third) ?? false);
}

const whole = (word: string) => (/^-?\d+$/.test(word) ? Number(word) : Number.NaN);
const COMPARE: Readonly<Record<string, (one: string, other: string) => boolean>> = {
  '=': (one, other) => one === other,
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '-eq': (one, other) => whole(one) === whole(other),
  '-ne': (one, other) => Math.abs(whole(one) - whole(other)) > 0,
  '-lt': (one, other) => whole(one) < whole(other),
  '-le': (one, other) => whole(one) <= whole(other),
  '-gt': (one, other) => whole(one) > whole(other),
  '-ge': (one, other) => whole(one) >= whole(other),
};

const TEXT = `(?:\\d+|'[^'\\\\]*'|"[^"\\\\]*")`;
const NO_OP = `(?:${TEXT}|true|false|process\\.exit\\(0?\\)|console\\.log\\(${TEXT}?\\))`;
const PYTHON_NO_OP = `(?:${TEXT}|pass|True|False|import sys|(?:sys\\.)?exit\\(0?\\)|print\\(${TEXT}?\\))`;
const lines = (one: string) => new RegExp(`^[\\s;]*(?:${one}[\\s]*(?:;[\\s;]*|$))*$`);

/** Programs that are given a text to run: what such a text may consist of. */
const LANGUAGES: readonly (readonly [program: RegExp, option: RegExp, text: RegExp])[] = [
  [/^(?:node|bun)$/, /^(?:-e|-p|-pe|--eval|--print)$/, lines(NO_OP)],
  [/^python[\d.]*$/, /^-c$/, lines(PYTHON_NO_OP)],
  [/^(?:perl|ruby)$/, /^-e$/, lines('\\d+')],
];

function isConstantProgram([name = '', option = '', text, ...rest]: readonly string[]): boolean {
  if (text === undefined || rest.length > 0) return false;
  return LANGUAGES.some(([program, flag, body]) => {
    return program.test(name) && flag.test(option) && body.test(text);
  });
}

const HELP = /^(?:-h|--help|--version)$/;
/** Whatever else is said, help is theirs and all they do. */
const RUNNERS =
  /^(?:vitest|jest|mocha|ava|pytest|py\.test|tox|nox|tsc|eslint|oxlint|prettier|biome|ruff|mypy|phpunit|rspec|ctest|make|mvn)$/;
/** These hand what stands behind the name of a script or a module to it, unless it is one of their own. */
const HOSTS: readonly RegExp[] = [
  /^npm (?!(?:exec|x) )(?:[\w:.-]+ )*$/,
  /^(?:pnpm|yarn|bun|deno|go|cargo|java|ruby|php|dotnet|gradle) $/,
  /^(?:node|python[\d.]*) (?:-[\w-]+ )*$/,
  /^python[\d.]* -m (?:unittest|pytest|tox|nox|mypy|ruff) (?:.* )?$/,
  /^cargo (?:test|check|build|clippy|fmt) (?:.* )?$/,
];

/** A runner that is asked for its help or its version, not to run. */
function asksForHelp(texts: readonly string[]): boolean {
  const words = /^(?:npx|bunx)$/.test(texts[0] ?? '') ? texts.slice(1) : texts;
  const end = words.indexOf('--');
  const own = end === -1 ? words : words.slice(0, end);
  const at = own.findIndex((word) => HELP.test(word));
  if (/^(?:node|npm|pnpm|yarn|tsc) -v$|^go version$/.test(words.join(' '))) return true;
  if (at <= 0) return false;
  const before = own.slice(0, at).map((word) => `${word} `);
  return RUNNERS.test(own[0] ?? '') || HOSTS.some((host) => host.test(before.join('')));
}
