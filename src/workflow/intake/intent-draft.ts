import { isScopeByName, assumptionsFor, nextQuestions, recommendedFor } from './interview.ts';
import type { InterviewState, Slot } from './interview-model.ts';
import { printOpenQuestion } from './interview-input.ts';
import { type SlotState, slotState } from './interview-slots.ts';
import { textsFor } from './interview-texts.ts';

/** The content of `intent.md`, each text one line. */
export interface IntentDraft {
  /** Empty while it is still an open question. */
  readonly goal: string;
  /** Each with its source: `Scope? → src/cli (from --scope)`. */
  readonly clarifications: readonly string[];
  readonly nonGoals: readonly string[];
  readonly constraints: readonly string[];
  readonly criteria: readonly string[];
  readonly assumptions: readonly string[];
  /** As `readOpenQuestions` reads them back, once the person has written behind the arrows. */
  readonly openQuestions: readonly string[];
  /** Paths or phrases that limit the work; empty for the whole project. */
  readonly scopes: readonly string[];
}

/** Puts together what the request says and what was answered. What is neither becomes a question or an assumption. */
export function answersToIntent(state: InterviewState): IntentDraft {
  const { anchors } = state;
  const of = (slot: Slot) => slotState(state, slot, recommendedFor(state, slot));
  const listOf = (slot: Slot, said: readonly string[]) => unique([...said, ...textsOf(of(slot))]);
  return {
    goal: textsOf(of('goal'))[0] ?? '',
    clarifications: clarificationsOf(state),
    nonGoals: listOf('non-goals', anchors.nonGoals),
    constraints: listOf('constraints', anchors.constraints),
    criteria: listOf('criterion', anchors.criteria),
    assumptions: assumptionsFor(state),
    openQuestions: nextQuestions(state).map((question) =>
      printOpenQuestion(question, anchors.language),
    ),
    scopes: scopesOf(state),
  };
}

/** Answers of the person, then what they added, then the sentences of the request without another place. */
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
    lines.push(texts.from(`${texts.labels[slot]} → ${textsOf(found).join(', ') || empty}`, from));
  }
  const added = answers.filter(({ slot, text }) => slot === 'clarification' && text.trim() !== '');
  for (const { text, from } of added) lines.push(texts.from(oneLine(text), from));
  for (const sentence of anchors.context) lines.push(texts.from(sentence, texts.request));
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
  if (scope.kind === 'skipped') return recommended?.split(', ') ?? [];
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
