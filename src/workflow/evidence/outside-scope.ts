/** What a session changed although no step of its plan may. */
import { isInScope } from '../../kernel/policy/policy.ts';
import type { Plan } from '../documents/plan-model.ts';
import { scopeOf } from '../executors/step-scope.ts';

/** Those of `paths` (as in `TreeStore.diff`) that are in no step's scope, nor implied by one. */
export async function outsideScope(
  root: string,
  plan: Plan | undefined,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const scopes: (readonly string[])[] = [];
  for (const step of plan?.steps ?? []) scopes.push(await scopeOf(root, step));
  return paths.filter(
    (path) => path.startsWith('../') || !scopes.some((scope) => isInScope(path, scope)),
  );
}
