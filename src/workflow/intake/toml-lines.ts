/**
 * Reads the few keys of a TOML file that the survey needs, line by line. It is not a TOML parser: dates,
 * inline tables and multi-line strings are passed over, and a broken line costs only itself.
 */

export interface TomlLine {
  /** Name of the table it stands in, such as `tool.poetry`; empty above the first one. */
  readonly table: string;
  readonly key: string;
  /** As written, a list over several lines joined by spaces, without comments. */
  readonly value: string;
}

export interface TomlFile {
  readonly tables: ReadonlySet<string>;
  readonly lines: readonly TomlLine[];
}

/** A list that is never closed must not swallow the file. */
const MAX_LIST_LINES = 200;
/** What the survey needs stands near the top. */
const MAX_LINES = 5_000;

/** Never throws; linear in the length of the text. */
export function readToml(text: string): TomlFile {
  const tables = new Set<string>();
  const lines: TomlLine[] = [];
  const rows = text.split('\n', MAX_LINES);
  let table = '';
  for (let at = 0; at < rows.length; at++) {
    const row = withoutComment(rows[at] ?? '').trim();
    if (row.startsWith('[') && row.endsWith(']')) {
      table = row.replaceAll(/[[\]"'\s]/g, '');
      tables.add(table);
      continue;
    }
    const equals = row.indexOf('=');
    if (equals < 1) continue;
    const key = row.slice(0, equals).replaceAll(/["'\s]/g, '');
    const [value, end] = wholeValue(rows, at, row.slice(equals + 1).trim());
    at = end;
    lines.push({ table, key, value });
  }
  return { tables, lines };
}

/** Whether there is this table, or one inside of it. */
export function hasTable({ tables }: TomlFile, name: string): boolean {
  return [...tables].some((table) => table === name || table.startsWith(`${name}.`));
}

export function tomlValue(file: TomlFile, table: string, key: string): string | undefined {
  return file.lines.find((line) => line.table === table && line.key === key)?.value;
}

/** The quoted strings of a value. */
export function tomlStrings(value: string | undefined): string[] {
  const quoted = (value ?? '').matchAll(/"([^"]*)"|'([^']*)'/g);
  return [...quoted].map((match) => match[1] ?? match[2] ?? '');
}

/** The value and the number of its last line. */
function wholeValue(rows: readonly string[], start: number, first: string): [string, number] {
  const quote = ['"""', "'''"].find((mark) => first.startsWith(mark));
  if (quote !== undefined) return ['', endOfString(rows, start, quote)];
  if (!first.startsWith('[')) return [first, start];
  const parts = [first];
  let depth = bracketsOf(first);
  let at = start;
  while (depth > 0 && at + 1 < rows.length && at - start < MAX_LIST_LINES) {
    at++;
    const part = withoutComment(rows[at] ?? '').trim();
    depth += bracketsOf(part);
    parts.push(part);
  }
  return depth > 0 ? [first, start] : [parts.join(' '), at];
}

function endOfString(rows: readonly string[], start: number, quote: string): number {
  if ((rows[start] ?? '').split(quote).length > 2) return start;
  for (let at = start + 1; at < rows.length; at++) {
    if ((rows[at] ?? '').includes(quote)) return at;
  }
  return start;
}

function bracketsOf(text: string): number {
  let depth = 0;
  for (const character of withoutStrings(text)) {
    if (character === '[') depth++;
    if (character === ']') depth--;
  }
  return depth;
}

function withoutStrings(text: string): string {
  return text.replaceAll(/"[^"]*"|'[^']*'/g, '');
}

function withoutComment(line: string): string {
  if (!line.includes('#')) return line;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (quote === '' && character === '#') return line.slice(0, at);
    if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  return line;
}
