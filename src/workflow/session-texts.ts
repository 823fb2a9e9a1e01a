/** The documents of a session as they were at one moment, while another process may be writing them. */
import { type BigIntStats, type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOURNAL, LEASE_FILE } from '../kernel/base/file-names.ts';
import { readText } from '../kernel/base/files.ts';
import { assertInside } from '../kernel/base/paths.ts';
import type { DocumentName, DocumentTexts } from './parse-documents.ts';

/** A change takes some ten milliseconds, and commands do not write without end. */
const TRIES = 20;
const PAUSE_MS = 10;

export interface SessionTexts {
  readonly texts: DocumentTexts;
  /** A change was begun and not ended; the texts are those after it. */
  readonly isPending: boolean;
  readonly hasLease: boolean;
}

/**
 * Without a lock: reads again until no change came in between. Gives up after some tenths of a second of
 * changes, and answers `undefined`.
 *
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` when a link leads out of the project, `SESSION_DAMAGED` when a
 *   file is not text.
 */
export async function readQuiet(root: string, folder: string): Promise<SessionTexts | undefined> {
  for (let count = 0; count < TRIES; count++) {
    if (count > 0) await sleep(PAUSE_MS);
    const before = momentOf(folder);
    const found = await readTexts(root, folder);
    if (momentOf(folder) === before) return found;
  }
  return undefined;
}

/** The same, once. Under the lock, or for whoever prefers a mixed answer to none. */
export async function readTexts(root: string, folder: string): Promise<SessionTexts> {
  const entries = listFolder(folder);
  const isPending = entries.has(JOURNAL);
  const read = await readerOf(folder, isPending);
  const text = async (name: DocumentName) => {
    const entry = entries.get(name);
    if (entry === undefined && !isPending) return undefined;
    // The folder was followed once for all; a clone may bring a link in the place of any file in it.
    if (entry?.isFile() === false) await assertInside(root, join(folder, name), 'cc repair');
    return read(name);
  };
  return {
    texts: {
      'mode.json': await text('mode.json'),
      'intent.md': await text('intent.md'),
      'plan.md': await text('plan.md'),
      'tasks.json': await text('tasks.json'),
      'verify.json': await text('verify.json'),
    },
    isPending,
    hasLease: entries.has(LEASE_FILE),
  };
}

/** One look at the folder tells which files there are, and which of them are links. */
function listFolder(folder: string): ReadonlyMap<string, Dirent> {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** The journal and its schema are looked at only where there is one. */
async function readerOf(folder: string, isPending: boolean) {
  const plain = (name: string) => readText(join(folder, name));
  if (!isPending) return plain;
  const { readJournal, textAfter } = await import('../kernel/base/journal.ts');
  const journal = await readJournal(folder);
  return journal === undefined ? plain : (name: string) => textAfter(folder, journal, name);
}

/** Every change begins with a journal and ends with a new `mode.json`. */
function momentOf(folder: string): string {
  return [JOURNAL, 'mode.json'].map((name) => identityOf(join(folder, name))).join(' ');
}

function identityOf(path: string): string {
  let found: BigIntStats | undefined;
  try {
    found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A file in the place of the folder: there is no session to be read.
    return '';
  }
  return found === undefined ? '' : `${found.ino}:${found.mtimeNs}:${found.ctimeNs}`;
}
