/** A plan to begin with, from what the intent and the project say. Pure. */
import type { Intent } from './documents/plan-model.ts';
import { headlineOf } from './intake/headline.ts';
import type { ProjectSurvey } from './intake/survey-model.ts';
import { readScopeLine } from './scope-line.ts';

export interface SkeletonInput {
  readonly intent: Intent;
  readonly survey: ProjectSurvey;
  readonly direction: string | undefined;
  readonly steps: readonly { readonly title: string }[];
}

/** A step for each criterion, or for each given title; scopes from the intent, checks from the project. */
export function skeletonOf({ intent, survey, direction, steps }: SkeletonInput) {
  const scope = scopeOf(intent);
  const scoped = scope.length === 0 ? {} : { scope };
  const goal = headlineOf(intent.goal);
  const titles = steps.length > 0 ? steps : stepsFor(intent, goal);
  return {
    title: goal,
    ...(direction === undefined ? {} : { direction }),
    steps: titles.map((step) => ({ ...step, ...scoped })),
    checks: checksFor(survey),
    proofs: [],
    tradeoffs: [],
    risks: [],
  };
}

/** Commands of the project that say whether it is whole. */
export function checksFor({ commands }: ProjectSurvey): readonly string[] {
  const isCheck = (kind: string) => kind === 'test' || kind === 'lint' || kind === 'typecheck';
  return commands.filter(({ kind }) => isCheck(kind)).map(({ command }) => command);
}

/** One criterion is how the goal is judged; several are parts of the work. */
function stepsFor({ criteria }: Intent, goal: string) {
  const ids = criteria.map(({ id }) => id);
  if (ids.length <= 1) return [ids.length === 0 ? { title: goal } : { title: goal, criteria: ids }];
  return criteria.map(({ id, text }) => ({ title: text, criteria: [id] }));
}

/** As it stands in the constraint: what is no path there, the plan refuses by name. */
function scopeOf({ constraints }: Intent): readonly string[] {
  return constraints.flatMap((text) => readScopeLine(text) ?? []);
}
