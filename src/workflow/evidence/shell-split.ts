/** Splits a line of shell, without understanding what stands in it. Pure. */

/** Splits at operators that stand outside of quotes, parentheses and braces. */
export function splitTopLevel(line: string, operators: readonly string[]): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '(' || char === '{') depth++;
    else if (char === ')' || char === '}') depth--;
    else if (depth === 0) {
      const operator = operators.find((one) => line.startsWith(one, at));
      if (operator === undefined) continue;
      parts.push(line.slice(start, at));
      start = at + operator.length;
      at = start - 1;
    }
  }
  return [...parts, line.slice(start)];
}

/** Without remarks; a `#` in front of a quote may be part of a word, and stays. */
export function stripComment(command: string): string {
  return command.replaceAll(/(^|\s)#[^\n'"`]*$/gm, '$1');
}

export interface Word {
  /** Without its quotes; what the shell puts in for `$x` or `*` is not known. */
  readonly text: string;
  /** What the program gets is exactly `text`. */
  readonly isLiteral: boolean;
}

export interface SimpleCommand {
  /** Whether `A=1` stands in front. */
  readonly hasAssignments: boolean;
  readonly words: readonly Word[];
  /** Something in it, also in an assignment, is put in by the shell. */
  readonly isExpanded: boolean;
}

const SPACE = /(?:[ \t]|\\\n)+/y;
/** Redirections that do not fail: to a device, of one descriptor to another. */
const REDIRECTION =
  /(?:\d*>&\d(?!\d)|(?:&>>?|\d*>>?)[ \t]*\/dev\/(?:null|stdout|stderr)|\d?<[ \t]*\/dev\/null)(?=[\s>&<]|$)/y;
const SUBSTITUTION = String.raw`\$\((?:[^()'"]|'[^']*'|"[^"]*"|\([^()]*\))*\)|` + '`[^`]*`';
const PIECE = new RegExp(
  [
    String.raw`\\(?<escaped>[^\n])`,
    `'(?<single>[^']*)'`,
    `"(?<double>(?:[^"\\\\$\`]|\\\\[^]|${SUBSTITUTION}|\\$(?!\\())*)"`,
    `(?<put>${SUBSTITUTION})`,
    String.raw`(?<plain>[^\s'"\\<>|&;()` + '`' + String.raw`]|\$(?!\())`,
  ].join('|'),
  'y',
);
/** `${x:?}` and arithmetic end the shell: then nothing is known of the command. */
const MAY_END = /\$\{[^}]*\?|\$\(\(/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** One command with nothing around it, or `undefined` when it is more than that, or not surely so. */
export function readSimple(part: string): SimpleCommand | undefined {
  if (MAY_END.test(part)) return undefined;
  const words: Word[] = [];
  for (let at = 0; at < part.length; ) {
    const skipped = lengthOf(SPACE, part, at) || lengthOf(REDIRECTION, part, at);
    const word = skipped > 0 ? undefined : readWord(part, at);
    if (word === undefined && skipped === 0) return undefined;
    if (word !== undefined) words.push(word);
    at += skipped + (word?.length ?? 0);
  }
  const first = words.findIndex(({ text }) => !ASSIGNMENT.test(text));
  const isExpanded = words.some(({ isLiteral }) => !isLiteral);
  const own = words.slice(first === -1 ? words.length : first);
  return { hasAssignments: first !== 0 && words.length > 0, words: own, isExpanded };
}

function lengthOf(pattern: RegExp, part: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(part)?.[0].length ?? 0;
}

function readWord(part: string, start: number): (Word & { readonly length: number }) | undefined {
  let text = '';
  let isLiteral = true;
  let at = start;
  for (;;) {
    PIECE.lastIndex = at;
    const found = PIECE.exec(part);
    if (found === null) break;
    const { escaped, single, double, put, plain } = found.groups ?? {};
    const isPutIn = put !== undefined || /(?<!\\)[$`]/.test(double ?? '');
    if (isPutIn || (plain !== undefined && /[*?$~]/.test(plain))) isLiteral = false;
    const unescaped = double?.replaceAll(/\\([$`"\\])/g, '$1');
    text += escaped ?? single ?? unescaped ?? put ?? plain ?? '';
    at += found[0].length;
  }
  // A pattern, or several words.
  if (/[[{]/.test(part.slice(start, at)) && !/^(?:\[\[?|\{)$/.test(text))
    isLiteral = isLiteral && isQuoted(part.slice(start, at));
  return at === start ? undefined : { text, isLiteral, length: at - start };
}

/** As one whole: what is in such quotes is no pattern. */
function isQuoted(word: string): boolean {
  return /^(?:'[^']*'|"[^"$`]*")$/.test(word);
}
