/** The block of keys on top of a document. Pure, and the only module that may import gray-matter. */
import matter from 'gray-matter';
import * as yaml from 'yaml';
import { CcError } from '../../kernel/base/errors.ts';

export type Scalar = string | number | boolean;

export type FrontMatter =
  | {
      readonly ok: true;
      readonly data: Readonly<Record<string, unknown>>;
      readonly body: string;
      /** Line of a top-level key in the file, counted from 1. */
      lineOf(key: string): number | undefined;
    }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Line in the file, counted from 1. */
      readonly line: number;
    };

interface Block {
  readonly keysStart: number;
  readonly keysEnd: number;
  readonly bodyStart: number;
}

class KeyFault extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Never throws. Text that begins like a block and is none is a problem, not a document without keys. */
export function readFrontMatter(text: string): FrontMatter {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('---', start)) {
    const body = text.slice(start);
    return { ok: true, data: {}, body, lineOf: () => undefined };
  }
  const block = blockOf(text);
  if (typeof block === 'string') return { ok: false, problem: block, line: 1 };

  const { keysStart, keysEnd, bodyStart } = block;
  const keys = text.slice(keysStart, keysEnd).replaceAll('\r\n', '\n');
  try {
    const { data, lines } = readKeys(keys);
    const lineOf = (key: string) => lines.get(key);
    return { ok: true, data, body: text.slice(bodyStart), lineOf };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const line = error instanceof KeyFault ? error.line : 1;
    return { ok: false, problem, line };
  }
}

/** Offset of what is to be read as Markdown: behind the block and a BOM, or everything when the block is broken. */
export function bodyStartOf(text: string): number {
  const block = text.replace(/^\uFEFF/, '').startsWith('---') ? blockOf(text) : '';
  if (typeof block !== 'string') return block.bodyStart;
  return text.startsWith('\uFEFF') ? 1 : 0;
}

/**
 * Sets keys and leaves every other byte alone: BOM, line ends, order, comments, unknown keys, the body.
 *
 * @throws {CcError} `SESSION_DAMAGED` when the block cannot be read, or would not say what was meant.
 */
export function setKeys(text: string, values: Readonly<Record<string, Scalar>>): string {
  const before = readFrontMatter(text);
  if (!before.ok) throw notEditable(`line ${before.line}: ${before.problem}`);

  let edited = typeof blockOf(text) === 'string' ? withEmptyBlock(text) : text;
  for (const [key, value] of Object.entries(values)) edited = setKey(edited, key, value);

  const after = readFrontMatter(edited);
  const meant = after.ok && sameKeys(after.data, { ...before.data, ...values });
  if (meant && before.body === after.body) return edited;
  throw notEditable('its keys are not plain lines');
}

/** The block, or what is wrong with a text that begins like one. Only a line that is exactly `---` is a fence. */
function blockOf(text: string): Block | string {
  const open = text.startsWith('\uFEFF') ? 1 : 0;
  const first = lineAt(text, open);
  if (first.words !== '---') return `'${first.words.slice(0, 20)}' does not open a block of keys`;

  let from = first.end;
  while (from < text.length) {
    const line = lineAt(text, from);
    if (line.words === '---') return { keysStart: first.end, keysEnd: from, bodyStart: line.end };
    from = line.end;
  }
  return 'The block of keys is not closed; end it with a line that is exactly ---';
}

function lineAt(text: string, from: number): { readonly words: string; readonly end: number } {
  const found = text.indexOf('\n', from);
  const end = found === -1 ? text.length : found + 1;
  let stop = found === -1 ? text.length : found;
  while (stop > from && ' \t\r'.includes(text.charAt(stop - 1))) stop--;
  return { words: text.slice(from, stop), end };
}

/**
 * @throws {KeyFault} with the line in the file
 */
function readKeys(keys: string) {
  const nul = keys.indexOf('\0');
  if (nul !== -1) throw new KeyFault('A NUL byte; this is not text', 2 + countLines(keys, nul));

  const lines = new Map<string, number>();
  const YAML = { parse: (block: string) => parseYaml(block, lines), stringify: never };
  const engines = { yaml: YAML, js: CODE, javascript: CODE, json: CODE, coffee: CODE };
  // Options, even equal ones on every call, keep gray-matter's shared cache out of play.
  const { data, content } = matter(`---\n${keys}---\n`, { language: 'yaml', engines });
  if (content !== '') {
    const dashes = `\n${keys}`.indexOf('\n---');
    throw new KeyFault('A line of keys begins with "---"', 2 + countLines(keys, dashes));
  }
  return { data, lines };
}

/** YAML 1.2 core: `yes` is a word, a duplicate key is an error; aliases are refused. Fills `lines`. */
function parseYaml(block: string, lines: Map<string, number>): Record<string, unknown> {
  // The block begins with the line end of the opening fence, so that its lines are the file's.
  const lineAtOffset = (offset: number) => 1 + countLines(block, offset);
  const document = yaml.parseDocument(block, { prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) throw new KeyFault(error.message, lineAtOffset(error.pos[0]));
  yaml.visit(document, {
    Alias(_key, alias) {
      throw new KeyFault('Aliases are not read here', lineAtOffset(alias.range?.[0] ?? 0));
    },
  });
  if (!yaml.isMap(document.contents)) throw new KeyFault('This is not a list of keys', 2);
  for (const { key } of document.contents.items) {
    if (yaml.isScalar(key) && key.range) lines.set(String(key.value), lineAtOffset(key.range[0]));
  }
  // A map at the top becomes a plain object.
  return document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
}

function setKey(text: string, key: string, value: Scalar): string {
  const block = blockOf(text);
  if (typeof block === 'string') throw notEditable(block);
  const { keysStart, keysEnd } = block;
  const keys = text.slice(keysStart, keysEnd);
  const found = yaml.parseDocument(keys, { logLevel: 'error' }).get(key, true);
  const range = yaml.isNode(found) ? found.range : undefined;
  if (range) {
    const [from, to] = range;
    if (keys.slice(from, to).includes('\n')) throw notEditable(`${key} has several lines`);
    const head = text.slice(0, keysStart + from);
    return head + (head.endsWith(':') ? ' ' : '') + print(value) + text.slice(keysStart + to);
  }
  const line = `${key}: ${print(value)}${lineEndOf(text)}`;
  return text.slice(0, keysEnd) + line + text.slice(keysEnd);
}

/** On one line, whatever it holds. */
function print(value: Scalar): string {
  // JSON is YAML, and never folds; needed only for what a plain value cannot hold.
  if (typeof value === 'string' && /[\p{Cc}\u2028\u2029\uFEFF]/u.test(value)) {
    return JSON.stringify(value);
  }
  return yaml.stringify(value, { lineWidth: 0 }).trimEnd();
}

function withEmptyBlock(text: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const eol = lineEndOf(text);
  return `${mark}---${eol}---${eol}${text.slice(mark.length)}`;
}

function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

function countLines(text: string, until: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < until; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}

function sameKeys(a: object, b: object): boolean {
  const sorted = (value: object) => yaml.stringify(value, { sortMapEntries: true });
  return sorted(a) === sorted(b);
}

function notEditable(problem: string): CcError {
  const message = `Cannot edit the front matter: ${problem}`;
  return new CcError('SESSION_DAMAGED', message, { hint: 'cc repair' });
}

function never(): never {
  throw new Error('Only YAML is read here');
}

const CODE = { parse: never, stringify: never };
