/** The one place that reads Markdown. Blocks come from `blocks.ts`, lines from `inline.ts`; offsets lead back to the file. */
import type { Block, Heading, List, ListItem } from './block-model.ts';
import { blocksOf } from './blocks.ts';
import { commentsIn } from './html-comments.ts';
import { plainText } from './inline.ts';
import { type SourceText, sourceOf } from './source-text.ts';

/** Nested blocks, by their markers or indentation in one line. Beyond, the parser's time explodes. */
const MAX_NESTING = 50;
/** UTF-16 units of a document. */
const MAX_LENGTH = 2_000_000;

export interface Markdown {
  readonly source: SourceText;
  readonly blocks: readonly Block[];
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

const NESTED = new RegExp(
  `^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_NESTING + 1}}` +
    `|^[ \\t]{${4 * MAX_NESTING}}[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])[ \\t])`,
);

/** Parses the text from offset `from` on, without its HTML comments. Never throws. */
export function parseMarkdown(file: string, from = 0): Markdown {
  const source = sourceOf(file, from);
  const problem = problemOf(source);
  if (problem !== undefined) return { source, blocks: [], problem, openComments: [] };

  const blocks = blocksOf(source.text);
  if (!source.text.includes('<!--')) return { source, blocks, problem, openComments: [] };

  const { cuts, open } = commentsIn(blocks, source.text);
  const openComments = open.map((offset) => source.lineOf(offset));
  if (cuts.length === 0) return { source, blocks, problem, openComments };
  const visible = source.without(cuts);
  return { source: visible, blocks: blocksOf(visible.text), problem, openComments };
}

/** In the order of the document; the first holds what stands above all headings. */
export function sectionsOf(document: readonly Block[]): readonly Section[] {
  const sections: { -readonly [K in keyof Section]: Section[K] }[] = [
    { name: '', title: '', depth: 0, heading: undefined, blocks: [] },
  ];
  let blocks: Block[] = [];
  for (const block of document) {
    if (block.type !== 'heading') {
      blocks.push(block);
      continue;
    }
    const last = sections.at(-1);
    if (last) last.blocks = blocks;
    blocks = [];
    const title = plainText(block.raw);
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

/** The mark of a task: `[ ]`, `[x]`, `[~]`, `[]`, `[ x]`; a link is none. Only x and X mean done. */
function taskMarkOf(raw: string): { readonly done: boolean; readonly length: number } | undefined {
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
  const { raw } = first;
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

function nameOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/^\d{1,3}[.)、] */, '')
    .replace(/(?<=\p{L})#+$/u, '')
    .replace(/^(\*\*|__|\*|_)([^*_]+)\1(?= *[:：]?$)/, '$2')
    .replace(/ *[:：]$/, '');
}
