/** Lines of a section that is a list of remarks. */
import type { Block, ListItem, Paragraph } from './block-model.ts';
import { canonicalOf } from './canonical.ts';
import { plainText } from './inline.ts';
import { isList, leadOf } from './markdown.ts';

const PLACEHOLDER = /^_\((?:none(?: yet)?|not provided|inherited)\)_$|^\(none\)$/i;

/** One item, or a paragraph of somebody who writes no bullets. */
export interface Item {
  /** As canonical Markdown, what is nested below on lines of its own. */
  readonly text: string;
  readonly node: ListItem | Paragraph;
}

/** `_(none)_` and its like, which stand for nothing. */
export function isPlaceholder(raw: string): boolean {
  return PLACEHOLDER.test(plainText(raw));
}

/** Everything in these blocks that says something. */
export function itemsOf(blocks: readonly Block[]): readonly Item[] {
  const items: Item[] = [];
  for (const block of blocks) {
    if (block.type === 'paragraph') items.push({ text: plainText(block.raw), node: block });
    if (!isList(block)) continue;
    for (const item of block.children) items.push({ text: textOf(item), node: item });
  }
  return items.filter(({ text }) => text !== '' && !isPlaceholder(text));
}

function textOf(item: ListItem): string {
  const { raw, rest } = leadOf(item);
  return [plainText(raw), canonicalOf(rest)].filter(Boolean).join('\n');
}
