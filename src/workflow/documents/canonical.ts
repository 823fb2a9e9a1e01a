/** Blocks as plain canonical Markdown: what reads the same is equal, and a changed word is a changed text. */
import type { List, ListItem, Table } from 'mdast';
import { plainText } from './inline.ts';
import { type Block, leadOf, rawText } from './markdown.ts';

/** Ticks, bullets' signs, wrapping, blank lines, trailing space, fences' signs do not show in the result. */
export function canonicalOf(blocks: readonly (Block | ListItem)[]): string {
  return blocks
    .map(blockOf)
    .filter((text) => text !== '')
    .join('\n\n');
}

function blockOf(block: Block | ListItem): string {
  // The other nodes of Markdown are inside blocks, or are not parsed here.
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (block.type) {
    case 'paragraph':
      return plainText(rawText(block));
    case 'heading':
      return `${'#'.repeat(block.depth)} ${plainText(rawText(block))}`;
    case 'code':
      return fenced(trimEnds(block.value), [block.lang, block.meta].filter(Boolean).join(' '));
    case 'list':
      return listOf(block);
    case 'listItem':
      return itemOf(block, '-');
    case 'blockquote':
      return prefixed(canonicalOf(block.children), '> ', '> ');
    case 'table':
      return tableOf(block);
    case 'thematicBreak':
      return '---';
    case 'html':
      return trimLines(block.value);
    default:
      return '';
  }
}

function listOf({ ordered, start, children }: List): string {
  const first = start ?? 1;
  return children
    .map((item, index) => itemOf(item, ordered ? `${first + index}.` : '-'))
    .join('\n');
}

function itemOf(item: ListItem, sign: string): string {
  const { raw, rest } = leadOf(item);
  const lead = plainText(raw);
  const below = canonicalOf(rest);
  const text = lead === '' || below === '' ? lead + below : `${lead}\n${below}`;
  return prefixed(text, `${sign} `, ' '.repeat(sign.length + 1));
}

function tableOf({ children, align }: Table): string {
  const rows = children.map((row) => {
    const cells = row.children.map((cell) => plainText(rawText(cell)));
    return `| ${cells.join(' | ')} |`;
  });
  const columns = align?.length ?? children[0]?.children.length ?? 1;
  rows.splice(1, 0, `|${' --- |'.repeat(columns)}`);
  return rows.join('\n');
}

/** A fence that no line of the content can close. */
export function fenced(content: string, info: string): string {
  let longest = 2;
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const lines = content === '' || content.endsWith('\n') ? content : `${content}\n`;
  return `${fence}${info}\n${lines}${fence}`;
}

function trimEnds(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/(?<![ \t])[ \t]+$/, ''))
    .join('\n');
}

function trimLines(text: string): string {
  return trimEnds(text).replace(/^[ \t]+/gm, '');
}

function prefixed(text: string, first: string, others: string): string {
  const [head = '', ...tail] = text.split('\n');
  const lines = tail.map((line) => (line === '' ? others.trimEnd() : others + line));
  return [first + head, ...lines].join('\n');
}
