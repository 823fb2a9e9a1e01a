/**
 * The documents of a session as they were parsed before, by the hash of their texts, in the person's home:
 * looking at a session reads no Markdown, and loads no parser, twice. For what only reads; gates parse afresh.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FilePort } from '../kernel/base/files.ts';
import { sha256 } from '../kernel/base/hash.ts';
import type { FrontMatter } from './documents/front-matter.ts';
import type { DocumentTexts } from './parse-documents.ts';
import type { Documents } from './session-facts.ts';

/** A change of what is stored makes every entry a stranger. */
const FORMAT = 2;

export interface CachePorts {
  readonly home: string;
  readonly files: FilePort;
  /** Of the program: another build may parse otherwise. */
  readonly build: string;
}

interface Stored extends Omit<Documents, 'head'> {
  readonly head?: StoredHead;
}
type StoredHead =
  | Exclude<FrontMatter, { ok: true }>
  | {
      readonly ok: true;
      readonly data: Readonly<Record<string, unknown>>;
      readonly lines: Readonly<Record<string, number>>;
    };

/**
 * Parses only what was not parsed before.
 *
 * @throws {CcError} `SESSION_DAMAGED` when one of the JSON files does not fit; that is never stored.
 */
export async function parseCached(
  ports: CachePorts,
  id: string,
  texts: DocumentTexts,
): Promise<Documents> {
  const key = sha256(JSON.stringify([FORMAT, ports.build, id, texts]));
  const folder = join(ports.home, 'cache', 'documents', key.slice(0, 2));
  const path = join(folder, `${key.slice(2)}.json`);
  const stored = load(path);
  if (stored !== undefined) return unpack(stored);
  const { parseDocuments } = await import('./parse-documents.ts');
  const parsed = parseDocuments(id, '', texts);
  // It only saves time: where it cannot be written, everything is as slow as the first time.
  await save(ports.files, { folder, path }, pack(parsed)).catch(() => undefined);
  return parsed;
}

function load(path: string): Stored | undefined {
  try {
    // Written by `save` under the hash of what it was made from, in a folder of the person's own.
    return JSON.parse(readFileSync(path, 'utf8')) as Stored;
  } catch {
    // Missing, or cut by a crash: it is made anew.
    return undefined;
  }
}

async function save(
  files: FilePort,
  { folder, path }: { readonly folder: string; readonly path: string },
  stored: Stored,
): Promise<void> {
  await files.makeFolder(folder);
  // Two who look at once write the same: each its own draft, and the last one stays.
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  const writer = await files.openWriter(draft);
  try {
    await writer.write(Buffer.from(JSON.stringify(stored)));
  } finally {
    await writer.close();
  }
  await files.rename(draft, path);
}

function pack({ head, ...rest }: Documents): Stored {
  if (head === undefined) return rest;
  if (!head.ok) return { ...rest, head };
  const { data } = head;
  const lines = Object.fromEntries(Object.keys(data).map((name) => [name, head.lineOf(name) ?? 1]));
  return { ...rest, head: { ok: true, data, lines } };
}

function unpack({ head, ...rest }: Stored): Documents {
  if (head === undefined || !head.ok) return { ...missing(rest), head };
  const { data, lines } = head;
  return {
    ...missing(rest),
    // Whoever only reads the keys asks for no body.
    head: { ok: true, data, body: '', lineOf: (name) => lines[name] },
  };
}

/** JSON has no `undefined`: a document that is not there is a key that is not there. */
function missing(stored: Omit<Stored, 'head'>): Omit<Documents, 'head'> {
  return { ...stored, plan: stored.plan, tasks: stored.tasks, verify: stored.verify };
}
