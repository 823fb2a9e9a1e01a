/** The face of `intent.md`: whoever works with intents imports from here. */
export { addItems, removeItems, setGoal } from './edit-intent.ts';
export { hasGoal } from './goal.ts';
export type { IntentList } from './intent-sections.ts';
export { printIntent } from './print-intent.ts';
export { parseIntent } from './read-intent.ts';
