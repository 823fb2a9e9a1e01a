/** Which session a command is about. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { type FilePort, ignoring, readText, writeTextAtomic } from '../kernel/base/files.ts';
import { assertInside, assertNoLinks } from '../kernel/base/paths.ts';
import { isForeignSessionId, isSameSession, memberOf, whyNoSessionId } from '../kernel/base/ids.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { sessionsFolder } from './session-folder.ts';

export interface Selection {
  readonly root: string;
  /** Given by `--session`. */
  readonly named: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Picked {
  readonly id: SessionId;
  readonly isNamed: boolean;
}

/**
 * `--session`, `CC_SESSION`, `.chainlesschain/current`, the only open session.
 *
 * @throws {CcError} `SESSION_ID_INVALID`, or `SESSION_NOT_FOUND` when none is named and none or several
 *   are open.
 */
export async function pickSession(selection: Selection): Promise<Picked> {
  const found = await findSession(selection);
  if (found !== undefined) return found;
  const open = await openSessionIds(selection.root);
  if (open.length === 0) {
    throw new CcError('SESSION_NOT_FOUND', 'There is no open session here', {
      hint: 'cc deep-interview "<what you want>"',
    });
  }
  const message = `Several sessions are open: ${open.slice(0, 10).join(', ')}`;
  throw new CcError('SESSION_NOT_FOUND', message, { hint: `cc session use ${open[0]}` });
}

/** The same, or `undefined` where that would be none or several. */
export async function findSession({ root, named, env }: Selection): Promise<Picked | undefined> {
  const ids = await listSessionIds(root);
  const word = named ?? env['CC_SESSION'];
  if (word !== undefined && word !== '') {
    return { id: asWritten(parseSessionId(word), ids), isNamed: named !== undefined };
  }
  const current = await readCurrent(root);
  if (current !== undefined && ids.some((id) => isSameSession(id, current))) {
    return { id: asWritten(current, ids), isNamed: false };
  }
  const open = await openSessionIds(root);
  const [only] = open;
  return open.length === 1 && only !== undefined ? { id: only, isNamed: false } : undefined;
}

/** @throws {CcError} `SESSION_NOT_FOUND` when the project has no such session. */
export async function assertThere(root: string, id: SessionId): Promise<void> {
  const ids = await listSessionIds(root);
  if (ids.some((one) => isSameSession(one, id))) return;
  throw new CcError('SESSION_NOT_FOUND', `There is no session ${id}`, { hint: 'cc session list' });
}

/** @throws {CcError} `SESSION_ID_INVALID` with the rule that it breaks. */
export function parseSessionId(word: string): SessionId {
  const rule = whyNoSessionId(word);
  if (rule === undefined) return asSessionId(word);
  throw new CcError('SESSION_ID_INVALID', `"${word.slice(0, 120)}" is no session id: ${rule}`, {
    hint: 'cc session list',
  });
}

/** Every folder that could be a session, also of other programs; sorted. */
export async function listSessionIds(root: string): Promise<readonly string[]> {
  return readFolder(sessionsFolder(root))
    .filter((entry) => entry.isDirectory() && isForeignSessionId(entry.name))
    .map(({ name }) => name)
    .sort();
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return ignoring('ENOENT', 'ENOTDIR')(error as NodeJS.ErrnoException) ?? [];
  }
}

/** Makes a session the one that commands are about. */
export async function useSession(root: string, id: SessionId, files: FilePort): Promise<void> {
  const path = join(root, '.chainlesschain', 'current');
  await assertInside(root, path);
  assertNoLinks(root, dirname(path));
  await files.makeFolder(join(root, '.chainlesschain'));
  await writeTextAtomic(files, path, `${id}\n`);
}

async function readCurrent(root: string): Promise<SessionId | undefined> {
  const path = join(root, '.chainlesschain', 'current');
  // A pointer that cannot be read points nowhere.
  const text = await readText(path).catch(() => undefined);
  const word = text?.trim() ?? '';
  return whyNoSessionId(word) === undefined ? asSessionId(word) : undefined;
}

/** Ids that can be worked on and whose stage is not the last one. A damaged one counts as open. */
export async function openSessionIds(root: string): Promise<readonly SessionId[]> {
  const ids = await listSessionIds(root);
  const open: SessionId[] = [];
  for (const id of ids) {
    const isOwn = whyNoSessionId(id) === undefined && memberOf(id) === undefined;
    if (isOwn && !(await isComplete(root, id))) open.push(asSessionId(id));
  }
  return open;
}

async function isComplete(root: string, id: string): Promise<boolean> {
  const path = join(root, '.chainlesschain', 'sessions', id, 'mode.json');
  try {
    const mode: unknown = JSON.parse(((await readText(path)) ?? '').replace(/^\uFEFF/, ''));
    const stage = (mode as { stage?: unknown } | null)?.stage;
    return stage === 'complete' || stage === 'done';
  } catch {
    // Missing or damaged: whoever works on it will be told, and a finished session it is not.
    return false;
  }
}

/** The folder's own spelling: `S1` and `s1` are one session. */
function asWritten(id: SessionId, ids: readonly string[]): SessionId {
  const found = ids.find((one) => isSameSession(one, id));
  return found === undefined ? id : parseSessionId(found);
}

/** Only for words that break no rule. */
function asSessionId(word: string): SessionId {
  // The schema behind the brand asks the same question, `whyNoSessionId`, and nothing else.
  return word as SessionId;
}
