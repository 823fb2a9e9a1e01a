/** What an interview brought, as lines for a person. Pure. */
import type { InterviewResult } from '../workflow/deep-interview.ts';
import { headlineOf } from '../workflow/intake/headline.ts';
import { textsFor } from '../workflow/intake/interview-texts.ts';

type Interview = Extract<InterviewResult, { allowed: true }>;

const LABELS = { scope: 'scope', 'non-goals': 'non-goal', constraints: 'constraint' } as const;
const MAX_NAMED = 4;

/** Goal, everything that was taken from request and answers with its source, and what is open. */
export function interviewScreen(result: Interview): readonly string[] {
  const { id, isNew, draft, questions, missing, language, survey } = result;
  const texts = textsFor(language);
  const goal = draft.goal === '' ? '(no goal yet)' : headlineOf(draft.goal);
  return [
    `${isNew ? 'New session' : 'Session'} ${id}: ${goal}`,
    ...(isNew ? whatWasFound(survey) : []),
    ...takenFrom(result),
    ...missing.map((path) => `  ! scope: there is no ${path} yet`),
    ...draft.assumptions.map((text) => `  assumed: ${text}`),
    ...questions.map(({ id: slot, text, recommended }) => {
      const guess = recommended === undefined ? '' : ` ${texts.recommended(recommended)}`;
      return `  open: ${slot}: ${text}${guess}`;
    }),
  ];
}

/** Criteria keep the numbers that they have in the document. */
function takenFrom({ draft, language }: Interview): readonly string[] {
  const { from } = textsFor(language);
  return draft.said.map(({ slot, text, from: source }) => {
    const label = slot === 'criterion' ? `AC${draft.criteria.indexOf(text) + 1}` : LABELS[slot];
    return `  ${label}: ${from(text, source)}`;
  });
}

/** What the questions and the plan's first draft rest on, in a few words. */
function whatWasFound(survey: Interview['survey']): readonly string[] {
  const names = (list: readonly string[]) => list.slice(0, MAX_NAMED).join(', ');
  const [commit] = survey.recentCommits;
  const parts = [
    names([...survey.languages.map(({ name }) => name), ...survey.packageManagers]),
    names(survey.commands.map(({ command }) => command)),
    names(survey.sourceFolders),
    commit === undefined ? '' : `last commit "${commit.subject}"`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [`  found: ${parts.join(' · ')}`];
}
