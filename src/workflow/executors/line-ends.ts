/** Texts as lines that keep their own ends, so that a change touches no line but its own. Pure. */
import { diffArrays } from 'diff';

const MAX_EDITS = 5_000;
const BOM = '\uFEFF';

export interface Line {
  readonly text: string;
  /** Empty for a last line without one. */
  readonly end: '' | '\n' | '\r\n';
}

/** No text is no lines; a newline at the end begins no line of its own. */
export function splitLines(text: string): Line[] {
  const pieces = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return pieces.map((piece) => {
    if (piece.endsWith('\r\n')) return { text: piece.slice(0, -2), end: '\r\n' };
    if (piece.endsWith('\n')) return { text: piece.slice(0, -1), end: '\n' };
    return { text: piece, end: '' };
  });
}

export function joinLines(lines: readonly Line[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

/** The end that most lines have, `\n` when there are none. */
export function usualEnd(lines: readonly Line[]): '\n' | '\r\n' {
  const count = (wanted: string) => lines.filter(({ end }) => end === wanted).length;
  return count('\r\n') > count('\n') ? '\r\n' : '\n';
}

/** The byte order mark, when there is one, and the rest. */
export function splitBom(text: string): { readonly bom: string; readonly body: string } {
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(1) } : { bom: '', body: text };
}

/**
 * `content` in the manner of the file that it replaces: with its byte order mark, a line that stays with
 * the end that it has, a new one with the file's usual end.
 */
export function inTheMannerOf(old: string, content: string): string {
  const before = splitBom(old);
  const oldLines = splitLines(before.body);
  const newLines = splitLines(splitBom(content).body);
  const usual = usualEnd(oldLines);
  const kept = oldLines.every(({ end }) => end === '' || end === usual)
    ? newLines.map(() => usual)
    : endsOfKeptLines(oldLines, newLines, usual);
  const ended = newLines.map(({ text, end }, index) => ({
    text,
    end: end === '' ? end : (kept[index] ?? usual),
  }));
  // A mark that the author wrote is the author's, even where the file had none.
  const bom = before.bom === '' ? splitBom(content).bom : before.bom;
  return bom + joinLines(ended);
}

function endsOfKeptLines(
  old: readonly Line[],
  now: readonly Line[],
  usual: '\n' | '\r\n',
): Line['end'][] {
  const texts = (lines: readonly Line[]) => lines.map(({ text }) => text);
  const changes = diffArrays(texts(old), texts(now), { maxEditLength: MAX_EDITS });
  if (changes === undefined) {
    const ends = new Map(old.map(({ text, end }) => [text, end]));
    return now.map(({ text }) => ends.get(text) || usual);
  }
  let at = 0;
  return changes.flatMap(({ added, removed, value }) => {
    const from = at;
    if (!added) at += value.length;
    if (removed) return [];
    return value.map((_text, index) => (added ? usual : old[from + index]?.end || usual));
  });
}
