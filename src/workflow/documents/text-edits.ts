/** Changes of single lines in a text that is otherwise kept to the byte. */
import type { Block, ListItem } from './block-model.ts';
import type { Markdown } from './markdown.ts';

/** Offsets in the file. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** From the last to the first, so that no edit moves another. */
export function applyEdits(file: string, edits: readonly TextEdit[]): string {
  let text = file;
  for (const edit of [...edits].sort((a, b) => b.start - a.start)) {
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  return text;
}

/** The line end that the file uses first. */
export function eolOf(file: string): string {
  return /\r\n|\n/.exec(file)?.[0] ?? '\n';
}

/** What this block itself covers, without its line end. */
export function rangeOf(
  { source }: Markdown,
  node: Block | ListItem,
): { readonly start: number; readonly end: number } {
  const last = Math.max(node.start, node.end - 1);
  return { start: source.originalOf(node.start), end: source.originalOf(last) + 1 };
}

/** The whole lines of this block, the last with its line end. */
export function linesOf(
  file: string,
  { source }: Markdown,
  node: Block | ListItem,
): { readonly start: number; readonly end: number } {
  const { text } = source;
  const start = node.start === 0 ? 0 : text.lastIndexOf('\n', node.start - 1) + 1;
  const lineEnd = text.indexOf('\n', node.end);
  const end = lineEnd === -1 ? file.length : source.originalOf(lineEnd) + 1;
  return { start: source.originalOf(start), end };
}

/** Puts lines behind this block. The file keeps its last line end, or its lack of one. */
export function insertBehind(
  file: string,
  markdown: Markdown,
  insert: { readonly node: Block | ListItem; readonly lines: readonly string[] },
): TextEdit {
  const eol = eolOf(file);
  const { end } = linesOf(file, markdown, insert.node);
  const text = insert.lines.join(eol);
  const isOpen = end === file.length && !/[\r\n]$/.test(file);
  return { start: end, end, text: isOpen ? eol + text : text + eol };
}

/** Puts a whole section in front of a heading, or at the end of the file. */
export function insertSection(
  file: string,
  markdown: Markdown,
  insert: { readonly before: Block | undefined; readonly lines: readonly string[] },
): TextEdit {
  const eol = eolOf(file);
  const text = insert.lines.map((line) => line + eol).join('');
  if (insert.before !== undefined) {
    const { start } = linesOf(file, markdown, insert.before);
    return { start, end: start, text: text + eol };
  }
  const end = file.length;
  if (/^\uFEFF?$/.test(file)) return { start: end, end, text };
  const isEnded = /[\r\n]$/.test(file);
  const isBlank = /(?:\r?\n){2}$/.test(file);
  const gap = isBlank ? '' : eol;
  return { start: end, end, text: (isEnded ? '' : eol) + gap + text };
}
