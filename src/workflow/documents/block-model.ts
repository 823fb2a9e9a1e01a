/** The blocks of a Markdown text, under the names that mdast gives them. Types only. */

/** Where it stands: offsets in the text that was parsed. */
export interface Span {
  readonly start: number;
  /** In front of the line end. */
  readonly end: number;
  /** Characters in front of it on its line. */
  readonly column: number;
}

export type Block = Paragraph | Heading | Code | Html | Break | Quote | List | Table;

/** A paragraph of ours, which stands nowhere. */
export interface Remark {
  readonly type: 'paragraph';
  /** As typed, without the white space around each line. */
  readonly raw: string;
}

export interface Paragraph extends Span, Remark {}

export interface Heading extends Span {
  readonly type: 'heading';
  readonly raw: string;
  /** 1 to 6. */
  readonly depth: number;
}

/** Fenced or indented. */
export interface Code extends Span {
  readonly type: 'code';
  /** The words behind the opening fence, the first apart from the others by one space. */
  readonly info: string;
  /** Each line ends with LF; nothing where there is no line. */
  readonly content: string;
}

export interface Html extends Span {
  readonly type: 'html';
  readonly content: string;
}

export interface Break extends Span {
  readonly type: 'thematicBreak';
}

export interface Quote extends Span {
  readonly type: 'blockquote';
  readonly children: readonly Block[];
}

export interface List extends Span {
  readonly type: 'list';
  readonly ordered: boolean;
  /** Number of the first item; 1 for bullets. */
  readonly first: number;
  /** A blank line stands between two of the items. */
  readonly spread: boolean;
  readonly children: readonly ListItem[];
}

export interface ListItem extends Span {
  readonly type: 'listItem';
  readonly children: readonly Block[];
}

export interface Table extends Span {
  readonly type: 'table';
  readonly columns: number;
  /** The first is the head; a row can have less or more cells than there are columns. */
  readonly rows: readonly (readonly Cell[])[];
}

export interface Cell {
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}
