/** What the files of a session say, for those who only look: never writes there, never looks at the tree. */
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { JOURNAL, LEASE_FILE } from '../kernel/base/file-names.ts';
import { type FilePort, readText } from '../kernel/base/files.ts';
import { assertInside } from '../kernel/base/paths.ts';
import { type CachePorts, parseCached } from './document-cache.ts';
import type { LeaseHolder, LeasePorts } from './lease.ts';
import { type Documents, factsOf } from './session-facts.ts';
import { nextCommand } from './next-command.ts';
import type { DocumentName, DocumentTexts } from './parse-documents.ts';
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
    await assertInside(ports.root, folder);
    const entries = listFolder(folder);
    texts = await readTexts(ports.root, folder, entries);
    const documents = await parseCached(ports, id, texts);
    const sealKey = await ports.sealKey();
    const facts = factsOf(documents, { sealKey, treeHash: undefined });
    const running = entries.has(LEASE_FILE) ? await whoRuns(folder, ports.leases) : undefined;
    const isPending = entries.has(JOURNAL);
    const { updatedAt } = documents.mode;
    return {
      ok: true,
      id,
      facts,
      documents,
      texts,
      running,
      isPending,
      updatedAt,
      next: nextCommand(facts),
    };
  } catch (error) {
    return { ok: false, id, problem: CcError.from(error), texts };
  }
}

/** One look at the folder tells which files there are, and which of them are links. */
function listFolder(folder: string): ReadonlyMap<string, Dirent> {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return new Map(entries.map((entry) => [entry.name, entry]));
}

async function readTexts(
  root: string,
  folder: string,
  entries: ReadonlyMap<string, Dirent>,
): Promise<DocumentTexts> {
  const read = async (name: DocumentName) => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    const path = join(folder, name);
    // The folder was followed once for all; a clone may bring a link in the place of any file in it.
    if (!entry.isFile()) await assertInside(root, path);
    return readText(path);
  };
  return {
    'mode.json': await read('mode.json'),
    'intent.md': await read('intent.md'),
    'plan.md': await read('plan.md'),
    'tasks.json': await read('tasks.json'),
    'verify.json': await read('verify.json'),
  };
}

/** The lease and its schema are looked at only where there is one. */
async function whoRuns(folder: string, leases: LeasePorts): Promise<LeaseHolder | undefined> {
  const { liveLease } = await import('./lease.ts');
  return liveLease(folder, leases);
}
