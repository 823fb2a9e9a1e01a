/** An id that another process took while this one asked its questions. */
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import type { DocumentTexts } from './parse-documents.ts';
import { type Decision, refuse } from './transitions.ts';

type Refused = Extract<Decision, { allowed: false }>;

/** What is the first thing that a new session gets. */
export function hasDocuments(texts: DocumentTexts): boolean {
  return Object.values(texts).some((text) => text !== undefined);
}

/** The words are the same for one that is there before the question and for one that came in between. */
export function refuseTaken(id: SessionId): Refused {
  const message = `There is a session ${id} already; a goal opens a new one`;
  const { refusal } = refuse('REQUEST_INVALID', message, `cc deep-interview --session ${id}`);
  return { allowed: false, refusal: { ...refusal, details: { taken: id } } };
}

/** Whether that is why, so that a session whose id nobody chose can take the next one. */
export function isTaken(result: { readonly allowed: boolean }): boolean {
  const { refusal } = result as Partial<Refused>;
  return refusal?.details?.['taken'] !== undefined;
}
