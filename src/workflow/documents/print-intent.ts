/** A new `intent.md`. Pure. */
import { goalLines } from './edit-intent.ts';
import { escapeInline, escapeLine } from './inline.ts';
import { INTENT_LISTS, INTENT_TITLES } from './intent-sections.ts';

export interface IntentDraft {
  readonly sessionId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly goal: string;
  readonly clarifications?: readonly string[];
  readonly nonGoals?: readonly string[];
  readonly constraints?: readonly string[];
  readonly criteria?: readonly { readonly id: string; readonly text: string }[];
  readonly assumptions?: readonly string[];
  readonly openQuestions?: readonly string[];
}

/** Every section is there; what is empty says so. */
export function printIntent(draft: IntentDraft): string {
  const goal = draft.goal.trim() === '' ? ['_(not provided)_'] : goalLines(draft.goal);
  const criteria = draft.criteria?.map(({ id, text }) => `${id}: ${escapeInline(text)}`);
  const sections = INTENT_LISTS.map((part) => {
    const lines = part === 'criteria' ? criteria : draft[part]?.map(escapeLine);
    const items = lines?.filter((line) => line !== '').map((line) => `- ${line}`) ?? [];
    return `## ${INTENT_TITLES[part]}\n\n${items.length === 0 ? '_(none yet)_' : items.join('\n')}\n`;
  });
  const head = `# Intent\n\n**Session:** ${draft.sessionId}\n**Created:** ${draft.createdAt}\n`;
  return [head, `## Goal\n\n${goal.join('\n')}\n`, ...sections].join('\n');
}
