/** `intent.md` from what an interview brought, and back into answers. Pure. */
import {
  addItems,
  hasGoal,
  type IntentList,
  printIntent,
  removeItems,
  setGoal,
} from './documents/intent.ts';
import type { Intent } from './documents/plan-model.ts';
import type { IntentDraft } from './intake/intent-draft.ts';
import type { Answer } from './intake/interview-model.ts';
import { slotOfQuestion } from './intake/open-questions.ts';
import { printScope } from './intake/scope-answer.ts';
import { readScopeLine, scopeLine } from './scope-line.ts';
import type { Change, Snapshot } from './session-dir.ts';

/** What an intent that is there already says, as answers. */
export function answersIn(intent: Intent): readonly Answer[] {
  const from = 'intent.md';
  const all = (slot: Answer['slot'], texts: readonly string[]): Answer[] =>
    texts.map((text) => ({ slot, text, from, isLiteral: true }));
  const scopes = intent.constraints.flatMap((text) => readScopeLine(text) ?? []);
  const others = intent.constraints.filter((text) => readScopeLine(text) === undefined);
  const criteria = intent.criteria.map(({ text }) => text);
  return [
    ...(hasGoal(intent) ? all('goal', [intent.goal]) : []),
    ...(scopes.length > 0 ? all('scope', [printScope(scopes)]) : []),
    ...all('criterion', criteria),
    ...all('non-goals', intent.nonGoals),
    ...all('constraints', others),
  ];
}

/** The scope stands among the constraints, where a person finds it and the plan's skeleton reads it. */
export function withScope(draft: IntentDraft): IntentDraft {
  const others = draft.constraints.filter((text) => readScopeLine(text) === undefined);
  const own = draft.scopes.length === 0 ? [] : [scopeLine(draft.scopes)];
  return { ...draft, constraints: [...own, ...others] };
}

export interface Stamp {
  /** The scope was answered anew: the line that is there does not count any more. */
  readonly replacesScope: boolean;
  readonly at: string;
  readonly routingHint: object;
  readonly maxRetries: number;
}

/** A new document, or what is new in one that is there. */
export function writeIntent(now: Snapshot, draft: IntentDraft, stamp: Stamp): Change {
  const { at, routingHint, maxRetries, replacesScope } = stamp;
  const text = now.texts['intent.md'];
  const limit = now.texts['mode.json'] === undefined ? { maxRetries } : {};
  const intent =
    text === undefined
      ? printIntent({
          sessionId: now.id,
          createdAt: at,
          ...draft,
          criteria: numbered(draft.criteria),
        })
      : mergeIntent(replacesScope ? withoutScope(text, draft) : text, now.intent, draft);
  return { files: { 'intent.md': intent }, mode: { routingHint: { ...routingHint }, ...limit } };
}

function withoutScope(text: string, { constraints }: IntentDraft): string {
  return removeItems(
    text,
    'constraints',
    (item) => readScopeLine(item) !== undefined && !constraints.includes(item),
  );
}

/** Adds what is new, takes answered questions away, and leaves every other line as the person wrote it. */
function mergeIntent(text: string, intent: Intent, draft: IntentDraft): string {
  const add = (merged: string, [section, items, known]: Addition) =>
    addItems(
      merged,
      section,
      items.filter((item) => !known.includes(item)),
    );
  const start = hasGoal(intent) || draft.goal === '' ? text : setGoal(text, draft.goal);
  const answered = removeItems(start, 'openQuestions', (item) => !isStillOpen(item, draft));
  const additions: readonly Addition[] = [
    ['clarifications', draft.clarifications, intent.clarifications],
    ['nonGoals', draft.nonGoals, intent.nonGoals],
    ['constraints', draft.constraints, intent.constraints],
    ['criteria', draft.criteria, intent.criteria.map((known) => known.text)],
    ['assumptions', draft.assumptions, intent.assumptions],
    ['openQuestions', draft.openQuestions, intent.openQuestions],
  ];
  return additions.reduce(add, answered);
}

type Addition = readonly [IntentList, readonly string[], readonly string[]];

/** A question of the person's own stays until they take it away. */
function isStillOpen(item: string, draft: IntentDraft): boolean {
  const slot = slotOfQuestion(item);
  return slot === undefined || draft.openQuestions.some((open) => slotOfQuestion(open) === slot);
}

function numbered(criteria: readonly string[]) {
  return criteria.map((text, index) => ({ id: `AC${index + 1}`, text }));
}
