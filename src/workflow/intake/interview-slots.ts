/** Which slots of an interview are filled, and by whom. Pure. */
import { type Answer, type InterviewState, type Slot, SLOTS } from './interview-model.ts';
import { textsFor } from './interview-texts.ts';
import { isEverything, partsOfScope } from './scope-answer.ts';

interface SlotValue {
  readonly text: string;
  readonly from: string;
}

export type SlotState =
  | { readonly kind: 'missing' }
  /** The person wants no question about it; an assumption takes its place. */
  | { readonly kind: 'skipped' }
  /** Never asked: only risk words make a question of it. */
  | { readonly kind: 'assumed' }
  /** An earlier interview asked, and the question is gone from the document. */
  | { readonly kind: 'settled' }
  | {
      readonly kind: 'given';
      readonly by: 'person' | 'request';
      /** Empty when the answer was "none", or "the whole project" for the scope. */
      readonly values: readonly SlotValue[];
    };

const SKIP: ReadonlySet<string> = new Set(['', 'skip', '跳过', '略过']);
const NONE: ReadonlySet<string> = new Set([
  'none',
  'no',
  'nothing',
  'n/a',
  '-',
  '无',
  '没有',
  '不需要',
]);
const YES: ReadonlySet<string> = new Set([
  'yes',
  'y',
  'ok',
  'recommended',
  '好',
  '是',
  '可以',
  '推荐',
  '建议',
]);
/** Whether an answer to the question for a scope names paths at all. */
export function namesPaths({ slot, text, isLiteral }: Answer): boolean {
  const word = text.trim().toLowerCase();
  if (slot !== 'scope' || SKIP.has(word) || isEmptyAnswer(slot, text)) return false;
  return isLiteral === true || !YES.has(word);
}

/** The state of one slot. `recommended` is what a bare "yes" stands for. */
export function slotState(state: InterviewState, slot: Slot, recommended?: string): SlotState {
  const answers = state.answers.filter((answer) => answer.slot === slot);
  const values = answers.flatMap((answer) => valuesOf(answer, slot, recommended));
  if (values.length > 0) {
    const kept = slot === 'goal' ? values.slice(-1) : values;
    return { kind: 'given', by: 'person', values: kept };
  }
  if (answers.some(({ text }) => isEmptyAnswer(slot, text))) {
    return { kind: 'given', by: 'person', values: [] };
  }
  const said = fromRequest(state, slot);
  if (said.length > 0) return { kind: 'given', by: 'request', values: said };
  // Without a goal there is nothing to plan, so that one cannot be skipped.
  if (answers.length > 0 && slot !== 'goal') return { kind: 'skipped' };
  if (state.settled?.includes(slot)) return { kind: 'settled' };
  const isOptional = slot === 'non-goals' || slot === 'constraints';
  return { kind: isOptional && state.anchors.risks.length === 0 ? 'assumed' : 'missing' };
}

/** Slots that still need a question, in the order in which they are asked. */
export function missingSlots(state: InterviewState): Slot[] {
  return SLOTS.filter((slot) => slotState(state, slot).kind === 'missing');
}

/** Paths of the request that can be a scope: inside the project, as far as their text shows. */
export function namedPaths({ anchors }: InterviewState): string[] {
  const outside = /^(?:\/|~|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/;
  return anchors.paths
    .filter((path) => !outside.test(path))
    .map((path) => path.replace(/^\.\//, ''));
}

function valuesOf(
  { text, from, isLiteral }: Answer,
  slot: Slot,
  recommended: string | undefined,
): SlotValue[] {
  const word = text.trim().toLowerCase();
  if (SKIP.has(word) || isEmptyAnswer(slot, text)) return [];
  const isYes = isLiteral !== true && YES.has(word) && recommended !== undefined;
  const said = isYes ? recommended : text;
  return partsOf(said, slot).map((part) => ({ text: part, from }));
}

/** A scope is a list of paths, a goal is kept as it is; of the others each line is one item. */
function partsOf(text: string, slot: Slot): readonly string[] {
  if (slot === 'goal') return [text.trim()];
  if (slot === 'scope') return partsOfScope(text);
  return text
    .split(/[\n\r]+/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .map((part) => part.replace(/^(?:[-*+]|\d{1,3}[.)]|AC\d{1,3}:) +/, ''))
    .filter((part) => part !== '');
}

function isEmptyAnswer(slot: Slot, text: string): boolean {
  const word = text.trim().toLowerCase();
  if (slot === 'scope') return isEverything(text);
  return (slot === 'non-goals' || slot === 'constraints') && NONE.has(word);
}

function fromRequest(state: InterviewState, slot: Slot): SlotValue[] {
  const { anchors } = state;
  const from = textsFor(anchors.language).request;
  const lists: Readonly<Record<Slot, readonly string[]>> = {
    goal: anchors.goal === undefined ? [] : [anchors.goal],
    scope: anchors.scopes.length > 0 ? anchors.scopes : namedPaths(state),
    criterion: anchors.criteria,
    'non-goals': anchors.nonGoals,
    constraints: anchors.constraints,
  };
  return lists[slot].map((text) => ({ text, from }));
}
