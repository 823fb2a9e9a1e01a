/** The sections of an intent: their names, and the order in which they stand. */
import { type Section, subtreeOf } from './markdown.ts';

export const INTENT_LISTS = [
  'clarifications',
  'nonGoals',
  'constraints',
  'criteria',
  'assumptions',
  'openQuestions',
] as const;
export type IntentList = (typeof INTENT_LISTS)[number];
export type IntentPart = 'goal' | 'parentGoal' | IntentList;

/** As they are printed. */
export const INTENT_TITLES: Readonly<Record<'goal' | IntentList, string>> = {
  goal: 'Goal',
  clarifications: 'Clarifications',
  nonGoals: 'Non-Goals',
  constraints: 'Constraints',
  criteria: 'Acceptance Criteria',
  assumptions: 'Assumptions',
  openQuestions: 'Open Questions',
};

const NAMES: Readonly<Record<IntentPart, readonly string[]>> = {
  goal: ['goal', 'goals', '目标'],
  parentGoal: ['parent goal'],
  clarifications: ['clarifications', '澄清'],
  nonGoals: ['non-goals', 'non goals', 'nongoals', '非目标'],
  constraints: ['constraints', '约束'],
  criteria: ['acceptance criteria', 'criteria', '验收标准'],
  assumptions: ['assumptions', '假设'],
  openQuestions: ['open questions', '开放问题', '待定问题'],
};
const PART_BY_NAME: ReadonlyMap<string, IntentPart> = new Map(
  // The keys of a record are its type's.
  (Object.keys(NAMES) as IntentPart[]).flatMap((part) =>
    NAMES[part].map((name) => [name, part] as const),
  ),
);

export function intentPartOf(section: Section): IntentPart | undefined {
  return PART_BY_NAME.get(section.name);
}

/** All sections of this name with what is deeper under them; only the one at `index` when that is given. */
export function subtreesOf(
  sections: readonly Section[],
  part: IntentPart,
  at?: number,
): readonly Section[] {
  return sections.flatMap((section, index) =>
    intentPartOf(section) === part && (at === undefined || at === index)
      ? subtreeOf(sections, index, (other) => intentPartOf(other) !== undefined)
      : [],
  );
}
