/** Where the comments of a document are. */
import type { Block, ListItem } from './block-model.ts';
import { endOfFirstComment, piecesOf } from './inline.ts';
import type { Cut } from './source-text.ts';

/** HTML comments outside code, each with the white space or the whole lines that it leaves behind; `open` never end. */
export function commentsIn(blocks: readonly Block[], text: string) {
  const cuts: Cut[] = [];
  const open: number[] = [];
  const stack: (Block | ListItem)[] = [...blocks].reverse();
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    if ('children' in block) {
      for (const child of [...block.children].reverse()) stack.push(child);
      continue;
    }
    if (block.type === 'code') continue;
    const find = block.type === 'html' ? htmlComments : inlineComments;
    for (const { start, end } of block.type === 'table' ? block.rows.flat() : [block]) {
      for (const cut of find(text.slice(start, end))) {
        if (cut.end === -1) open.push(start + cut.start);
        else cuts.push({ start: start + cut.start, end: start + cut.end });
      }
    }
  }
  const joined = merged(cuts, (from, to) => /^[ \t]*$/.test(text.slice(from, to)));
  const wide = joined.map((cut) => widened(cut, text));
  return { cuts: merged(wide, (from, to) => to <= from), open };
}

function inlineComments(raw: string): readonly Cut[] {
  return piecesOf(raw).filter(({ kind }) => kind === 'comment');
}

/** In a block of HTML a backtick is no code. An end of -1 is a comment without end. */
function htmlComments(raw: string): readonly Cut[] {
  const found: Cut[] = [];
  for (let start = raw.indexOf('<!--'); start !== -1; ) {
    const end = endOfFirstComment(raw, start);
    found.push({ start, end });
    start = end === -1 ? -1 : raw.indexOf('<!--', end);
  }
  return found;
}

/** A comment that has lines to itself takes them along, so that blocks around it stay one. */
function widened({ start, end }: Cut, text: string): Cut {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const found = text.indexOf('\n', end);
  const lineEnd = found === -1 ? text.length : found + 1;
  const isAlone = isBlank(text, lineStart, start) && isBlank(text, end, lineEnd);
  // A line of dashes would turn the paragraph above into a heading.
  const isRuled = /^[ \t]*(?:-+|=+)[ \t]*$/.test(lineFrom(text, lineEnd));
  if (isAlone)
    return isRuled ? { start: lineStart, end: lineEnd - 1 } : { start: lineStart, end: lineEnd };
  if (start > lineStart && !' \t'.includes(text.charAt(start - 1))) return { start, end };
  let after = end;
  while (' \t'.includes(text.charAt(after)) && after < text.length) after++;
  return { start, end: after };
}

function lineFrom(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end);
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (!' \t\n'.includes(text.charAt(at))) return false;
  }
  return true;
}

/** In order, with those made one between which there is nothing worth keeping. */
function merged(
  cuts: readonly Cut[],
  isNothing: (from: number, to: number) => boolean,
): readonly Cut[] {
  const apart: Cut[] = [];
  for (const cut of [...cuts].sort((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last !== undefined && isNothing(last.end, cut.start)) {
      apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, cut.end) };
    } else apart.push(cut);
  }
  return apart;
}
