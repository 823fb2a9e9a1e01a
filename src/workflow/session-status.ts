/** What the files of a session say, for those who only look: never writes there, never looks at the tree. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { type FilePort, ignoring, readText } from '../kernel/base/files.ts';
import { assertInside } from '../kernel/base/paths.ts';
import { JOURNAL } from '../kernel/base/transaction.ts';
import { type CachePorts, parseCached } from './document-cache.ts';
import { parseVerify } from './evidence/verify-file.ts';
import { type LeaseHolder, type LeasePorts, liveLease } from './lease.ts';
import { modeFromDocuments, parseMode } from './mode-file.ts';
import { type Documents, factsOf } from './session-facts.ts';
import { parseTasks } from './tasks/tasks-file.ts';
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
    const running = await liveLease(folder, ports.leases);
    const isPending = (await stat(join(folder, JOURNAL)).catch(ignoring('ENOENT'))) !== undefined;
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
  const [mode, intent, plan, tasks, verify] = await Promise.all(
    ['mode.json', 'intent.md', 'plan.md', 'tasks.json', 'verify.json'].map(read),
  );
  const parsed = await parseCached(ports, { intent: intent ?? '', plan });
  const has = { plan: plan !== undefined, intent: intent !== undefined };
  return {
    id,
    ...parsed,
    mode: mode === undefined ? modeFromDocuments(has) : parseMode('mode.json', mode),
    tasks: tasks === undefined ? undefined : parseTasks('tasks.json', tasks),
    verify: verify === undefined ? undefined : parseVerify('verify.json', verify),
  };
}

async function readDocument(root: string, folder: string, name: string) {
  const path = join(folder, name);
  await assertInside(root, path);
  return readText(path);
}
