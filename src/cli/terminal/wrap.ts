/** Lines that fit a terminal. Pure. */

/** Scripts whose characters take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Breaks at spaces, and inside of a word only where it is longer than a line. @param width Columns. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (widthOf(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = cutWord(word, width);
    line = parts.pop() ?? '';
    lines.push(...parts);
  }
  return [...lines, line];
}

/** Columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += WIDE.test(char) ? 2 : 1;
  return width;
}

function cutWord(word: string, width: number): string[] {
  const parts: string[] = [''];
  for (const char of word) {
    const last = parts.at(-1) ?? '';
    if (last !== '' && widthOf(last + char) > width) parts.push(char);
    else parts[parts.length - 1] = last + char;
  }
  return parts;
}
