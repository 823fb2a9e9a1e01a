/** The documents of a session from their texts. Pure; loads every parser. */
import { join } from 'node:path';
import { parseVerify } from './evidence/verify-file.ts';
import { modeFromDocuments, parseMode } from './mode-file.ts';
import type { Documents } from './session-facts.ts';
import { parseOnce } from './parse-once.ts';
import { parseTasks } from './tasks/tasks-file.ts';

export const DOCUMENTS = [
  'mode.json',
  'intent.md',
  'plan.md',
  'tasks.json',
  'verify.json',
] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** Text by file name, as found; a missing file has none. */
export type DocumentTexts = Readonly<Record<DocumentName, string | undefined>>;

/**
 * @param folder Stands in front of the file names in messages.
 * @throws {CcError} `SESSION_DAMAGED` when one of the JSON files does not fit.
 */
export function parseDocuments(id: string, folder: string, texts: DocumentTexts): Documents {
  const plan = texts['plan.md'];
  const mode = texts['mode.json'];
  const tasks = texts['tasks.json'];
  const verify = texts['verify.json'];
  const has = { plan: plan !== undefined, intent: texts['intent.md'] !== undefined };
  return {
    id,
    ...parseOnce({ intent: texts['intent.md'] ?? '', plan }),
    mode: mode === undefined ? modeFromDocuments(has) : parseMode(join(folder, 'mode.json'), mode),
    tasks: tasks === undefined ? undefined : parseTasks(join(folder, 'tasks.json'), tasks),
    verify: verify === undefined ? undefined : parseVerify(join(folder, 'verify.json'), verify),
  };
}
