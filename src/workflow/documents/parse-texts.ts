/** The Markdown of a session, all of it at once. The only door to the Markdown parser for what only reads. */
import { readFrontMatter } from './front-matter.ts';
import { parseIntent } from './intent.ts';
import { parsePlan } from './plan.ts';
import { planHashOf } from './plan-hash.ts';

export function parseTexts(texts: { readonly intent: string; readonly plan: string | undefined }) {
  const intent = parseIntent(texts.intent);
  const plan = texts.plan === undefined ? undefined : parsePlan(texts.plan);
  const planHash = plan === undefined ? '' : planHashOf(intent, plan);
  const head = texts.plan === undefined ? undefined : readFrontMatter(texts.plan);
  return { intent, plan, planHash, head };
}
