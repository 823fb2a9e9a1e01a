/** What a statement of a request asks for, forbids or limits, English and Chinese. Pure. */
import { clip, prohibitionsIn, saysSomething } from './prohibitions.ts';
import type { Section, Statement } from './request-text.ts';
import { leftOutIn, type ScopePhrase, takeScopes } from './scope-phrases.ts';

/** One statement may say several things: a goal with a non-goal in its second half. */
export interface Clauses {
  readonly criteria: readonly string[];
  readonly nonGoals: readonly string[];
  readonly constraints: readonly string[];
  /** What stands behind words such as "only in". */
  readonly scopes: readonly ScopePhrase[];
  /** Nothing is left of the statement that says what to do. */
  readonly isConsumed: boolean;
  /** It says where the work ends, or what stays as it is, and no more. */
  readonly isLimit: boolean;
}

const CRITERION = /\b(?:must|should|shall)\b/i;
/** An opinion about what to do, not about what the result does. */
const SUGGESTION = /\b(?:we|you|i) (?:must|should|shall)\b|(?:我们?|你们?|咱们)(?:必须|应该|应当)/i;
const CHINESE_CRITERION = /必须|应该|应当|务必/;
const DONE_WHEN =
  /\b(?:done|finished|complete) (?:when|once|if)\b[:,]?|(?:完成(?:条件|标准)|验收(?:标准|条件))(?:是|为|[:：])?/i;

/** Reads one statement. An item of a list that forbids and limits nothing is a criterion. */
export function readClauses({ text, section, isItem }: Statement): Clauses {
  const whole = clip(text);
  const bySection = section === undefined ? undefined : underHeading(section, whole);
  if (bySection !== undefined) return bySection;
  const { scopes, rest: unlimited } = takeScopes(text);
  const { nonGoals, constraints, rest, isTelling } = prohibitionsIn(unlimited);
  const leftOut = leftOutIn(text);
  const refused = leftOut === undefined ? nonGoals : [leftOut, ...nonGoals];
  const found = { nonGoals: refused, constraints, scopes, isLimit: false };
  const done = doneWhen(text);
  if (done !== undefined) return { ...found, criteria: [done.text], isConsumed: done.isWhole };
  if (rest === '' && scopes.length + nonGoals.length + constraints.length > 0) {
    return { ...found, criteria: [], isConsumed: true, isLimit: !isTelling };
  }
  const isAsked = /[?？]$/.test(whole);
  const isCriterion =
    isItem ||
    (!isAsked && !SUGGESTION.test(rest) && (CRITERION.test(rest) || CHINESE_CRITERION.test(rest)));
  return { ...found, criteria: isCriterion ? [whole] : [], isConsumed: isCriterion };
}

function underHeading(section: Section, text: string): Clauses | undefined {
  const none = { criteria: [], nonGoals: [], constraints: [], scopes: [] };
  const consumed = { ...none, isConsumed: true, isLimit: true };
  switch (section) {
    case 'criteria':
      return { ...consumed, criteria: [text], isLimit: false };
    case 'non-goals':
      return { ...consumed, nonGoals: [text] };
    case 'constraints':
      return { ...consumed, constraints: [text] };
    case 'scope':
      return { ...consumed, scopes: [{ text, isCommand: true }] };
    case 'goal':
    case 'other':
      return { ...none, isConsumed: false, isLimit: false };
  }
}

function doneWhen(text: string): { readonly text: string; readonly isWhole: boolean } | undefined {
  const match = DONE_WHEN.exec(text);
  if (match === null) return undefined;
  const rest = clip(text.slice(match.index + match[0].length).replace(/^[\s:：,，]+/, ''));
  const before = text.slice(0, match.index).replace(/\b(?:it is|it's|this is|the work is)\b/i, '');
  return rest === '' ? undefined : { text: rest, isWhole: !saysSomething(before) };
}
