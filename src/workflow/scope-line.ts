/** The scope in `intent.md`: a constraint of its own, which a person may write by hand. Pure. */
import { isEverything, partsOfScope, printScope } from './intake/scope-answer.ts';

const PREFIX = /^(?:scope|范围)\s*[:：]\s*/i;

export function scopeLine(paths: readonly string[]): string {
  return `Scope: ${printScope(paths)}`;
}

/** The paths of `Scope: …`, none for the whole project; `undefined` for another constraint. */
export function readScopeLine(constraint: string): readonly string[] | undefined {
  if (!PREFIX.test(constraint)) return undefined;
  const text = constraint.replace(PREFIX, '');
  return isEverything(text) ? [] : partsOfScope(text);
}
