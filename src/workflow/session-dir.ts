/** `.chainlesschain/sessions/<id>/`: plain files are the truth; this module only reads and writes them. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import type { FilePort } from '../kernel/base/files.ts';
import { isPending } from '../kernel/base/journal.ts';
import { withLock } from '../kernel/base/lock.ts';
import { assertNoLinks } from '../kernel/base/paths.ts';
import { rollForward } from '../kernel/base/transaction.ts';
import type { SessionId, Stage } from '../kernel/protocol/vocabulary.ts';
import { type EmitPort, endChange, tellKept } from './end-change.ts';
import type { ApprovalRecord } from './approval-record.ts';
import { assertLease, type Clock, type LeasePorts } from './lease.ts';
import type { Mode } from './mode-file.ts';
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
import { hasDocuments, refuseTaken } from './taken.ts';
import { type Action, type Decision, decide, refuse, type SessionFacts } from './transitions.ts';
import { writeChange } from './write-change.ts';

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
  /** Opens a session: refused where another process opened one with this id meanwhile. */
  readonly isNew?: boolean;
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
export interface DirPorts extends EmitPort {
  readonly root: string;
  readonly sessions: SessionPorts;
}

/**
 * The session of that id. Nothing is cached: a person may edit these files between two calls.
 *
 * @throws {CcError} from every method: `PATH_OUTSIDE_WORKSPACE` when a folder is a link, or a link leads out of
 *   the project, `SESSION_DAMAGED` when a document cannot be read.
 */
export function openSession(ports: DirPorts, id: SessionId): SessionDir {
  const { root } = ports;
  const folder = join(root, '.chainlesschain', 'sessions', id);
  const { files, leases } = ports.sessions;
  const locked = <T>(work: () => Promise<T>) => {
    return withLock(join(folder, '.lock'), leases.locks, work);
  };

  const dir: SessionDir = {
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
      return understand(ports, dir, { texts, withTree });
    },

    async transact(step) {
      assertOwnFolders(root, folder);
      // One that is removed during a run stays removed.
      if (step.action === 'interview') await files.makeFolder(folder);
      else await assertExists(dir);
      return locked(async () => {
        tellKept(await rollForward(files, folder), ports);
        const { texts } = await readTexts(root, folder);
        if (step.isNew === true && hasDocuments(texts)) return refuseTaken(id);
        if (step.besideRun !== true) await assertLease(folder, leases, step.lease);
        const now = await understand(ports, dir, { texts, withTree: step.withTree ?? false });
        const decision = decide(now.facts, step.action);
        if (!decision.allowed) return decision;
        if (step.planHash !== undefined && step.planHash !== now.planHash) {
          const message = 'plan.md changed after it was shown';
          return refuse('PLAN_CHANGED_SINCE_APPROVAL', message, 'cc ralplan --approve');
        }
        const change = await step.change(now);
        const to = change.stage ?? decision.to;
        await writeChange(ports, dir, { now, change, stage: to });
        return { allowed: true, to };
      });
    },
  };
  return dir;
}

async function understand(
  { sessions }: DirPorts,
  { id, folder }: SessionDir,
  { texts, withTree }: { readonly texts: DocumentTexts; readonly withTree: boolean },
): Promise<Snapshot> {
  const sealKey = await sessions.sealKey();
  const documents = parseDocuments(id, folder, texts);
  const treeHash = withTree && documents.verify ? await sessions.treeHash() : undefined;
  const { approvals } = sessions;
  const standing = claimedSeal(documents) === undefined ? [] : await approvals.standing(id);
  const facts = factsOf(documents, { sealKey, standing, treeHash });
  return { ...documents, facts, texts, sealKey };
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

/** @throws {CcError} `SESSION_NOT_FOUND` unless there is such a session. */
export async function assertExists(session: SessionDir): Promise<void> {
  if (await session.exists()) return;
  const options = { hint: 'cc session list' };
  throw new CcError('SESSION_NOT_FOUND', `There is no session ${session.id}`, options);
}
