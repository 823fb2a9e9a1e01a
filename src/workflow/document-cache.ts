/**
 * The documents of sessions as they were parsed before, with the texts that they were parsed from, in the
 * person's home: looking at a session reads no Markdown, and loads no parser, twice. For what only reads;
 * gates parse afresh.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FilePort, ignoring } from '../kernel/base/files.ts';
import type { FrontMatter } from './documents/front-matter.ts';
import type { DocumentTexts } from './parse-documents.ts';
import type { Documents } from './session-facts.ts';

/** Grows with every change of what is stored. */
const FORMAT = 3;
/** Of a project: so few that a thousand sessions are read and written fast, so many that none grows large. */
const SHELVES = 64;
/** Of a folder's name, in UTF-16 units: less than 255 bytes in any script. */
const MAX_NAME = 60;

export interface CachePlace {
  readonly root: string;
  readonly home: string;
  readonly files: FilePort;
  /** Of the program: another build may parse otherwise. */
  readonly build: string;
}

/** A line of a file. Its id stands first. Comparing texts costs less than hashing them. */
interface Entry {
  readonly id: string;
  readonly texts: DocumentTexts;
  readonly documents: Stored;
}
/** Lines by id: most of them are only handed on to the next version of the file. */
type Shelf = Map<string, string>;

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

export class DocumentCache {
  readonly #files: FilePort;
  /** First line of every file: another format and another build are strangers. */
  readonly #head: string;
  readonly #folder: string;
  readonly #shelves = new Map<string, Shelf>();
  readonly #changed = new Set<string>();

  constructor({ root, home, files, build }: CachePlace) {
    this.#files = files;
    this.#head = JSON.stringify({ format: FORMAT, build });
    // Two projects may have one name: an entry is believed for its texts, and the later one stays.
    const name = root.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(-MAX_NAME);
    this.#folder = join(home, 'cache', 'documents', name);
  }

  /**
   * Parses only what was not parsed before.
   *
   * @throws {CcError} `SESSION_DAMAGED` when one of the JSON files does not fit; that is never kept.
   */
  async parse(id: string, texts: DocumentTexts): Promise<Documents> {
    const path = join(this.#folder, `${shelfOf(id)}.jsonl`);
    const shelf = this.#shelfAt(path);
    const known = entryIn(shelf.get(id));
    if (known !== undefined && isSame(known.texts, texts)) return unpack(known.documents);
    const { parseDocuments } = await import('./parse-documents.ts');
    const parsed = parseDocuments(id, '', texts);
    const entry: Entry = { id, texts, documents: pack(parsed) };
    shelf.set(id, JSON.stringify(entry));
    this.#changed.add(path);
    return parsed;
  }

  /** Keeps what was parsed; at the end of a command, because one file holds many sessions. */
  async save(): Promise<void> {
    const paths = [...this.#changed];
    this.#changed.clear();
    for (const path of paths) {
      const lines = [this.#head, ...this.#shelfAt(path).values()];
      // It only saves time: where it cannot be written, everything is as slow as the first time.
      await this.#write(path, lines.join('\n')).catch(() => undefined);
    }
  }

  #shelfAt(path: string): Shelf {
    const shelf = this.#shelves.get(path) ?? load(path, this.#head);
    this.#shelves.set(path, shelf);
    return shelf;
  }

  async #write(path: string, text: string): Promise<void> {
    const files = this.#files;
    // Two who look at once: each its own draft, and the last one stays.
    const draft = join(this.#folder, `${crypto.randomUUID()}.tmp`);
    let writer = await files.openWriter(draft).catch(ignoring('ENOENT'));
    if (writer === undefined) {
      await files.makeFolder(this.#folder);
      writer = await files.openWriter(draft);
    }
    try {
      await writer.write(Buffer.from(text));
    } finally {
      await writer.close();
    }
    await files.rename(draft, path);
  }
}

/** Any even spread does. */
function shelfOf(id: string): number {
  let sum = 0;
  for (let at = 0; at < id.length; at++) sum = (sum * 31 + id.charCodeAt(at)) % SHELVES;
  return sum;
}

function load(path: string, expected: string): Shelf {
  try {
    const [head, ...lines] = readFileSync(path, 'utf8').split('\n');
    const idOf = (line: string) => /^{"id":"(.*?)"/.exec(line)?.[1] ?? '';
    return new Map(head === expected ? lines.map((line) => [idOf(line), line]) : []);
  } catch {
    // Never written, or not to be read.
    return new Map();
  }
}

function entryIn(line: string | undefined): Entry | undefined {
  try {
    // Written by `save`, in a folder of the person's own.
    return line === undefined ? undefined : (JSON.parse(line) as Entry);
  } catch {
    // Cut by a crash: it is made anew.
    return undefined;
  }
}

function isSame(before: DocumentTexts, now: DocumentTexts): boolean {
  const names = Object.keys(now) as (keyof DocumentTexts)[]; // Its type has no others.
  return names.every((name) => before[name] === now[name]);
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
