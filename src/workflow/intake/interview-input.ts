/** The forms in which answers arrive without a prompt: JSON, flags, and the edited `intent.md`. */
import * as z from 'zod';
import { CcError } from '../../kernel/base/errors.ts';
import { isFillIn } from '../../kernel/base/fill-in.ts';
import { type Answer, type Question, type Slot, SLOTS } from './interview-model.ts';
import { textsFor } from './interview-texts.ts';
import { slotOfQuestion } from './open-questions.ts';
import type { RequestLanguage } from './request-language.ts';

/** Characters of JSON that are accepted. */
const MAX_INPUT = 1_000_000;
const HINT = 'cc deep-interview --help';

const text = z.string();
const textOrList = z.union([text, z.array(text)]);

/** What `cc deep-interview` reads from stdin. */
const intakeInputSchema = z.strictObject({
  goal: text.exactOptional(),
  scope: textOrList.exactOptional(),
  criteria: textOrList.exactOptional(),
  nonGoals: textOrList.exactOptional(),
  // As the questions are called.
  criterion: textOrList.exactOptional(),
  'non-goals': textOrList.exactOptional(),
  constraints: textOrList.exactOptional(),
  clarifications: textOrList.exactOptional(),
  /** By the id of the question. */
  answers: z
    .strictObject({
      goal: text.exactOptional(),
      scope: text.exactOptional(),
      criterion: text.exactOptional(),
      'non-goals': text.exactOptional(),
      constraints: text.exactOptional(),
    })
    .exactOptional(),
});

/**
 * Answers from a JSON document; `from` is `stdin`.
 *
 * @throws {CcError} `REQUEST_INVALID` naming the key that does not fit.
 */
export function parseIntakeJson(json: string): Answer[] {
  const parsed = intakeInputSchema.safeParse(jsonOf(json));
  if (!parsed.success) throw invalid(describe(parsed.error.issues[0]));
  const { goal, scope, criteria, nonGoals, constraints, clarifications, answers } = parsed.data;
  const from = 'stdin';
  const all = (slot: Answer['slot'], value: string | readonly string[] | undefined): Answer[] =>
    [value ?? []].flat().map((one) => ({ slot, text: inOwnWords(one, 'stdin'), from }));
  return [
    ...all('goal', goal),
    ...all('scope', scope),
    ...all('criterion', criteria),
    ...all('criterion', parsed.data.criterion),
    ...all('non-goals', nonGoals),
    ...all('non-goals', parsed.data['non-goals']),
    ...all('constraints', constraints),
    ...all('clarification', clarifications),
    ...SLOTS.flatMap((slot) => all(slot, answers?.[slot])),
  ];
}

/**
 * `--answer scope=src/cli`.
 *
 * @throws {CcError} `REQUEST_INVALID` when there is no such question.
 */
export function parseAnswerFlag(flag: string): Answer {
  const equals = flag.indexOf('=');
  const slot = slotNamed(equals === -1 ? flag : flag.slice(0, equals));
  if (equals === -1 || slot === undefined) {
    throw invalid(`--answer ${flag}: use <question>=<text>, with one of ${SLOTS.join(', ')}`);
  }
  const text = inOwnWords(flag.slice(equals + 1), `--answer ${slot}`);
  return { slot, text, from: '--answer' };
}

/**
 * A command that was copied from a screen still holds what only marks the place for words.
 *
 * @throws {CcError} `REQUEST_INVALID`.
 */
function inOwnWords(text: string, place: string): string {
  if (!isFillIn(text)) return text;
  throw invalid(`${place}: replace ${text.trim()} by your own words`);
}

/** Takes every recommendation; questions without one stay open. `from` is `--yes`. */
export function acceptRecommended(questions: readonly Question[]): Answer[] {
  return questions.flatMap(({ id, recommended }) =>
    recommended === undefined ? [] : [{ slot: id, text: recommended, from: '--yes' }],
  );
}

/** One item of Open Questions; the person writes behind its arrow. */
export function printOpenQuestion(question: Question, language: RequestLanguage): string {
  const { id, text: asked, recommended } = question;
  const texts = textsFor(language);
  const guess = recommended === undefined ? '' : ` ${texts.recommended(withoutArrow(recommended))}`;
  return `${id}: ${asked}${guess} ${ARROW}`;
}

/**
 * Answers from the items of Open Questions in an edited `intent.md`: behind the arrow, or in the lines
 * below it. Items without an answer, and items that are not ours, give none.
 *
 * @param items Text of each item, its further lines included.
 */
export function readOpenQuestions(items: readonly string[]): Answer[] {
  return items.flatMap((item) => {
    const slot = slotOfQuestion(item);
    const arrow = item.indexOf(ARROW);
    const line = item.indexOf('\n');
    if (slot === undefined || (arrow === -1 && line === -1)) return [];
    const answer = item.slice(arrow === -1 ? line : arrow + ARROW.length);
    const bare = answer
      .replace(/^\s*(?:[-*+]\s+)?(?:(?:answer|a)\s*[:：]|答案?\s*[:：])?/i, '')
      .trim();
    return bare === '' ? [] : [{ slot, text: bare, from: 'intent.md' }];
  });
}

const ARROW = '→';

function withoutArrow(recommended: string): string {
  return recommended.replaceAll(ARROW, '->');
}

function slotNamed(name: string): Slot | undefined {
  const clean = name.replaceAll(/[*_`[\]\s]/g, '').toLowerCase();
  return SLOTS.find((slot) => slot === clean);
}

function jsonOf(json: string): unknown {
  if (json.length > MAX_INPUT) throw invalid(`stdin is longer than ${MAX_INPUT} characters`);
  try {
    return JSON.parse(json.replace(/^\uFEFF/, '')) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CcError('REQUEST_INVALID', `stdin is not JSON: ${reason}`, { hint: HINT, cause });
  }
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'stdin does not fit';
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return `stdin: ${JSON.stringify([...path, key].join('.'))} is not a key`;
  }
  const at = path.length === 0 ? 'stdin' : `stdin: ${JSON.stringify(path.join('.'))}`;
  return `${at}: ${issue.message}`;
}

function invalid(message: string): CcError {
  return new CcError('REQUEST_INVALID', message, { hint: HINT });
}
