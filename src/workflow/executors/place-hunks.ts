/** Where the hunks of a patch fit into a text. Pure. */
import { type Line, splitBom } from './line-ends.ts';
import type { PatchHunk } from './read-patch.ts';

export type Placement =
  | {
      readonly ok: true;
      /** Index of the line at which each hunk begins. */
      readonly at: readonly number[];
      /** All stand at the very lines that the patch states. */
      readonly exact: boolean;
    }
  | { readonly ok: false; readonly ambiguous: boolean; readonly problem: string };

interface Side {
  /** Counts from 0. */
  readonly start: number;
  readonly texts: readonly string[];
  /** Whether the last of them lacks a newline; `undefined` when the hunk does not speak of the end. */
  readonly lacksNewline: boolean | undefined;
  /** Must begin, must end where the text does. */
  readonly isAnchored: { readonly atStart: boolean; readonly atEnd: boolean };
}

/** What a hunk expects to find (`old`) or leaves behind (`new`). */
export function sideOf(hunk: PatchHunk, side: 'old' | 'new'): Side {
  const other = side === 'old' ? '+' : '-';
  const texts = hunk.lines.filter(({ sign }) => sign !== other).map(({ text }) => text);
  const start = (side === 'old' ? hunk.oldStart : hunk.newStart) - 1;
  const speaksOfEnd = hunk.oldLacksNewline || hunk.newLacksNewline;
  const lacks = side === 'old' ? hunk.oldLacksNewline : hunk.newLacksNewline;
  // What a mere deletion leaves is no proof that something was deleted, unless both neighbours say so.
  const leavesLess = side === 'new' && hunk.lines.every(({ sign }) => sign !== '+');
  const isAnchored = {
    atStart: leavesLess && hunk.lines.at(0)?.sign === '-',
    atEnd: leavesLess && hunk.lines.at(-1)?.sign === '-',
  };
  return { start, texts, lacksNewline: speaksOfEnd ? lacks : undefined, isAnchored };
}

/** Finds each hunk at its stated line, moved like the one before it, or else in the only place that fits. */
export function place(
  lines: readonly Line[],
  hunks: readonly PatchHunk[],
  side: 'old' | 'new',
): Placement {
  const at: number[] = [];
  let [from, moved, exact] = [0, 0, true];
  for (const [index, hunk] of hunks.entries()) {
    const wanted = sideOf(hunk, side);
    const found = placesOf(lines, wanted, { from, expected: wanted.start + moved });
    const [first] = found;
    const shown = `hunk ${index + 1} (line ${wanted.start + 1})`;
    if (overlaps(hunks[index - 1], hunk)) {
      return { ok: false, ambiguous: false, problem: `${shown} is not behind the one before it` };
    }
    if (first === undefined) {
      return { ok: false, ambiguous: false, problem: `${shown} ${whyNowhere(lines, wanted)}` };
    }
    if (found.length > 1) {
      return { ok: false, ambiguous: true, problem: `${shown} fits in more than one place` };
    }
    at.push(first);
    moved = first - wanted.start;
    exact &&= moved === 0;
    from = first + wanted.texts.length;
  }
  return { ok: true, at, exact };
}

/** Two hunks about the same lines: the second would look for its own further down. */
function overlaps(before: PatchHunk | undefined, hunk: PatchHunk): boolean {
  if (before === undefined) return false;
  const countOf = ({ lines }: PatchHunk) => lines.filter(({ sign }) => sign !== '+').length;
  // A hunk without old lines stands behind the line that it names.
  const end = (one: PatchHunk) => one.oldStart + Math.max(countOf(one), 1);
  const start = hunk.oldStart + (countOf(hunk) === 0 ? 1 : 0);
  return start < end(before);
}

/** Pairs of hunk and index, for a placement that succeeded. */
export function inOrder(
  hunks: readonly PatchHunk[],
  placement: Placement,
): (readonly [PatchHunk, number])[] {
  const at = placement.ok ? placement.at : [];
  return hunks.flatMap((hunk, index) => {
    const start = at[index];
    return start === undefined ? [] : [[hunk, start] as const];
  });
}

function placesOf(
  lines: readonly Line[],
  side: Side,
  { from, expected }: { readonly from: number; readonly expected: number },
): number[] {
  // Without a line to hold on to, any place would do; only an empty file has just one.
  if (side.texts.length === 0) return lines.length === 0 ? [0] : [];
  if (expected >= from && fitsAt(lines, side, expected)) return [expected];
  const found: number[] = [];
  for (let at = from; at + side.texts.length <= lines.length && found.length < 2; at++) {
    if (fitsAt(lines, side, at)) found.push(at);
  }
  return found;
}

function fitsAt(lines: readonly Line[], side: Side, at: number): boolean {
  if (at < 0 || at + side.texts.length > lines.length) return false;
  const isFit = side.texts.every((text, index) => isSame(lines, at + index, text));
  const isAtEnd = at + side.texts.length === lines.length;
  if (!isFit || (side.isAnchored.atStart && at > 0)) return false;
  if (side.isAnchored.atEnd && !isAtEnd) return false;
  if (side.lacksNewline === undefined) return true;
  return isAtEnd && (lines.at(-1)?.end === '') === side.lacksNewline;
}

function isSame(lines: readonly Line[], index: number, text: string): boolean {
  // The text's mark is set aside; a patch made from it still has one.
  return lines[index]?.text === text || (index === 0 && lines[0]?.text === splitBom(text).body);
}

function whyNowhere(lines: readonly Line[], side: Side): string {
  if (side.texts.length === 0) return 'has no line of context, so its place is not sure';
  const at = side.texts.findIndex((text, index) => !isSame(lines, side.start + index, text));
  const line = lines[side.start + at];
  if (at === -1) return 'expects another end of the file';
  if (line === undefined) return 'reaches beyond the end of the file';
  return `expects "${side.texts[at]}" in line ${side.start + at + 1}, where "${line.text}" stands`;
}
