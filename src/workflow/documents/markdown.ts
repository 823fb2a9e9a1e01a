/** The one place that reads Markdown. Blocks come from mdast, lines from `inline.ts`; offsets lead back to the file. */
import type { Heading, List, ListItem, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { endOfFirstComment, piecesOf, plainText } from './inline.ts';
import { type Cut, type SourceText, sourceOf } from './source-text.ts';

/** Nested blocks, by their markers or indentation in one line. Beyond, the parser's time explodes. */
export const MAX_NESTING = 50;
/** UTF-16 units of a document. */
export const MAX_LENGTH = 2_000_000;

export type Block = RootContent;

export interface Markdown {
  readonly source: SourceText;
  readonly root: Root;
  /** Why nothing was parsed, with the line. */
  readonly problem: { readonly message: string; readonly line: number } | undefined;
  /** Lines where a `<!--` begins that never ends; what follows it counts. */
  readonly openComments: readonly number[];
}

/** A heading and what stands under it, up to the next heading of any depth. */
export interface Section {
  /** Lower case, without numbering, emphasis, colon and closing hashes; empty above the first heading. */
  readonly name: string;
  /** The heading as a person reads it. */
  readonly title: string;
  /** 0 above the first heading. */
  readonly depth: number;
  readonly heading: Heading | undefined;
  readonly blocks: readonly Block[];
}

// Inside a line nothing is parsed here. Links and definitions stay visible text, stars stay stars, and the
// time stays linear.
const INLINE = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'definition',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];
const OPTIONS = {
  extensions: [gfmTable(), { disable: { null: INLINE } }],
  mdastExtensions: [gfmTableFromMarkdown()],
};
const EMPTY: Root = { type: 'root', children: [] };
const NESTED = new RegExp(
  `^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_NESTING + 1}}` +
    `|^[ \\t]{${4 * MAX_NESTING}}[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])[ \\t])`,
);

/** Parses the text from offset `from` on, without its HTML comments. Never throws. */
export function parseMarkdown(file: string, from = 0): Markdown {
  const source = sourceOf(file, from);
  const problem = problemOf(source);
  if (problem !== undefined) return { source, root: EMPTY, problem, openComments: [] };

  const root = fromMarkdown(source.text, OPTIONS);
  if (!source.text.includes('<!--')) return { source, root, problem, openComments: [] };

  const { cuts, open } = commentsIn(root.children, source.text);
  const openComments = open.map((offset) => source.lineOf(offset));
  if (cuts.length === 0) return { source, root, problem, openComments };
  const visible = source.without(cuts);
  return { source: visible, root: fromMarkdown(visible.text, OPTIONS), problem, openComments };
}

/** In the order of the document; the first holds what stands above all headings. */
export function sectionsOf(root: Root): readonly Section[] {
  const sections: { -readonly [K in keyof Section]: Section[K] }[] = [
    { name: '', title: '', depth: 0, heading: undefined, blocks: [] },
  ];
  let blocks: Block[] = [];
  for (const block of root.children) {
    if (block.type !== 'heading') {
      blocks.push(block);
      continue;
    }
    const last = sections.at(-1);
    if (last) last.blocks = blocks;
    blocks = [];
    const title = plainText(rawText(block));
    sections.push({ name: nameOf(title), title, depth: block.depth, heading: block, blocks });
  }
  const last = sections.at(-1);
  if (last) last.blocks = blocks;
  return sections;
}

/** The section at `index` and the deeper ones under it, up to one that `stops`. */
export function subtreeOf(
  sections: readonly Section[],
  index: number,
  stops: (section: Section) => boolean,
): readonly Section[] {
  const top = sections[index];
  if (top === undefined) return [];
  const rest = sections.slice(index + 1);
  const end = rest.findIndex((section) => section.depth <= top.depth || stops(section));
  return [top, ...(end === -1 ? rest : rest.slice(0, end))];
}

export function startOf(node: Block | ListItem | Root): number {
  return node.position?.start.offset ?? 0;
}

export function endOf(node: Block | ListItem | Root): number {
  return node.position?.end.offset ?? 0;
}

/** Text of a paragraph, heading or table cell as it was typed, without the indentation of its lines. */
export function rawText(node: { readonly children: readonly object[] }): string {
  let text = '';
  for (const child of node.children) {
    if ('value' in child && typeof child.value === 'string') text += child.value;
    else if ('type' in child && child.type === 'break') text += '\n';
  }
  return text;
}

/** The mark of a task: `[ ]`, `[x]`, `[~]`, `[]`, `[ x]`; a link is none. Only x and X mean done. */
export function taskMarkOf(
  raw: string,
): { readonly done: boolean; readonly length: number } | undefined {
  const mark = /^\[ ?(?<sign>[^\]\s]?) ?\](?=[ \t\n]|$)/.exec(raw);
  if (mark === null) return undefined;
  const [found] = mark;
  return { done: found === '[x]' || found === '[X]', length: found.length };
}

/** What stands in front of the other blocks of an item, without its task mark. */
export function leadOf(item: ListItem): {
  readonly raw: string;
  readonly mark: { readonly done: boolean } | undefined;
  readonly rest: readonly Block[];
} {
  const [first, ...rest] = item.children;
  if (first?.type !== 'paragraph' && first?.type !== 'heading') {
    return { raw: '', mark: undefined, rest: item.children };
  }
  const raw = rawText(first);
  const mark = taskMarkOf(raw);
  return { raw: raw.slice(mark?.length ?? 0).replace(/^[ \t]+/, ''), mark, rest };
}

export function isList(block: Block): block is List {
  return block.type === 'list';
}

function problemOf(source: SourceText): Markdown['problem'] {
  const { text } = source;
  if (text.length > MAX_LENGTH) {
    return { message: `This is longer than ${MAX_LENGTH} characters`, line: 1 };
  }
  let offset = 0;
  for (const line of text.split('\n')) {
    if (NESTED.test(line)) {
      const message = `Blocks are nested more than ${MAX_NESTING} deep`;
      return { message, line: source.lineOf(offset) };
    }
    offset += line.length + 1;
  }
  return undefined;
}

/** HTML comments outside code, each with the white space or the whole lines that it leaves behind. */
function commentsIn(blocks: readonly Block[], text: string) {
  const cuts: Cut[] = [];
  const open: number[] = [];
  const stack: Block[] = [...blocks].reverse();
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    if (block.type === 'code') continue;
    if ('children' in block && block.type !== 'paragraph' && block.type !== 'heading') {
      for (const child of [...block.children].reverse()) stack.push(child);
      continue;
    }
    const start = startOf(block);
    const raw = text.slice(start, endOf(block));
    if (!raw.includes('<!--')) continue;
    for (const cut of block.type === 'html' ? htmlComments(raw) : inlineComments(raw)) {
      if (cut.end === -1) open.push(start + cut.start);
      else cuts.push({ start: start + cut.start, end: start + cut.end });
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

function nameOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/^\d{1,3}[.)、] */, '')
    .replace(/(?<=\p{L})#+$/u, '')
    .replace(/^(\*\*|__|\*|_)([^*_]+)\1(?= *[:：]?$)/, '$2')
    .replace(/ *[:：]$/, '');
}
