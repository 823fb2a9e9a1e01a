/** The bullets under a step: which are keys with a value, and which are prose. */
import type { Block, List, ListItem, Remark } from './block-model.ts';
import type { Findings } from './findings.ts';
import { isList, leadOf } from './markdown.ts';
import type { SourceText } from './source-text.ts';
import { guessKey, looksLikeKey, STEP_KEYS, type StepKey } from './step-keys.ts';
import type { RawValue } from './step-values.ts';

/** One bullet `- key: value`, with the nested bullets that are further values. */
export interface KeyBullet extends RawValue {
  readonly key: StepKey;
  /** The words of the key as typed. */
  readonly words: string;
  readonly nested: readonly RawValue[];
}

export interface Bullets {
  readonly keys: readonly KeyBullet[];
  readonly prose: readonly (Block | Remark)[];
}

const KEY =
  /^(?<open>\*\*|__|\*|_|)(?<words>\p{L}[\p{L}\p{N} _-]{0,29}?)(?:\k<open>[ \t]*[:：]|[:：]\k<open>)(?<rest>[^]*)$/u;
const MANY: ReadonlySet<StepKey> = new Set([
  'scope',
  'after',
  'verify',
  'done when',
  'criteria',
  'allow',
]);

/** Takes the keys out of a list under a step. A near miss is reported and stays prose. */
export function readBullets(list: List, source: SourceText, findings: Findings): Bullets {
  const keys: KeyBullet[] = [];
  const prose: (Block | Remark)[] = [];
  const remaining: ListItem[] = [];
  for (const item of list.children) {
    const line = source.lineOf(item.start);
    const { lead, stray } = withoutStray(item, source);
    const found = splitKey(lead);
    const guess = found === undefined ? undefined : guessKey(found.words);
    if (found === undefined || guess?.kind !== 'key') {
      if (found !== undefined) reportNoKey(found, { line, near: guess?.key }, findings);
      remaining.push(item);
      continue;
    }
    const below = nestedValues(leadOf(item).rest, MANY.has(guess.key), source);
    keys.push({ key: guess.key, words: found.words, raw: found.rest, line, nested: below.values });
    prose.push(...below.prose, ...stray);
  }
  if (remaining.length > 0) prose.unshift({ ...list, children: remaining });
  return { keys, prose };
}

function reportNoKey(
  { words, rest }: { readonly words: string; readonly rest: string },
  { line, near }: { readonly line: number; readonly near: StepKey | undefined },
  findings: Findings,
): void {
  if (near !== undefined) {
    findings.warn('near-miss', line, `'${words}' is not a key; did you mean '${near}'?`);
  } else if (looksLikeKey(words, rest)) {
    const message = `'${words}' is not a key, so this line is prose; keys are ${STEP_KEYS.join(', ')}`;
    findings.warn('unknown-key', line, message);
  }
}

/** The key in front of a colon, whether or not it is one of ours. */
export function splitKey(
  raw: string,
): { readonly words: string; readonly rest: string } | undefined {
  const { words, rest } = KEY.exec(raw)?.groups ?? {};
  return words === undefined || rest === undefined ? undefined : { words, rest };
}

export function paragraphOf(raw: string): Remark {
  return { type: 'paragraph', raw };
}

/**
 * Markdown lets a paragraph go on in a line that is not indented under its bullet. A person who writes
 * so means a remark on the step, not a longer value.
 */
function withoutStray(item: ListItem, source: SourceText) {
  const { raw } = leadOf(item);
  const [first] = item.children;
  if (first?.type !== 'paragraph') return { lead: raw, stray: [] };
  const typed = source.text.slice(first.start, first.end);
  if (!typed.includes('\n') || typed.includes('\t')) return { lead: raw, stray: [] };

  const lazy = typed
    .split('\n')
    .findIndex((line, index) => index > 0 && line.length - line.trimStart().length < first.column);
  if (lazy === -1) return { lead: raw, stray: [] };
  const lines = raw.split('\n');
  const stray = paragraphOf(lines.slice(lazy).join('\n'));
  return { lead: lines.slice(0, lazy).join('\n'), stray: [stray] };
}

function nestedValues(blocks: readonly Block[], isMany: boolean, source: SourceText) {
  const values: RawValue[] = [];
  const prose: Block[] = [];
  for (const block of blocks) {
    if (!isMany || !isList(block)) {
      prose.push(block);
      continue;
    }
    for (const item of block.children) {
      const { raw, rest } = leadOf(item);
      if (raw !== '') values.push({ raw, line: source.lineOf(item.start) });
      prose.push(...rest);
    }
  }
  return { values, prose };
}
