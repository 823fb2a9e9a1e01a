/** The Markdown of a session, parsed once per text: a command reads its session before, under and after the lock. */
import { parseTexts } from './documents/parse-texts.ts';

type Texts = Parameters<typeof parseTexts>[0];
type Parsed = ReturnType<typeof parseTexts>;

/** Only the newest: a run reads the same session again and again, and texts may be large. */
let last: { readonly texts: Texts; readonly parsed: Parsed } | undefined;

/** The same answer for the same texts; nobody changes it. */
export function parseOnce({ intent, plan }: Texts): Parsed {
  if (last?.texts.intent !== intent || last.texts.plan !== plan) {
    last = { texts: { intent, plan }, parsed: parseTexts({ intent, plan }) };
  }
  return last.parsed;
}
