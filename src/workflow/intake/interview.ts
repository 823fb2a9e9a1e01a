/** What to ask about a request, and what to assume instead. Pure. */
import { headlineOf } from './headline.ts';
import type { InterviewState, Question, Slot } from './interview-model.ts';
import { missingSlots, namedPaths, slotState } from './interview-slots.ts';
import { textsFor } from './interview-texts.ts';
import { printScope } from './scope-answer.ts';

/** Choices that fit on a screen. */
const MAX_OPTIONS = 8;

/**
 * Goal, scope and one criterion, each only when neither request nor answers give it; with risk words also
 * non-goals and constraints. In the order in which they should be asked.
 */
export function nextQuestions(state: InterviewState): Question[] {
  return missingSlots(state).map((slot) => questionOf(state, slot));
}

/** One line for everything that was neither said nor will be asked. */
export function assumptionsFor(state: InterviewState): string[] {
  const { anchors } = state;
  const { assumed, leftOut } = textsFor(anchors.language);
  const lines: string[] = [];
  const scope = slotState(state, 'scope');
  if (scope.kind === 'skipped') lines.push(assumed.scope(recommendedFor(state, 'scope')));
  if (isScopeByName(state)) lines.push(assumed.scopeNamed(namedPaths(state).join(', ')));
  if (slotState(state, 'criterion').kind === 'skipped') {
    lines.push(assumed.criterion(testCommand(state)));
  }
  for (const slot of ['non-goals', 'constraints'] as const) {
    const { kind } = slotState(state, slot);
    if (kind === 'skipped' || kind === 'assumed') lines.push(assumed[slot]);
  }
  if (anchors.leftOut > 0) lines.push(leftOut(anchors.leftOut));
  return lines;
}

/** What a bare "yes" to the question would mean, from what the project and the request show. */
export function recommendedFor(state: InterviewState, slot: Slot): string | undefined {
  const { anchors } = state;
  const texts = textsFor(anchors.language);
  switch (slot) {
    case 'goal':
      return undefined;
    case 'scope':
      return likelyScope(state);
    case 'criterion':
      return texts.criterion(testCommand(state), goalOf(state));
    case 'non-goals':
      return texts.outside(scopeText(state));
    case 'constraints':
      return texts.rollback;
  }
}

/** Whether the scope rests on nothing but the paths that the request happens to name. */
export function isScopeByName(state: InterviewState): boolean {
  const scope = slotState(state, 'scope');
  const isSaid = scope.kind === 'given' && scope.by === 'request';
  return isSaid && state.anchors.scopes.length === 0;
}

function questionOf(state: InterviewState, slot: Slot): Question {
  const texts = textsFor(state.anchors.language);
  const recommended = recommendedFor(state, slot);
  const options = slot === 'scope' ? scopeOptions(state, texts.wholeProject) : undefined;
  return {
    id: slot,
    ...texts.questions[slot],
    ...(recommended === undefined ? {} : { recommended }),
    ...(options === undefined ? {} : { options }),
  };
}

/** The workspaces that the request calls by name, else the only place where there is code. */
function likelyScope({ anchors, survey }: InterviewState): string | undefined {
  if (anchors.workspaces.length > 0) return printScope(anchors.workspaces);
  const [only, ...others] = survey.sourceFolders;
  if (only === undefined || others.length > 0) return undefined;
  const tests = survey.testFolders.filter((folder) => !folder.startsWith(`${only}/`));
  return printScope([only, ...tests]);
}

function scopeOptions({ survey }: InterviewState, wholeProject: string): readonly string[] {
  const parts = survey.workspaces.map(({ folder }) => folder);
  const folders = parts.length > 0 ? parts : survey.sourceFolders;
  return [...new Set(folders)].slice(0, MAX_OPTIONS - 1).concat(wholeProject);
}

function testCommand({ survey }: InterviewState): string | undefined {
  return survey.commands.find(({ kind }) => kind === 'test')?.command;
}

function goalOf(state: InterviewState): string | undefined {
  const goal = slotState(state, 'goal');
  const text = goal.kind === 'given' ? goal.values[0]?.text : undefined;
  return text === undefined ? undefined : headlineOf(text);
}

function scopeText(state: InterviewState): string | undefined {
  const scope = slotState(state, 'scope', likelyScope(state));
  const given = scope.kind === 'given' ? printScope(scope.values.map(({ text }) => text)) : '';
  return given === '' ? likelyScope(state) : given;
}
