/** What stands inside a line: code in backticks, backslashes, HTML comments. Pure and linear in time. */

/** `start` and `end` are offsets in the text that was read; `value` is what a reader sees. */
export interface Piece {
  readonly kind: 'text' | 'code' | 'comment';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

// Not the stars of a glob, which stand at a slash.
const BOLD = /(?<![^\s(])\*\*(?=[^\s*/])[^*\n]{1,300}(?<!\s)\*\*(?![^\s.,:;)])/g;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Splits a line or paragraph. Emphasis, links and other HTML stay text, so that no glob loses its stars. */
export function piecesOf(raw: string): readonly Piece[] {
  // Most lines are nothing but text.
  if (raw !== '' && !/[`<]/.test(raw)) return [textPiece(raw, 0, raw.length)];
  const pieces: Piece[] = [];
  const closers = runsByLength(raw);
  let from = 0;
  const push = (kind: 'code' | 'comment', start: number, end: number, value: string) => {
    if (start > from) pieces.push(textPiece(raw, from, start));
    pieces.push({ kind, start, end, value });
    from = end;
  };
  let commentsEnd = raw.lastIndexOf('-->');
  for (const { index, 0: found } of raw.matchAll(/\\[!-/:-@[-`{-~]|`+|<!--/g)) {
    if (index < from || found.startsWith('\\')) continue;
    if (found === '<!--') {
      const end = commentsEnd > index ? endOfFirstComment(raw, index) : -1;
      if (end === -1) commentsEnd = -1;
      else push('comment', index, end, '');
      continue;
    }
    const close = nextAfter(closers.get(found.length), index);
    if (close === undefined) continue;
    const value = codeValue(raw.slice(index + found.length, close));
    push('code', index, close + found.length, value);
  }
  if (from < raw.length) pieces.push(textPiece(raw, from, raw.length));
  return pieces;
}

/** One canonical line: equal for texts that read the same. */
export function plainText(raw: string): string {
  return textOfPieces(piecesOf(raw));
}

/** The same for a title: without the stars around words that a person made bold. */
export function titleText(raw: string): string {
  // Stars inside code are no emphasis.
  const masked = piecesOf(raw).map(({ kind, start, end }) =>
    kind === 'text' ? raw.slice(start, end) : 'x'.repeat(end - start),
  );
  let title = '';
  let from = 0;
  for (const { index, 0: bold } of masked.join('').matchAll(BOLD)) {
    const end = index + bold.length;
    title += raw.slice(from, index) + raw.slice(index + 2, end - 2);
    from = end;
  }
  return plainText(title + raw.slice(from));
}

/** The same for pieces that are at hand. */
export function textOfPieces(pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let endsInSpace = false;
  for (const value of pieces.map(shown).filter((part) => part !== '')) {
    // Two spaces meet where a comment stood between them.
    parts.push(endsInSpace && value.startsWith(' ') ? value.slice(1) : value);
    endsInSpace = value.endsWith(' ');
  }
  return parts.join('').replace(/^ | $/g, '');
}

/** As it is read in a sentence: code keeps its backticks. */
function shown(piece: Piece): string {
  return piece.kind === 'code' ? codeSpan(piece.value) : piece.value;
}

/** Space and line ends become one space. Other white space counts: it could hide something. */
function collapse(text: string): string {
  return text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
}

/** The shortest Markdown for a piece of code. Line ends become spaces. */
export function codeSpan(code: string): string {
  const value = code.replace(/[\r\n]+/g, ' ');
  const taken = new Set([...value.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (taken.has(length)) length++;
  const fence = '`'.repeat(length);
  const isPadded = /^`|`$/.test(value) || isWrapped(value);
  return isPadded ? `${fence} ${value} ${fence}` : fence + value + fence;
}

/** Markdown that reads as exactly this text, on one line; for the start of a line or item. */
export function escapeLine(text: string): string {
  const line = escapeInline(text);
  return line
    .replace(/^(?=#{1,6}(?: |$)|>|[-+*](?: |$)|~~~|\[.{0,2}\](?: |$)|=+$)/, '\\')
    .replace(/^(?=([-*_])(?: *\1){2,}$|-+$)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?: |$))/, '$1\\');
}

/** Markdown that reads as exactly this text, for the rest of a line. */
export function escapeInline(text: string): string {
  const line = collapse(text);
  const kept = codeSpansOf(line);
  let escaped = '';
  let from = 0;
  for (const { start, end } of kept) {
    escaped += escapeText(line.slice(from, start)) + line.slice(start, end);
    from = end;
  }
  return escaped + escapeText(line.slice(from));
}

function escapeText(text: string): string {
  return text.replace(
    /\\(?=[!-/:-@[-`{-~]|$)|`|<(?=[a-z/!?])|&(?=#?\w+;)|(?<![^\s(])\*\*(?=[^\s*/])/gi,
    '\\$&',
  );
}

/** Pieces of plain text that would be printed exactly so as code. */
function codeSpansOf(line: string): readonly { readonly start: number; readonly end: number }[] {
  const spans = [];
  const closers = runsByLength(line);
  let from = 0;
  for (const { index, 0: run } of line.matchAll(/`+/g)) {
    const close = index < from ? undefined : nextAfter(closers.get(run.length), index);
    if (close === undefined) continue;
    const end = close + run.length;
    const value = codeValue(line.slice(index + run.length, close));
    if (codeSpan(value) !== line.slice(index, end)) continue;
    spans.push({ start: index, end });
    from = end;
  }
  return spans;
}

/** Starts of the runs of backticks of one length, and how many of them have been passed. */
interface Runs {
  readonly starts: number[];
  passed: number;
}

function runsByLength(raw: string): Map<number, Runs> {
  const runs = new Map<number, Runs>();
  for (const { index, 0: run } of raw.matchAll(/`+/g)) {
    const known = runs.get(run.length);
    if (known === undefined) runs.set(run.length, { starts: [index], passed: 0 });
    else known.starts.push(index);
  }
  return runs;
}

/** For a growing `index`: whoever is passed is passed for good, so that a text is walked once. */
function nextAfter(runs: Runs | undefined, index: number): number | undefined {
  if (runs === undefined) return undefined;
  while ((runs.starts[runs.passed] ?? Infinity) <= index) runs.passed++;
  return runs.starts[runs.passed];
}

/** Offset behind the comment that begins at `start`, or -1 where it never ends. */
export function endOfFirstComment(raw: string, start: number): number {
  if (raw.startsWith('<!-->', start)) return start + 5;
  if (raw.startsWith('<!--->', start)) return start + 6;
  const close = raw.indexOf('-->', start + 4);
  return close === -1 ? -1 : close + 3;
}

function codeValue(inner: string): string {
  const value = inner.replace(/[ \t]*\n[ \t]*/g, ' ');
  return isWrapped(value) ? value.slice(1, -1) : value;
}

function isWrapped(value: string): boolean {
  return value.length > 2 && value.startsWith(' ') && value.endsWith(' ') && /[^ ]/.test(value);
}

function textPiece(raw: string, start: number, end: number): Piece {
  const value = raw
    .slice(start, end)
    .replace(/[ \t\n]+/g, ' ')
    .replace(ESCAPED, '$1');
  return { kind: 'text', value, start, end };
}
