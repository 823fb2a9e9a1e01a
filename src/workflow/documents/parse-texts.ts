/** The Markdown of a session, each text read once. The only door to the Markdown parser for what only reads. */
import { parseIntent } from './intent.ts';
import { readPlan } from './plan.ts';
import { planHashOf } from './plan-hash.ts';

export function parseTexts(texts: { readonly intent: string; readonly plan: string | undefined }) {
  const intent = parseIntent(texts.intent);
  if (texts.plan === undefined) return { intent, plan: undefined, planHash: '', head: undefined };
  const { plan, head } = readPlan(texts.plan);
  return { intent, plan, planHash: planHashOf(intent, plan), head };
}
