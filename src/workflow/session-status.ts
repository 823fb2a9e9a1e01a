/** What the files of a session say, for those who only look: never writes there, never looks at the tree. */
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import type { ApprovalRecord } from './approval-record.ts';
import type { DocumentCache } from './document-cache.ts';
import type { LeaseHolder, LeasePorts } from './lease.ts';
import { nextCommand, WATCH_IT } from './next-command.ts';
import type { DocumentTexts } from './parse-documents.ts';
import { claimedSeal, type Documents, factsOf } from './session-facts.ts';
import { assertOwnFolders } from './session-folder.ts';
import { readQuiet, readTexts } from './session-texts.ts';
import type { SessionFacts } from './transitions.ts';

export interface StatusPorts {
  readonly root: string;
  readonly cache: DocumentCache;
  readonly leases: LeasePorts;
  /** `undefined` while this person has none: looking makes none. */
  sealKey(): Promise<Uint8Array | undefined>;
  readonly approvals: ApprovalRecord;
}

export type SessionStatus =
  | {
      readonly ok: true;
      readonly id: string;
      readonly facts: SessionFacts;
      readonly documents: Documents;
      readonly texts: DocumentTexts;
      /** Who carries it out right now. */
      readonly running: LeaseHolder | undefined;
      /** A killed process left a transition half done; the next writer ends it. */
      readonly isPending: boolean;
      readonly updatedAt: string | undefined;
      /** The command that moves it on. */
      readonly next: string | undefined;
    }
  | {
      readonly ok: false;
      readonly id: string;
      readonly problem: CcError;
      /** `undefined` when not even these could be read. */
      readonly texts: DocumentTexts | undefined;
    };

/** Never throws for what is in the files. */
export async function readStatus(ports: StatusPorts, id: string): Promise<SessionStatus> {
  const folder = join(ports.root, '.chainlesschain', 'sessions', id);
  let texts: DocumentTexts | undefined;
  try {
    assertOwnFolders(ports.root, folder);
    const found = (await readQuiet(ports.root, folder)) ?? (await readTexts(ports.root, folder));
    texts = found.texts;
    const documents = await ports.cache.parse(id, texts);
    const sealKey = await ports.sealKey();
    // Without a key nothing is theirs, wherever it was approved.
    const isAsked = sealKey !== undefined && claimedSeal(documents) !== undefined;
    const standing = isAsked ? await ports.approvals.standing(id) : [];
    const facts = factsOf(documents, { sealKey, standing, treeHash: undefined });
    const running = found.hasLease ? await whoRuns(folder, ports.leases) : undefined;
    const { updatedAt } = documents.mode;
    return {
      ok: true,
      id,
      facts,
      documents,
      texts,
      running,
      isPending: found.isPending,
      updatedAt,
      next: running === undefined ? nextCommand(facts) : WATCH_IT,
    };
  } catch (error) {
    return { ok: false, id, problem: CcError.from(error), texts };
  }
}

/** The lease and its schema are looked at only where there is one. */
async function whoRuns(folder: string, leases: LeasePorts): Promise<LeaseHolder | undefined> {
  const { liveLease } = await import('./lease.ts');
  return liveLease(folder, leases);
}
