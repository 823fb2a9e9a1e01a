/** A plan to begin with, from what the intent and the project say. Pure. */
import type { Intent } from './documents/plan-model.ts';
import type { ProjectSurvey } from './intake/survey-model.ts';

export const SCOPE_PREFIX = 'Scope: ';

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
  const goal = firstLine(intent.goal);
  const titles = steps.length > 0 ? steps : stepsFor(intent, goal);
  const checks = survey.commands.filter(
    ({ kind }) => kind === 'test' || kind === 'lint' || kind === 'typecheck',
  );
  return {
    title: direction ?? goal,
    steps: titles.map((step) => ({ ...step, ...scoped })),
    checks: checks.map(({ command }) => command),
    proofs: [],
    tradeoffs: [],
    risks: [],
  };
}

/** One criterion is how the goal is judged; several are parts of the work. */
function stepsFor({ criteria }: Intent, goal: string) {
  const ids = criteria.map(({ id }) => id);
  if (ids.length <= 1) return [ids.length === 0 ? { title: goal } : { title: goal, criteria: ids }];
  return criteria.map(({ id, text }) => ({ title: text, criteria: [id] }));
}

/** Paths of the constraint `Scope: …`; a phrase is no path, and limits nobody. */
function scopeOf({ constraints }: Intent): readonly string[] {
  const line = constraints.find((text) => text.startsWith(SCOPE_PREFIX));
  const entries = line?.slice(SCOPE_PREFIX.length).split(/,\s*/) ?? [];
  return entries
    .map((entry) => entry.replaceAll('`', '').trim())
    .filter((entry) => /^\S+$/.test(entry));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}
