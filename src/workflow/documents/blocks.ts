/** Markdown as blocks. The only module that may import the Markdown parser. */
import MarkdownIt, { type Token } from 'markdown-it';
import type { Block, Cell, List, ListItem, Span, Table } from './block-model.ts';

/** In levels of tokens; `markdown.ts` lets through what needs less. */
const MAX_NESTING = 1_000;

// Inside a line nothing is parsed: links and definitions stay visible text, stars stay stars.
const PARSER = new MarkdownIt('commonmark', { maxNesting: MAX_NESTING });
PARSER.enable('table').disable('reference');
PARSER.core.ruler.enableOnly(['normalize', 'block']);

const CELL = /(?<typed>(?:\\[\\|]?|[^\\|]+)*)(?<pipe>\||$)/g;

/** @param text With LF as line ends. */
export function blocksOf(text: string): readonly Block[] {
  return new BlockReader(text).read();
}

/** What a block stands in. */
interface Container {
  /** Where it begins, counted from 0. */
  readonly line: number;
  /** Offset behind its sign on that line. */
  readonly inner: number;
  /** How many `>` begin each further line. */
  readonly quotes: number;
}

/** The parser tells lines. Where in its line a block begins is found behind the signs of what it stands in. */
class BlockReader {
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    this.#tokens = PARSER.parse(text, {});
  }

  read(): readonly Block[] {
    return this.#childrenOf({ line: -1, inner: 0, quotes: 0 });
  }

  #childrenOf(container: Container): readonly Block[] {
    return this.#untilClosed((token) => this.#blockOf(token, container));
  }

  #take(): Token | undefined {
    return this.#tokens[this.#next++];
  }

  #untilClosed<T>(read: (token: Token) => T): readonly T[] {
    const found: T[] = [];
    for (;;) {
      const token = this.#take();
      if (token === undefined || token.nesting < 0) return found;
      found.push(read(token));
    }
  }

  #blockOf(token: Token, container: Container): Block {
    const span = this.#spanOf(token, container);
    switch (token.type) {
      case 'paragraph_open':
        return { type: 'paragraph', raw: this.#rawText(), ...span };
      case 'heading_open':
        return {
          type: 'heading',
          depth: Number(token.tag.slice(1)),
          raw: this.#rawText(),
          ...span,
        };
      case 'fence':
      case 'code_block':
        return { type: 'code', info: infoOf(token), content: token.content, ...span };
      case 'html_block':
        return { type: 'html', content: token.content, ...span };
      case 'hr':
        return { type: 'thematicBreak', ...span };
      case 'blockquote_open': {
        const within = { line: lineOf(token), inner: span.start + 1, quotes: container.quotes + 1 };
        return { type: 'blockquote', children: this.#childrenOf(within), ...span };
      }
      case 'bullet_list_open':
      case 'ordered_list_open':
        return this.#listOf(token, span, container);
      case 'table_open':
        return this.#tableOf(span, container);
      default:
        throw new Error(`The Markdown parser gave a token "${token.type}"`);
    }
  }

  #listOf(token: Token, span: Span, { quotes }: Container): List {
    const within = { line: lineOf(token), inner: span.start, quotes };
    const children = this.#untilClosed((item) => this.#itemOf(item, within));
    const isApart = ({ end }: ListItem, next: ListItem | undefined) =>
      next !== undefined && this.#text.slice(end + 1, next.start).includes('\n');
    return {
      type: 'list',
      ordered: token.type === 'ordered_list_open',
      first: Number(token.attrGet('start') ?? 1),
      spread: children.some((item, index) => isApart(item, children[index + 1])),
      children,
      ...span,
      end: children.at(-1)?.end ?? span.end,
    };
  }

  #itemOf(token: Token, list: Container): ListItem {
    const span = this.#spanOf(token, list);
    // Digits, if any, and the sign itself.
    const inner = span.start + token.info.length + 1;
    const within = { line: lineOf(token), inner, quotes: list.quotes };
    const children = this.#childrenOf(within);
    const end = children.at(-1)?.end ?? this.#endOfLine(within.line);
    return { type: 'listItem', children, ...span, end };
  }

  #tableOf(span: Span, container: Container): Table {
    const rows: (readonly Cell[])[] = [];
    let columns = 0;
    // Its cells are read from the line: the parser leaves out those that are too many.
    for (let token = this.#take(); token !== undefined; token = this.#take()) {
      if (token.type === 'table_close') break;
      if (token.type === 'th_open') columns++;
      if (token.type === 'tr_open') rows.push(cellsOf(this.#text, this.#spanOf(token, container)));
    }
    return { type: 'table', columns, rows, ...span };
  }

  /** The text of a block that holds nothing else. */
  #rawText(): string {
    const raw = this.#tokens[this.#next]?.content ?? '';
    this.#next += 2;
    return raw.replaceAll(/(?<![ \t])[ \t]*\n[ \t]*/g, '\n');
  }

  #spanOf({ map }: Token, { line, inner, quotes }: Container): Span {
    const [first, end] = map ?? [0, 0];
    const lineStart = this.#lineStarts[first] ?? 0;
    let start = this.#behindBlanks(first === line ? inner : lineStart);
    if (first !== line) {
      for (let count = 0; count < quotes; count++) start = this.#behindBlanks(start + 1);
    }
    const column = start - lineStart;
    return { start, end: this.#endOfLine(end - 1), column };
  }

  #behindBlanks(offset: number): number {
    let at = offset;
    while (' \t'.includes(this.#text.charAt(at)) && at < this.#text.length) at++;
    return at;
  }

  #endOfLine(line: number): number {
    const next = this.#lineStarts[line + 1];
    return next === undefined ? this.#text.length : next - 1;
  }
}

/** Apart at each pipe that no backslash makes a part of the text; a pipe at the edge is a frame. */
function cellsOf(
  text: string,
  row: { readonly start: number; readonly end: number },
): readonly Cell[] {
  const cells: Cell[] = [];
  for (const { index, groups } of text.slice(row.start, row.end).matchAll(CELL)) {
    const { typed = '', pipe } = groups ?? {};
    const raw = withoutBlanks(typed);
    const isFrame = raw === '' && (index === 0 || pipe === '');
    const start = row.start + index + typed.length - typed.replace(/^[ \t]+/, '').length;
    if (!isFrame) cells.push({ raw, start, end: start + raw.length });
  }
  return cells;
}

function infoOf({ info }: Token): string {
  return withoutBlanks(info).replace(/[ \t]+/, ' ');
}

/** Other white space stays: it could hide something. */
function withoutBlanks(text: string): string {
  return text.replaceAll(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
}

function lineOf({ map }: Token): number {
  return map?.[0] ?? 0;
}
