/** What a schema does not take in a JSON document, for the person who typed it. Pure. */
import type * as z from 'zod';

type Path = readonly PropertyKey[];

interface Misfit {
  /** Counted from 1. */
  readonly line: number;
  /** As in `"tasks.0.status" must be one of pending, running`. */
  readonly problem: string;
}

/** @param value What the text holds. */
export function misfitOf(issue: z.core.$ZodIssue, text: string, value: unknown): Misfit {
  const name = issue.path.length === 0 ? 'the document' : `"${issue.path.join('.')}"`;
  const found = valueAt(value, issue.path);
  const problem = found === undefined ? `is missing${hintOf(issue)}` : `must be ${wantedBy(issue)}`;
  return { line: lineOf(text, issue.path), problem: `${name} ${problem}` };
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

function wantedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? `of type ${issue.expected}`;
  if (issue.code !== 'invalid_value') return `as the format says (${issue.message})`;
  const values = issue.values.map(String);
  return values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
}

function hintOf(issue: z.core.$ZodIssue): string {
  const isKnown = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  return isKnown ? `: it must be ${wantedBy(issue)}` : '';
}

function valueAt(value: unknown, path: Path): unknown {
  // Whatever JSON has below it, an index of it is a plain property.
  return path.reduce((at, key) => (at as Record<PropertyKey, unknown> | null)?.[key], value);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Line of the value at this path, or of the nearest one around it that is there.
 *
 * @param text JSON that can be parsed.
 */
function lineOf(text: string, path: Path): number {
  const wanted = path.map(String);
  const open: { key: string; readonly isList: boolean }[] = [];
  let best = { depth: -1, index: 0 };
  let awaitsKey = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const top = open.at(-1);
    if (token === '}' || token === ']') {
      open.pop();
      awaitsKey = false;
    } else if (token === ',') {
      awaitsKey = top?.isList === false;
      if (top?.isList === true) top.key = String(Number(top.key) + 1);
    } else if (token === ':') awaitsKey = false;
    else if (awaitsKey && top !== undefined) top.key = String(JSON.parse(token));
    else {
      const isOnWay = open.every(({ key }, depth) => key === wanted[depth]);
      if (isOnWay && open.length > best.depth) best = { depth: open.length, index };
      const isList = token === '[';
      if (isList || token === '{') open.push({ key: isList ? '0' : '', isList });
      awaitsKey = token === '{';
    }
  }
  return text.slice(0, best.index).split('\n').length;
}
