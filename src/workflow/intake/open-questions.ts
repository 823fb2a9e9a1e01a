/** Items under Open Questions: which of them are the interview's own. Pure, and without any parser. */
import { type Slot, SLOTS } from './interview-model.ts';

/** The question that an item such as `scope: Which files? →` stands for; `undefined` for one of the person's own. */
export function slotOfQuestion(item: string): Slot | undefined {
  const name = item.slice(0, Math.max(0, item.indexOf(':')));
  const clean = name.replaceAll(/[*_`[\]\s]/g, '').toLowerCase();
  return SLOTS.find((slot) => slot === clean);
}

/** Questions of the interview that still stand in the document, each once. */
export function openSlots(items: readonly string[]): readonly Slot[] {
  const found = items.map(slotOfQuestion).filter((slot) => slot !== undefined);
  return [...new Set(found)];
}
