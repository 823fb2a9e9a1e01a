/** New files that a commit leaves out unless the plan names them: their names are those of secrets. Pure. */
import { posix } from 'node:path';
import type { Plan } from '../documents/plan-model.ts';

const SECRET = /^(?:\.env(?:\..*)?|.*\.(?:pem|key)|id_rsa.*|\.npmrc|credentials.*)$/i;

/** @param paths Not known to git so far. */
export function secretsAmong(plan: Plan | undefined, paths: readonly string[]): readonly string[] {
  const scopes = (plan?.steps ?? []).flatMap(({ scope }) => scope);
  const named = new Set(scopes.map((path) => posix.normalize(path)));
  return paths.filter((path) => SECRET.test(posix.basename(path)) && !named.has(path));
}
