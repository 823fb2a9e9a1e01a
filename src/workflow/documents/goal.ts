/** For whoever has a parsed intent: without the Markdown parser. */
import type { Intent } from './plan-model.ts';

/** False for a goal that is empty or still the placeholder of the template. */
export function hasGoal({ goal }: Pick<Intent, 'goal'>): boolean {
  const words = goal.trim();
  return words !== '' && words !== '_(not provided)_';
}
