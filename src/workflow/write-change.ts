/** Writes what a step decided: every file, the lines of the log, the record of the approval, the stage last. */
import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { assertInside } from '../kernel/base/paths.ts';
import { commit } from '../kernel/base/transaction.ts';
import type { Stage } from '../kernel/protocol/vocabulary.ts';
import { tellKept } from './end-change.ts';
import { type Mode, printMode } from './mode-file.ts';
import type { Change, DirPorts, Snapshot } from './session-dir.ts';

export const PROGRESS_FILE = 'progress.log';
/** What there was to note while no plan was approved. */
const NOTES_FILE = 'runs/notes.jsonl';

export interface Decided {
  readonly now: Snapshot;
  readonly change: Change;
  readonly stage: Stage;
}

/** Under the session's lock. Everything or nothing, whenever the process is killed. */
export async function writeChange(
  ports: DirPorts,
  { id, folder }: { readonly id: string; readonly folder: string },
  { now, change, stage }: Decided,
): Promise<void> {
  const { files, clock, approvals } = ports.sessions;
  const at = clock.now().toISOString();
  const position = await ports.sessions.position();
  // The keys that a mode must have have a value in `now.mode`, and no change takes one of them away.
  const mode = { ...now.mode, ...position, ...change.mode, stage, updatedAt: at } as Mode;
  const appends = noteLines(now, change, at);
  for (const name of [...Object.keys(change.files ?? {}), ...Object.keys(appends), 'mode.json']) {
    await assertInside(ports.root, join(folder, name), 'cc repair');
    await assertNoLink(join(folder, name));
  }
  if (change.approval !== undefined) await approvals.expect(id, change.approval);
  const kept = await commit(files, folder, {
    files: { ...change.files, 'mode.json': printMode(mode) },
    appends,
    base: now.texts,
  });
  tellKept(kept, ports);
  const isAboutApproval = change.approval ?? change.mode?.approvalSerial;
  // The change is made: a record that lags behind lets the old approval hold a little longer, and no more.
  if (isAboutApproval !== undefined) {
    await approvals.settle(id, change.approval).catch(() => undefined);
  }
}

/** A document is replaced whole: a link would become a file, and what it leads to would stay as it was. */
async function assertNoLink(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined))?.isSymbolicLink() !== true) return;
  const copy = `cp --remove-destination "$(readlink -f '${path}')" '${path}'`;
  const message = `${path} is a link: documents are files of their own`;
  const options = { hint: existsSync(path) ? copy : 'cc repair', details: { path } };
  throw new CcError('PATH_OUTSIDE_WORKSPACE', message, options);
}

/** G2: progress only under an approved plan. What there is to say before goes to the notes of the run. */
function noteLines(now: Snapshot, change: Change, at: string): Readonly<Record<string, string>> {
  const lines = change.progress ?? [];
  if (lines.length === 0) return {};
  const isApproved = now.facts.plan.state === 'approved' || change.approval !== undefined;
  if (isApproved) {
    return { [PROGRESS_FILE]: lines.map((text) => `[${at}] ${oneLine(text)}\n`).join('') };
  }
  return { [NOTES_FILE]: lines.map((text) => `${JSON.stringify({ at, text })}\n`).join('') };
}

/** One entry, one line, whatever a person or a tool put into it. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}
