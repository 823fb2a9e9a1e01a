import { isScopeByName, assumptionsFor, nextQuestions, recommendedFor } from './interview.ts';
import type { InterviewState, Slot } from './interview-model.ts';
import { printOpenQuestion } from './interview-input.ts';
import { type SlotState, slotState } from './interview-slots.ts';
import { textsFor } from './interview-texts.ts';
import { partsOfScope } from './scope-answer.ts';

/** One thing that is now part of the intent, and who said it. */
export interface Said {
  readonly slot: Exclude<Slot, 'goal'>;
  readonly text: string;
  readonly from: string;
}

/** The content of `intent.md`, each text one line, but for the goal. */
export interface IntentDraft {
  /** All that was asked, in its own words; empty while it is still an open question. */
  readonly goal: string;
  /** Each with its source: `Scope? → src/cli (from --scope)`. */
  readonly clarifications: readonly string[];
  readonly nonGoals: readonly string[];
  readonly constraints: readonly string[];
  readonly criteria: readonly string[];
  readonly assumptions: readonly string[];
  /** As `readOpenQuestions` reads them back, once the person has written behind the arrows. */
  readonly openQuestions: readonly string[];
  /** Paths that limit the work; empty for the whole project. */
  readonly scopes: readonly string[];
  /** Scope, criteria, non-goals and constraints with their sources, for a screen. */
  readonly said: readonly Said[];
}

/** Puts together what the request says and what was answered. What is neither becomes a question or an assumption. */
export function answersToIntent(state: InterviewState): IntentDraft {
  const { anchors } = state;
  const of = (slot: Slot) => slotState(state, slot, recommendedFor(state, slot));
  const listOf = (slot: Slot, said: readonly string[]) => unique([...said, ...textsOf(of(slot))]);
  return {
    goal: wholeGoal(state, of('goal')),
    clarifications: clarificationsOf(state),
    nonGoals: listOf('non-goals', anchors.nonGoals),
    constraints: listOf('constraints', anchors.constraints),
    criteria: listOf('criterion', anchors.criteria),
    assumptions: assumptionsFor(state),
    openQuestions: nextQuestions(state).map((question) =>
      printOpenQuestion(question, anchors.language),
    ),
    scopes: scopesOf(state),
    said: saidIn(state),
  };
}

/** What was typed as the request is the goal, whatever else is read out of it. */
function wholeGoal({ anchors }: InterviewState, goal: SlotState): string {
  if (goal.kind !== 'given') return '';
  return goal.by === 'request' ? anchors.request : (goal.values[0]?.text ?? '');
}

function saidIn(state: InterviewState): Said[] {
  const { anchors } = state;
  const { request, wholeProject } = textsFor(anchors.language);
  const read = {
    scope: [],
    criterion: anchors.criteria,
    'non-goals': anchors.nonGoals,
    constraints: anchors.constraints,
  } as const;
  const slots = ['scope', 'criterion', 'non-goals', 'constraints'] as const;
  return slots.flatMap((slot) => {
    const found = slotState(state, slot, recommendedFor(state, slot));
    const given = found.kind === 'given' ? found.values : [];
    if (slot === 'scope' && found.kind === 'given' && given.length === 0) {
      return [{ slot, text: wholeProject, from: sourcesOf(state, slot, found) }];
    }
    const texts = new Map(read[slot].map((text) => [text, request]));
    for (const { text, from } of given) if (!texts.has(text)) texts.set(text, from);
    return [...texts].map(([text, from]) => ({ slot, text, from }));
  });
}

/** Answers of the person, then what they added. What the request says stands in the goal. */
function clarificationsOf(state: InterviewState): string[] {
  const { anchors, answers } = state;
  const texts = textsFor(anchors.language);
  const lines: string[] = [];
  for (const slot of ['goal', 'scope', 'criterion', 'non-goals', 'constraints'] as const) {
    const found = slotState(state, slot, recommendedFor(state, slot));
    if (found.kind !== 'given') continue;
    // What the request says has its own section already; the scope has none.
    if (found.by === 'request' && slot !== 'scope') continue;
    const empty = slot === 'scope' ? texts.wholeProject : texts.none;
    const from = sourcesOf(state, slot, found);
    const said = oneLine(textsOf(found).join(', '));
    lines.push(texts.from(`${texts.labels[slot]} → ${said || empty}`, from));
  }
  const added = answers.filter(({ slot, text }) => slot === 'clarification' && text.trim() !== '');
  for (const { text, from } of added) lines.push(texts.from(oneLine(text), from));
  return unique(lines);
}

function sourcesOf({ answers }: InterviewState, slot: Slot, found: SlotState): string {
  const used = found.kind === 'given' ? found.values.map(({ from }) => from) : [];
  const named = answers.filter((answer) => answer.slot === slot).map(({ from }) => from);
  return unique(used.length > 0 ? used : named).join(', ');
}

function scopesOf(state: InterviewState): string[] {
  const recommended = recommendedFor(state, 'scope');
  const scope = slotState(state, 'scope', recommended);
  if (scope.kind === 'skipped') return [...partsOfScope(recommended ?? '')];
  const scopes = textsOf(scope);
  // A change of a named file nearly always changes its tests.
  return unique(isScopeByName(state) ? [...scopes, ...state.survey.testFolders] : scopes);
}

function textsOf(found: SlotState): string[] {
  return found.kind === 'given' ? found.values.map(({ text }) => text) : [];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
