/** Changes single lines of `intent.md`, and no other byte. Pure. */
import { CcError } from '../../kernel/base/errors.ts';
import type { List, ListItem } from './block-model.ts';
import { bodyStartOf } from './front-matter.ts';
import { escapeInline, escapeLine } from './inline.ts';
import { parseIntent } from './read-intent.ts';
import { INTENT_LISTS, INTENT_TITLES, type IntentList, intentPartOf } from './intent-sections.ts';
import { isPlaceholder, itemsOf } from './list-items.ts';
import {
  isList,
  leadOf,
  type Markdown,
  parseMarkdown,
  type Section,
  sectionsOf,
} from './markdown.ts';
import { namedCriterion } from './criterion-ids.ts';
import {
  applyEdits,
  eolOf,
  insertBehind,
  insertSection,
  linesOf,
  rangeOf,
  type TextEdit,
} from './text-edits.ts';

const NONE_YET = '_(none yet)_';
const ORDER = ['goal', ...INTENT_LISTS] as const;

interface Opened {
  readonly file: string;
  readonly markdown: Markdown;
  readonly sections: readonly Section[];
}

/**
 * Adds bullets to a section, which is made in its place when it is missing. A criterion without an id gets the
 * next free one.
 *
 * @throws {CcError} `SESSION_DAMAGED` when the result would not say what was meant.
 */
export function addItems(text: string, section: IntentList, items: readonly string[]): string {
  const wanted = items.filter((item) => item.trim() !== '');
  if (wanted.length === 0) return text;
  const opened = open(text);
  const lines = (section === 'criteria' ? withIds(text, wanted) : wanted).map(escapeLine);
  const edited = applyEdits(text, [additionOf(opened, section, lines)]);
  const before = parseIntent(text)[section].length;
  return meant(edited, parseIntent(edited)[section].length === before + wanted.length);
}

/**
 * Takes the items out for which `predicate` holds; it sees their text as `parseIntent` gives it.
 *
 * @throws {CcError} `SESSION_DAMAGED` when the result would not say what was meant.
 */
export function removeItems(
  text: string,
  section: IntentList,
  predicate: (item: string) => boolean,
): string {
  const opened = open(text);
  const own = opened.sections.filter((found) => intentPartOf(found) === section);
  const items = itemsOf(own.flatMap(({ blocks }) => blocks));
  const gone = items.filter((item) => predicate(seenBy(section, item.text)));
  if (gone.length === 0) return text;

  const eol = eolOf(text);
  const edits = gone.map(({ node }, index): TextEdit => {
    const range = linesOf(text, opened.markdown, node);
    const stays = gone.length === items.length && index === 0;
    const hasEol = /[\r\n]$/.test(text.slice(range.start, range.end));
    if (stays) return { ...range, text: NONE_YET + (hasEol ? eol : '') };
    return { start: range.start, end: behindGap(text, range), text: '' };
  });
  const edited = applyEdits(text, edits);
  const before = parseIntent(text)[section].length;
  return meant(edited, parseIntent(edited)[section].length === before - gone.length);
}

/**
 * Replaces the goal, or the placeholder in its place. Line breaks and lists in it are kept.
 *
 * @throws {CcError} `SESSION_DAMAGED` when the result would not say what was meant.
 */
export function setGoal(text: string, goal: string): string {
  const eol = eolOf(text);
  const { markdown, sections } = open(text);
  const lines = goalLines(goal);
  const section =
    sections.find((found) => intentPartOf(found) === 'goal') ??
    sections.find((found) => intentPartOf(found) === 'parentGoal');
  const [first] = section?.blocks ?? [];
  const last = section?.blocks.at(-1);
  let edit: TextEdit;
  if (first !== undefined && last !== undefined) {
    const end = rangeOf(markdown, last).end;
    edit = { start: rangeOf(markdown, first).start, end, text: lines.join(eol) };
  } else if (section?.heading !== undefined) {
    edit = insertBehind(text, markdown, { node: section.heading, lines: ['', ...lines] });
  } else edit = newSection({ file: text, markdown, sections }, 'goal', lines);

  const edited = applyEdits(text, [edit]);
  return meant(
    edited,
    parseIntent(edited).goal === parseIntent(`## Goal\n\n${lines.join('\n')}`).goal,
  );
}

/** Markdown for a text that somebody typed: lists stay lists, but nothing becomes a heading, a fence or a comment. */
export function goalLines(goal: string): readonly string[] {
  return goal
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split('\n')
    .map((line) => {
      const isSpecial = /^\s*(?:#{1,6}(?:\s|$)|=+\s*$|-+\s*$|~~~)/.test(line);
      return isSpecial ? escapeLine(line) : escapeInline(line);
    });
}

function open(file: string): Opened {
  const markdown = parseMarkdown(file, bodyStartOf(file));
  return { file, markdown, sections: sectionsOf(markdown.blocks) };
}

function additionOf(opened: Opened, part: IntentList, texts: readonly string[]): TextEdit {
  const { file, markdown, sections } = opened;
  const section = sections.find((found) => intentPartOf(found) === part);
  const bullets = texts.map((text) => `- ${text}`);
  if (section?.heading === undefined) return newSection(opened, part, bullets);

  const { blocks, heading } = section;
  const placeholder = blocks.find(
    (block) => block.type === 'paragraph' && isPlaceholder(block.raw),
  );
  if (placeholder !== undefined) {
    return { ...rangeOf(markdown, placeholder), text: bullets.join(eolOf(file)) };
  }
  const list = blocks.findLast(isList);
  const item = list?.children.at(-1);
  if (list !== undefined && item !== undefined) {
    if (isPlaceholder(leadOf(item).raw)) {
      return { ...rangeOf(markdown, item), text: bullets.join(eolOf(file)) };
    }
    return insertBehind(file, markdown, {
      node: item,
      lines: continued(list, item, { markdown, texts }),
    });
  }
  return insertBehind(file, markdown, { node: blocks.at(-1) ?? heading, lines: ['', ...bullets] });
}

/** New items with the indentation and the sign of the last one; numbers go on. */
function continued(
  { children, spread }: List,
  item: ListItem,
  { markdown, texts }: { readonly markdown: Markdown; readonly texts: readonly string[] },
): readonly string[] {
  const { text } = markdown.source;
  const { start, end } = item;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const sign = /^(?:[-*+]|\d{1,9}[.)])/.exec(text.slice(start, end))?.[0] ?? '-';
  const gap = spread && children.length > 1 ? [''] : [];
  return texts.flatMap((line, index) => {
    const next = sign.replace(/^\d+/, (number) => String(Number(number) + index + 1));
    return [...gap, `${indent.trim() === '' ? indent : ''}${next} ${line}`];
  });
}

function newSection(
  { file, markdown, sections }: Opened,
  part: 'goal' | IntentList,
  body: readonly string[],
): TextEdit {
  const later = new Set<string>(ORDER.slice(ORDER.indexOf(part) + 1));
  const before = sections.find((found) => later.has(intentPartOf(found) ?? ''))?.heading;
  const lines = [`## ${INTENT_TITLES[part]}`, '', ...body];
  return insertSection(file, markdown, { before, lines });
}

function withIds(text: string, items: readonly string[]): readonly string[] {
  const taken = new Set(parseIntent(text).criteria.map(({ id }) => id));
  let number = 0;
  return items.map((item) => {
    if (namedCriterion(item) !== undefined) return item;
    do number++;
    while (taken.has(`AC${number}`));
    return `AC${number}: ${item}`;
  });
}

function seenBy(section: IntentList, text: string): string {
  return section === 'criteria' ? (namedCriterion(text)?.rest ?? text) : text;
}

/** With the blank lines behind it where there are some in front of it too. */
function behindGap(text: string, range: { readonly start: number; readonly end: number }): number {
  const isBelowGap = /(?:^|\n)\r?\n$/.test(text.slice(0, range.start));
  const gap = /^(?:[ \t]*\r?\n)+/.exec(text.slice(range.end))?.[0] ?? '';
  return isBelowGap ? range.end + gap.length : range.end;
}

function meant(edited: string, isMeant: boolean): string {
  if (isMeant) return edited;
  const message = 'intent.md cannot be edited in place; something in it swallows what stands below';
  throw new CcError('SESSION_DAMAGED', message, { hint: 'cc repair' });
}
