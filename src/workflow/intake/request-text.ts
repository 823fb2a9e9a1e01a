/** Takes a request apart into statements: list items and sentences, each under its heading. Pure. */

export type Section = 'goal' | 'criteria' | 'non-goals' | 'constraints' | 'scope' | 'other';

export interface Statement {
  readonly text: string;
  /** What the heading above says; `undefined` without one. */
  readonly section: Section | undefined;
  /** An item of a list, as against a sentence. */
  readonly isItem: boolean;
}

const HEADINGS: Readonly<Record<Section, RegExp>> = {
  goal: /^(?:goals?|tasks?|requests?|objectives?|目标|任务|需求)$/,
  criteria:
    /^(?:acceptance(?: criteria)?|criteria|success criteria|(?:it is |it's )?done when|definition of done|dod|requirements?|expected(?: behaviou?r| result)?|验收(?:标准|条件)?|完成(?:条件|标准)|要求|预期(?:结果|行为)?|期望(?:结果|行为)?)$/,
  'non-goals':
    /^(?:non-?\s?goals?|out of scope|not in scope|not included|非目标|不包括|不包含|不在范围(?:内)?|范围外|不做)$/,
  constraints: /^(?:constraints?|limits?|limitations?|约束(?:条件)?|限制(?:条件)?)$/,
  scope: /^(?:(?:in )?scope|(?:修改|改动)?范围|仅限)$/,
  other:
    /^(?:steps to reproduce|to reproduce|reproduction|context|background|notes?|examples?|logs?|environment|(?:current|actual)(?: behaviou?r| result)?|see also|links?|复现(?:步骤|方法)?|背景|说明|备注|环境|例如|示例|日志|现状|实际(?:结果|行为)?)$/,
};
const SECTIONS = Object.keys(HEADINGS) as Section[]; // the keys of a record over Section

const LONGEST_HEADING = 40;
/** Characters; beyond it a full stop is a full stop. */
const MAX_JOINED = 1_000;
const ITEM =
  /^\s*(?:[-*+•·]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|\d{1,3}[、．]\s*|[(（]\d{1,3}[)）]\s*|[一二三四五六七八九十]{1,3}[、．.]\s*|[①-⑳]\s*)/;
const INLINE_NUMBER =
  /(^|[\s:：，,;；。])(?:(\d{1,2})[.)]\s|(\d{1,2})、|[(（](\d{1,2})[)）]|([①-⑳]))/g;
const FENCE = /^\s*(?:```|~~~)/;
const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？；])\s*|(?<=;)\s+/;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.$/i;

/** Linear in the length of the request. Blocks of code are quoted and not said. */
export function readRequest(request: string): readonly Statement[] {
  const statements: Statement[] = [];
  let section: Section | undefined;
  let fence = false;
  let afterBlank = false;
  for (const line of request.split(/\r\n|\n|\r/)) {
    if (FENCE.test(line)) fence = !fence;
    if (fence || FENCE.test(line)) continue;
    if (line.trim() === '') {
      afterBlank = true;
      continue;
    }
    if (isContinuation(line, afterBlank, statements.at(-1))) {
      extendLast(statements, line.trim());
      continue;
    }
    // A paragraph of its own ends what the heading began.
    if (afterBlank && !ITEM.test(line)) section = undefined;
    afterBlank = false;
    const [heading, rest] = splitHeading(line);
    if (heading !== undefined) section = heading;
    statements.push(...statementsOf(rest, section, heading !== undefined));
  }
  return statements;
}

/** A line that begins a list's item. */
export function isItem(line: string): boolean {
  return ITEM.test(line);
}

/** Sentences of one paragraph. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const part of text.split(SENTENCE_END)) {
    const last = sentences.at(-1);
    if (last !== undefined && last.length < MAX_JOINED && ABBREVIATION.test(last.slice(-10))) {
      sentences[sentences.length - 1] = `${last} ${part}`;
    } else if (part.trim() !== '') {
      sentences.push(part.trim());
    }
  }
  return sentences;
}

function isContinuation(line: string, afterBlank: boolean, last: Statement | undefined): boolean {
  return !afterBlank && last?.isItem === true && /^(?: {2}|\t)/.test(line) && !ITEM.test(line);
}

function extendLast(statements: Statement[], more: string): void {
  const last = statements.pop();
  if (last !== undefined) statements.push({ ...last, text: `${last.text} ${more}` });
}

/** `## Scope`, `Scope: …` or `**范围**：…`; the rest of the line is the section's first text. */
function splitHeading(line: string): [Section | undefined, string] {
  const bare = line.trim().replace(/^#{1,6}\s+/, '');
  const colon = /[:：]/.exec(bare.slice(0, LONGEST_HEADING + 1))?.index;
  const label = (colon === undefined ? bare : bare.slice(0, colon)).slice(0, LONGEST_HEADING + 1);
  const word = label.replace(ITEM, '').replaceAll(/[*_]/g, '').trim().toLowerCase();
  const section = SECTIONS.find((name) => HEADINGS[name].test(word));
  const isBareWord = colon === undefined && bare === line.trim();
  if (section === undefined || isBareWord) return [undefined, line];
  const rest = colon === undefined ? '' : bare.slice(colon + 1);
  return [section, rest.replace(/^\*\*/, '').trim()];
}

function statementsOf(line: string, section: Section | undefined, isUnder: boolean): Statement[] {
  const numbered = inlineItems(line);
  if (numbered !== undefined) {
    const [lead, ...items] = numbered;
    const opening = (lead ?? '').replace(/[:：]$/, '').trim();
    const [heading] = splitHeading(lead ?? '');
    const under = heading ?? section;
    const said = heading === undefined && opening !== '' ? sentences(opening, section) : [];
    return [...said, ...items.map((text) => ({ text, section: under, isItem: true }))];
  }
  if (ITEM.test(line)) return [{ text: line.replace(ITEM, '').trim(), section, isItem: true }];
  if (!isUnder || section === 'goal' || section === 'other') return sentences(line, section);
  // What stands beside a heading is its list, written in one line.
  const parts = line.split(/[;；]/).flatMap((part) => sentencesOf(part));
  return parts.map((text) => ({ text, section, isItem: true }));
}

function sentences(text: string, section: Section | undefined): Statement[] {
  return sentencesOf(text).map((sentence) => ({ text: sentence, section, isItem: false }));
}

/** `do this: 1. one 2. two` as [`do this:`, `one`, `two`]; only when the numbers count up from 1. */
function inlineItems(line: string): string[] | undefined {
  const marks: { readonly from: number; readonly to: number }[] = [];
  for (const match of line.matchAll(INLINE_NUMBER)) {
    const [whole, before = '', ...numbers] = match;
    const digits = numbers.find((number) => number !== undefined) ?? '';
    const value = /\d/.test(digits) ? Number(digits) : digits.charCodeAt(0) - 0x245f;
    if (value !== marks.length + 1) continue;
    marks.push({ from: match.index + before.length, to: match.index + whole.length });
  }
  if (marks.length < 2) return undefined;
  const ends = [...marks.slice(1).map(({ from }) => from), line.length];
  const items = marks.map(({ to }, at) => line.slice(to, ends[at]).trim());
  const clean = items.map((item) => item.replace(/[;；，,、]$/, '').trim());
  return [line.slice(0, marks[0]?.from).trim(), ...clean.filter((item) => item !== '')];
}
