/** Blocks as plain canonical Markdown: what reads the same is equal, and a changed word is a changed text. */
import type { Block, List, ListItem, Remark, Table } from './block-model.ts';
import { unreachable } from '../../kernel/base/errors.ts';
import { plainText } from './inline.ts';
import { leadOf } from './markdown.ts';

/** Ticks, bullets' signs, wrapping, blank lines, trailing space, fences' signs do not show in the result. */
export function canonicalOf(blocks: readonly (Block | ListItem | Remark)[]): string {
  return blocks
    .map(blockOf)
    .filter((text) => text !== '')
    .join('\n\n');
}

function blockOf(block: Block | ListItem | Remark): string {
  switch (block.type) {
    case 'paragraph':
      return plainText(block.raw);
    case 'heading':
      return `${'#'.repeat(block.depth)} ${plainText(block.raw)}`;
    case 'code':
      return fenced(trimEnds(withoutLastEnd(block.content)), block.info);
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
      return trimLines(withoutLastEnd(block.content));
    default:
      return unreachable(block);
  }
}

function listOf({ ordered, first, children }: List): string {
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

function tableOf({ columns, rows }: Table): string {
  const lines = rows.map((row) => `| ${row.map(({ raw }) => plainText(raw)).join(' | ')} |`);
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`);
  return lines.join('\n');
}

/** A fence that no line of the content can close. */
export function fenced(content: string, info: string): string {
  let longest = 2;
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const lines = content === '' || content.endsWith('\n') ? content : `${content}\n`;
  return `${fence}${info}\n${lines}${fence}`;
}

function withoutLastEnd(text: string): string {
  return text.replace(/\n$/, '');
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
