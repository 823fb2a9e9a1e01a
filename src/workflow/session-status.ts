/** What the files of a session say, for those who only look: never writes there, never looks at the tree. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { JOURNAL, LEASE_FILE } from '../kernel/base/file-names.ts';
import { type FilePort, readText } from '../kernel/base/files.ts';
import { assertInside } from '../kernel/base/paths.ts';
import { type CachePorts, parseCached } from './document-cache.ts';
import type { LeaseHolder, LeasePorts } from './lease.ts';
import { type Documents, factsOf } from './session-facts.ts';
import { nextCommand } from './next-command.ts';
import type { SessionFacts } from './transitions.ts';

export interface StatusPorts extends CachePorts {
  readonly root: string;
  readonly files: FilePort;
  readonly leases: LeasePorts;
  /** `undefined` while this person has none: looking makes none. */
  sealKey(): Promise<Uint8Array | undefined>;
}

export type SessionStatus =
  | {
      readonly ok: true;
      readonly id: string;
      readonly facts: SessionFacts;
      readonly documents: Documents;
      /** Who carries it out right now. */
      readonly running: LeaseHolder | undefined;
      /** A killed process left a transition half done; the next writer ends it. */
      readonly isPending: boolean;
      readonly updatedAt: string | undefined;
      /** The command that moves it on. */
      readonly next: string | undefined;
    }
  | { readonly ok: false; readonly id: string; readonly problem: CcError };

/** Never throws for what is in the files. */
export async function readStatus(ports: StatusPorts, id: string): Promise<SessionStatus> {
  const folder = join(ports.root, '.chainlesschain', 'sessions', id);
  try {
    const documents = await readDocuments(ports, id, folder);
    const sealKey = await ports.sealKey();
    const facts = factsOf(documents, { sealKey, treeHash: undefined });
    const running = await whoRuns(folder, ports.leases);
    const isPending = existsSync(join(folder, JOURNAL));
    const { updatedAt } = documents.mode;
    return {
      ok: true,
      id,
      facts,
      documents,
      running,
      isPending,
      updatedAt,
      next: nextCommand(facts),
    };
  } catch (error) {
    return { ok: false, id, problem: CcError.from(error) };
  }
}

async function readDocuments(ports: StatusPorts, id: string, folder: string): Promise<Documents> {
  const read = (name: string) => readDocument(ports.root, folder, name);
  return parseCached(ports, id, {
    'mode.json': await read('mode.json'),
    'intent.md': await read('intent.md'),
    'plan.md': await read('plan.md'),
    'tasks.json': await read('tasks.json'),
    'verify.json': await read('verify.json'),
  });
}

async function readDocument(root: string, folder: string, name: string) {
  const path = join(folder, name);
  await assertInside(root, path);
  return readText(path);
}

/** The lease and its schema are looked at only where there is one. */
async function whoRuns(folder: string, leases: LeasePorts): Promise<LeaseHolder | undefined> {
  if (!existsSync(join(folder, LEASE_FILE))) return undefined;
  const { liveLease } = await import('./lease.ts');
  return liveLease(folder, leases);
}
