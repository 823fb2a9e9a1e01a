/** `.chainlesschain/sessions/<id>/`: plain files are the truth; this module only reads and writes them. */
import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import type { FilePort } from '../kernel/base/files.ts';
import { isPending } from '../kernel/base/journal.ts';
import { withLock } from '../kernel/base/lock.ts';
import { assertInside, assertNoLinks } from '../kernel/base/paths.ts';
import { commit, rollForward } from '../kernel/base/transaction.ts';
import type { SessionId, Stage } from '../kernel/protocol/vocabulary.ts';
import { type EmitPort, endChange, tellKept } from './end-change.ts';
import type { ApprovalRecord } from './approval-record.ts';
import { assertLease, type Clock, type LeasePorts } from './lease.ts';
import { type Mode, printMode } from './mode-file.ts';
import { type DocumentTexts, parseDocuments } from './parse-documents.ts';
import { clearRemains, hasRemains } from './remains.ts';
import { sealOf } from './seal.ts';
import {
  approvalFacts,
  claimedSeal,
  type Documents,
  factsOf,
  verificationFacts,
} from './session-facts.ts';
import { assertOwnFolders } from './session-folder.ts';
import { readQuiet, readTexts } from './session-texts.ts';
import { type Action, type Decision, decide, refuse, type SessionFacts } from './transitions.ts';

export const PROGRESS_FILE = 'progress.log';
/** What there was to note while no plan was approved. */
const NOTES_FILE = 'runs/notes.jsonl';

export interface SessionPorts {
  readonly files: FilePort;
  readonly leases: LeasePorts;
  readonly clock: Clock;
  /** This person's key, from their home or `CC_SEAL_KEY`; never from the project. Made when missing. */
  sealKey(): Promise<Uint8Array>;
  readonly approvals: ApprovalRecord;
  treeHash(): Promise<string>;
  /** Branch and commit that are checked out, without running git. */
  position(): Promise<{ readonly branch?: string; readonly head?: string }>;
}

/** What the files said at one moment, and what follows from it. */
export interface Snapshot extends Documents {
  readonly facts: SessionFacts;
  readonly texts: DocumentTexts;
  readonly sealKey: Uint8Array;
}

/** New values by key of `mode.json`; `undefined` takes a key away. */
export type ModeChange = { readonly [Key in keyof Mode]?: Mode[Key] | undefined };

/** What a step writes. */
export interface Change {
  readonly files?: Readonly<Record<string, string>>;
  /** What changes in `mode.json` besides the stage. */
  readonly mode?: ModeChange;
  /** Where the table leaves it open: the outcome of a verification. */
  readonly stage?: Stage;
  /** The seal, when this very change approves the plan: what it says is progress already. */
  readonly approval?: string;
  /** Lines such as `[ralph] step-1 ok`, without the time. */
  readonly progress?: readonly string[];
}

export interface Step {
  readonly action: Action;
  /** Nonce of the run's own lease. Without one, a live lease of somebody else refuses the step. */
  readonly lease?: string;
  /** `cancel`, `approve` and the like may act while a run goes on. */
  readonly besideRun?: boolean;
  /** Refuse when the plan is no longer the one that was shown. */
  readonly planHash?: string;
  /** Look at the tree: `complete` decides on it. */
  readonly withTree?: boolean;
  change(now: Snapshot): Change | Promise<Change>;
}

export interface SessionDir {
  readonly id: SessionId;
  readonly folder: string;
  exists(): Promise<boolean>;
  read(options?: { readonly withTree?: boolean }): Promise<Snapshot>;
  /** Under the lock: reads again, decides again, then writes everything, the new stage last, or nothing. */
  transact(step: Step): Promise<Decision>;
}

/** The part of a verb's ports that its session needs. */
interface DirPorts extends EmitPort {
  readonly root: string;
  readonly sessions: SessionPorts;
}

/**
 * The session of that id. Nothing is cached: a person may edit these files between two calls.
 *
 * @throws {CcError} from every method: `PATH_OUTSIDE_WORKSPACE` when a folder is a link, or a link leads out of
 *   the project,
 *   `SESSION_DAMAGED` when a document cannot be read.
 */
export function openSession(ports: DirPorts, id: SessionId): SessionDir {
  const { root } = ports;
  const folder = join(root, '.chainlesschain', 'sessions', id);
  const { files, leases } = ports.sessions;
  const locked = <T>(work: () => Promise<T>) => {
    return withLock(join(folder, '.lock'), leases.locks, work);
  };

  return {
    id,
    folder,

    async exists() {
      assertNoLinks(root, folder);
      return (await lstat(folder).catch(() => undefined))?.isDirectory() ?? false;
    },

    async read({ withTree = false } = {}) {
      assertOwnFolders(root, folder);
      if (await isPending(folder))
        await endChange(folder, { leases, emit: (event) => ports.emit(event) });
      if (await hasRemains(folder, leases)) await clearRemains(folder, leases);
      const { texts } =
        (await readQuiet(root, folder)) ?? (await locked(() => readTexts(root, folder)));
      return understand(texts, withTree);
    },

    async transact(step) {
      assertOwnFolders(root, folder);
      await files.makeFolder(folder);
      return locked(async () => {
        tellKept(await rollForward(files, folder), ports);
        if (step.besideRun !== true) await assertLease(folder, leases, step.lease);
        const { texts } = await readTexts(root, folder);
        const now = await understand(texts, step.withTree ?? false);
        const decision = decide(now.facts, step.action);
        if (!decision.allowed) return decision;
        if (step.planHash !== undefined && step.planHash !== now.planHash) {
          const message = 'plan.md changed after it was shown';
          return refuse('PLAN_CHANGED_SINCE_APPROVAL', message, 'cc ralplan --approve');
        }
        const change = await step.change(now);
        const to = change.stage ?? decision.to;
        await write(now, change, to);
        return { allowed: true, to };
      });
    },
  };

  async function understand(texts: DocumentTexts, withTree: boolean): Promise<Snapshot> {
    const sealKey = await ports.sessions.sealKey();
    const documents = parseDocuments(id, folder, texts);
    const treeHash = withTree && documents.verify ? await ports.sessions.treeHash() : undefined;
    const { approvals } = ports.sessions;
    const standing = claimedSeal(documents) === undefined ? [] : await approvals.standing(id);
    const facts = factsOf(documents, { sealKey, standing, treeHash });
    return { ...documents, facts, texts, sealKey };
  }

  async function write(now: Snapshot, change: Change, stage: Stage): Promise<void> {
    const at = ports.sessions.clock.now().toISOString();
    const position = await ports.sessions.position();
    // The keys that a mode must have have a value in `now.mode`, and no change takes one of them away.
    const mode = { ...now.mode, ...position, ...change.mode, stage, updatedAt: at } as Mode;
    const appends = noteLines(now, change, at);
    for (const name of [...Object.keys(change.files ?? {}), ...Object.keys(appends), 'mode.json']) {
      await assertInside(root, join(folder, name), 'cc repair');
      await assertNoLink(join(folder, name));
    }
    const { approvals } = ports.sessions;
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
}

/** A document is replaced whole: a link would become a file, and what it leads to would stay as it was. */
async function assertNoLink(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined))?.isSymbolicLink() !== true) return;
  const copy = `cp --remove-destination "$(readlink -f '${path}')" '${path}'`;
  throw new CcError(
    'PATH_OUTSIDE_WORKSPACE',
    `${path} is a link: documents are files of their own`,
    {
      hint: existsSync(path) ? copy : 'cc repair',
      details: { path },
    },
  );
}

/** Seal of an approval that is being written: the serial is the one that `mode.json` gets with it. */
export function sealApproval(
  now: Pick<Snapshot, 'id' | 'planHash' | 'sealKey'>,
  rest: Parameters<typeof approvalFacts>[1],
): string {
  return sealOf(now.sealKey, 'approval', approvalFacts(now, rest));
}

/** `verify.json` with its seal. */
export function sealVerification(
  now: Snapshot,
  verify: NonNullable<Documents['verify']>,
): NonNullable<Documents['verify']> {
  return { ...verify, seal: sealOf(now.sealKey, 'verification', verificationFacts(now, verify)) };
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

/** @throws {CcError} `SESSION_NOT_FOUND` unless there is such a session. */
export async function assertExists(session: SessionDir): Promise<void> {
  if (await session.exists()) return;
  const options = { hint: 'cc session list' };
  throw new CcError('SESSION_NOT_FOUND', `There is no session ${session.id}`, options);
}
