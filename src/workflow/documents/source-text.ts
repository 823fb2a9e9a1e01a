/** A document as its reader sees it (LF, no HTML comments), with the way back to the bytes of the file. */

/** A part of the text that is left out, as offsets. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

export interface SourceText {
  /** What is parsed. */
  readonly text: string;
  /** Offset in the file of the character at `offset`; the end of the file for the end of the text. */
  originalOf(offset: number): number;
  /** Line in the file, counted from 1. */
  lineOf(offset: number): number;
  /** The same document without these parts of `text`, which are in order and apart. */
  without(cuts: readonly Cut[]): SourceText;
}

/** The text from `from` on, behind any BOM, with every line end as LF. */
export function sourceOf(file: string, from: number): SourceText {
  let start = from;
  // The Markdown parser drops one without counting it.
  while (file.charCodeAt(start) === 0xfeff) start++;

  const lineStarts = [0];
  const cuts: Cut[] = [{ start: 0, end: start }];
  for (const { index, 0: eol } of file.matchAll(/\r\n|\r|\n/g)) {
    lineStarts.push(index + eol.length);
    if (eol === '\r\n' && index >= start) cuts.push({ start: index, end: index + 1 });
  }
  const { text, map } = cutOut(file, cuts);
  // A lone CR is a line end as well, and as long as LF.
  return build(text.replaceAll('\r', '\n'), map, lineStarts);
}

function build(
  text: string,
  originalOf: (offset: number) => number,
  lineStarts: readonly number[],
): SourceText {
  return {
    text,
    originalOf,
    lineOf: (offset) => countUpTo(lineStarts, originalOf(offset)),
    without(cuts) {
      const { text: shorter, map } = cutOut(text, cuts);
      return build(shorter, (offset) => originalOf(map(offset)), lineStarts);
    },
  };
}

function cutOut(text: string, cuts: readonly Cut[]) {
  const kept: string[] = [];
  /** Where each kept part begins: in the result, and before the cuts. */
  const starts: number[] = [];
  const origins: number[] = [];
  let length = 0;
  let at = 0;
  const keep = (end: number) => {
    starts.push(length);
    origins.push(at);
    kept.push(text.slice(at, end));
    length += end - at;
  };
  for (const cut of cuts) {
    if (cut.start > at) keep(cut.start);
    at = cut.end;
  }
  keep(text.length);
  const map = (offset: number) => {
    const part = countUpTo(starts, offset) - 1;
    return (origins[part] ?? 0) + offset - (starts[part] ?? 0);
  };
  return { text: kept.join(''), map };
}

/** How many of these ascending numbers are not above `value`. */
function countUpTo(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
