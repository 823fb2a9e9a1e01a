/**
 * Parsed intents and plans by the hash of their text, in the person's home, so that looking at a session
 * does not read Markdown again. For what only reads: gates parse afresh.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilePort } from '../kernel/base/files.ts';
import { sha256 } from '../kernel/base/hash.ts';
import type { FrontMatter } from './documents/front-matter.ts';
import type { Intent, Plan } from './documents/plan-model.ts';

/** A change of what is parsed, or how, makes every entry a stranger. */
const FORMAT = 1;

export interface ParsedTexts {
  readonly intent: Intent;
  readonly plan: Plan | undefined;
  readonly planHash: string;
  readonly head: FrontMatter | undefined;
}

export interface CachePorts {
  readonly home: string;
  readonly files: FilePort;
  /** Of the program: another build may parse otherwise. */
  readonly build: string;
}

interface Stored extends Omit<ParsedTexts, 'head'> {
  readonly head: StoredHead | undefined;
}
type StoredHead =
  | Exclude<FrontMatter, { ok: true }>
  | { readonly ok: true; readonly data: object; readonly lines: Readonly<Record<string, number>> };

/** Parses only what was not parsed before. */
export async function parseCached(
  ports: CachePorts,
  texts: { readonly intent: string; readonly plan: string | undefined },
): Promise<ParsedTexts> {
  const key = sha256(JSON.stringify([FORMAT, ports.build, texts.intent, texts.plan ?? null]));
  const folder = join(ports.home, 'cache', 'documents', key.slice(0, 2));
  const path = join(folder, `${key}.json`);
  const stored = await load(path);
  if (stored !== undefined) return unpack(stored);
  const { parseTexts } = await import('./documents/parse-texts.ts');
  const parsed = parseTexts(texts);
  // It only saves time: where it cannot be written, everything is as slow as the first time.
  await save(ports.files, { folder, path }, pack(parsed)).catch(() => undefined);
  return parsed;
}

async function load(path: string): Promise<Stored | undefined> {
  try {
    // Written by `save` under the hash of its own input, in a folder of the person's own.
    return JSON.parse(await readFile(path, 'utf8')) as Stored;
  } catch {
    return undefined;
  }
}

async function save(
  files: FilePort,
  { folder, path }: { readonly folder: string; readonly path: string },
  stored: Stored,
): Promise<void> {
  await files.makeFolder(folder);
  const draft = `${path}.${sha256(JSON.stringify(stored)).slice(0, 8)}.tmp`;
  const writer = await files.openWriter(draft);
  await writer.write(Buffer.from(JSON.stringify(stored))).finally(() => writer.close());
  await files.rename(draft, path);
}

function pack({ head, ...rest }: ParsedTexts): Stored {
  if (!head?.ok) return { ...rest, head };
  const names = Object.keys(head.data);
  const lines = Object.fromEntries(names.map((name) => [name, head.lineOf(name) ?? 1]));
  // The body is the plan's text, which whoever asks has at hand.
  return { ...rest, head: { ok: true, data: head.data, lines } };
}

function unpack({ head, ...rest }: Stored): ParsedTexts {
  if (!head?.ok) return { ...rest, head };
  const { data, lines } = head;
  const lineOf = (name: string) => lines[name];
  return { ...rest, head: { ok: true, data: { ...data }, body: '', lineOf } };
}
