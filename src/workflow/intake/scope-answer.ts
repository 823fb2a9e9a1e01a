/** A scope as people type it: paths and globs, apart by commas, blanks or "and". */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { relativePathOf } from '../documents/relative-path.ts';

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '「': '」',
};
const APART = /[\s,，、;；]/;
const AND: ReadonlySet<string> = new Set(['and', '&', '+', '和', '与', '及', '以及', '或']);
/** 和 between two names in Latin letters stands for "and"; inside a Chinese name it is a part of it. */
const GLUED = /(?<=[\w./*)\]}-])(?:以及|和|与|及)(?=[\w./*([{-])/;

/** What a glob or a path has and a word of a sentence has not. */
const LOOKS_LIKE_PATH = /[/.*?[{_-]/;

const EVERYTHING: ReadonlySet<string> = new Set([
  '.',
  './',
  '*',
  '**',
  'all',
  'everything',
  'the whole project',
  'whole project',
  '全部',
  '整个项目',
  '所有',
]);

/** Whether the answer is "the whole project". */
export function isEverything(text: string): boolean {
  return EVERYTHING.has(text.trim().toLowerCase());
}

export interface BadPart {
  readonly part: string;
  /** Why, as words that follow the part. */
  readonly problem: string;
}

/** Each path once, quotes and marks of a list taken off. A path with a blank stands in quotes. */
export function partsOfScope(text: string): readonly string[] {
  const parts = wordsOf(text).flatMap(({ word, isQuoted }) => {
    if (isQuoted) return [word];
    if (AND.has(word.toLowerCase()) || /^(?:[-*+•]|\d{1,3}[.)])$/.test(word)) return [];
    return word.split(GLUED);
  });
  const clean = parts.map((part) => part.replaceAll(/\\(?=[\w.])/g, '/').trim());
  return [...new Set(clean.filter((part) => part !== ''))];
}

/** As `partsOfScope` reads it back. */
export function printScope(paths: readonly string[]): string {
  return paths.map((path) => (/[\s,，、;；]/.test(path) ? `"${path}"` : path)).join(', ');
}

/** What in it can be no scope: a place outside of the project, or words that are no path. */
export async function badPartOf(root: string, text: string): Promise<BadPart | undefined> {
  const parts = partsOfScope(text);
  for (const part of parts) {
    const path = relativePathOf(part);
    if (!path.ok) return { part, problem: path.problem };
    if (/[<>|"\u0000-\u001f]|[:!?？！。：]$/.test(part)) return { part, problem: 'is no path' };
  }
  const typed = wordsOf(text).filter(({ isQuoted }) => !isQuoted);
  const isSentence = typed.length > 1 && !/[,，、;；\n]/.test(text);
  for (const part of isSentence ? parts : []) {
    const isWord = !LOOKS_LIKE_PATH.test(part) && !(await exists(root, part));
    if (isWord) return { part, problem: 'is neither a path of this project nor a glob' };
  }
  return undefined;
}

/** Paths without a wildcard where nothing stands yet. */
export async function missingIn(
  root: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const missing = [];
  for (const path of paths) {
    if (!/[*?[\]{}]/.test(path) && !(await exists(root, path))) missing.push(path);
  }
  return missing;
}

async function exists(root: string, path: string): Promise<boolean> {
  return (await lstat(join(root, path)).catch(() => undefined)) !== undefined;
}

interface Word {
  readonly word: string;
  readonly isQuoted: boolean;
}

/** Commas inside of `{a,b}` divide nothing. */
function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let word = '';
  let depth = 0;
  const unclosed = new Set<string>();
  const end = () => {
    if (word !== '') words.push({ word, isQuoted: false });
    word = '';
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    const closing = word === '' && !unclosed.has(sign) ? QUOTES[sign] : undefined;
    const close = closing === undefined ? -1 : text.indexOf(closing, at + 1);
    if (closing !== undefined && close === -1) unclosed.add(sign);
    if (close > at) {
      words.push({ word: text.slice(at + 1, close).trim(), isQuoted: true });
      at = close;
      continue;
    }
    if (sign === '{') depth++;
    if (sign === '}') depth = Math.max(0, depth - 1);
    if (APART.test(sign) && (depth === 0 || /\s/.test(sign))) {
      end();
      depth = 0;
    } else word += sign;
  }
  end();
  return words;
}
