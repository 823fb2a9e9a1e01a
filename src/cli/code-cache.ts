/** Keeps V8's compiled form of our own files in the user's home, so that a start does not compile them again. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Module } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';
import { isOwn, openCacheFolder } from './code-cache-folder.ts';

/** More than one version has files; the oldest go first. */
const MAX_FILES = 128;
/** Fixed, so that the bytes behind it stay aligned as V8 wants them. */
const HEADER_BYTES = 256;
const FORMAT = 'cc1';
const NOT_KEPT: Kept = { data: Buffer.alloc(0), verbs: [] };
const MAX_VERBS = 8;
/** Of the start flags of Node, in a file name. */
const MAX_FLAGS = 60;

/** What a file of the cache holds: header, V8's data, the source that it was made from, the data again. */
interface Kept {
  readonly data: Buffer;
  /** Command words whose runs have filled it: each leaves compiled what it called. */
  readonly verbs: readonly string[];
}

interface Entry {
  readonly script: Script;
  readonly source: Buffer;
  readonly path: string;
  readonly verbs: readonly string[];
  /** Length of the data that was used, 0 without. */
  readonly bytes: number;
}

/** What Node has and its types do not tell: `_compile` on every version, the other since 22.1. */
interface ModuleInternals {
  readonly prototype: {
    /** Some versions pass a format behind. */
    _compile: (this: NodeJS.Module, text: string, filename: string, ...more: unknown[]) => unknown;
  };
  wrap(text: string): string;
  enableCompileCache?(folder: string): unknown;
}

/**
 * From now on CommonJS files below `dist` are compiled once per version of Node and of their text. Without
 * a folder that is safely the user's own nothing is kept. Never throws: a start may be slow, not broken.
 */
export function installCodeCache(dist: string): void {
  try {
    const folder = openCacheFolder(process.env);
    if (folder === undefined) return;
    // Every CommonJS file goes through `_compile`; the other one is tested before use.
    const internals = Module as unknown as ModuleInternals;
    if (internals.enableCompileCache === undefined) hookCompile(internals, dist, folder);
    else letNodeCache(internals, folder);
  } catch {
    // A full disk, a strange file system: the program itself does not need the cache.
  }
}

function letNodeCache(internals: ModuleInternals, folder: string): void {
  internals.enableCompileCache?.(folder);
  process.on('exit', () => quietly(() => prune(folder)));
}

function hookCompile(internals: ModuleInternals, dist: string, folder: string): void {
  const entries: Entry[] = [];
  const compile = internals.prototype._compile;
  internals.prototype._compile = function (text, filename, ...more) {
    if (!filename.startsWith(dist + sep)) return compile.call(this, text, filename, ...more);
    const entry = compileCached(internals.wrap(text), filename, folder);
    entries.push(entry);
    const main = entry.script.runInThisContext() as (...args: readonly unknown[]) => unknown; // `wrap` made it a function
    // Not `createRequire`: it costs more than taking the file from the cache, and chunks use nothing else of it.
    const require = (id: string): unknown => this.require(id);
    return main.call(this.exports, this.exports, require, this, filename, dirname(filename));
  };
  process.on('exit', () => quietly(() => store(entries, folder)));
}

function compileCached(text: string, filename: string, folder: string): Entry {
  const source = Buffer.from(text);
  const path = join(folder, `${basename(filename)}-${runtimeName()}.bin`);
  const kept = readKept(path, source);
  const script = new Script(text, { filename, ...(kept && { cachedData: kept.data }) });
  const used = kept === undefined || script.cachedDataRejected ? NOT_KEPT : kept;
  return { script, source, path, verbs: used.verbs, bytes: used.data.length };
}

/** V8 refuses the data of another version or of other flags; the name keeps both from taking turns in one file. */
function runtimeName(): string {
  const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  const short = flags.replaceAll(/[^\w.-]+/g, '_').slice(0, MAX_FLAGS);
  return `${process.version}-${process.arch}${short === '_' ? '' : short}`;
}

/**
 * V8 of Node 20 compares only the length of the source, so that it would run the code of yesterday, and no
 * sum at all: a damaged byte ends the process. So the file holds the source, and the data on both sides of
 * it. Comparing takes no time; a sum would cost more than it saves, `node:crypto` as much as all our files.
 * This is against damage. Who can write here as this user needs no cache to run code.
 */
function readKept(path: string, source: Buffer): Kept | undefined {
  const all = readOwn(path);
  if (all === undefined) return undefined;
  const header = all.toString('latin1', 0, HEADER_BYTES).trimEnd();
  const [format, length, verbs = ''] = header.split(' ');
  if (format !== FORMAT) return undefined;
  const end = HEADER_BYTES + Number(length);
  const data = all.subarray(HEADER_BYTES, end);
  const middle = all.subarray(end, end + source.length);
  const isProven = middle.equals(source) && all.subarray(end + source.length).equals(data);
  return isProven && data.length > 0 ? { data, verbs: verbs.split(',') } : undefined;
}

function readOwn(path: string): Buffer | undefined {
  try {
    // Windows has no such flag, and its links need a right that few have.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return isOwn(fstatSync(file)) ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    // Not there, or not ours to read: compiled anew.
    return undefined;
  }
}

function store(entries: readonly Entry[], folder: string): void {
  const verb = /^\$?[\w-]{1,16}$/.exec(process.argv[2] ?? '')?.[0] ?? '-';
  const stale = entries.filter(({ verbs }) => !verbs.includes(verb) && verbs.length < MAX_VERBS);
  for (const entry of stale) storeOne(entry, verb);
  if (stale.length > 0) prune(folder);
}

function storeOne({ script, source, path, verbs, bytes }: Entry, verb: string): void {
  const data = script.createCachedData();
  // In a long run V8 drops code that was not used lately; what is kept already is better then.
  if (data.length < bytes) return;
  const words = [FORMAT, data.length, [...verbs, verb].join(',')];
  const header = Buffer.from(words.join(' ').padEnd(HEADER_BYTES), 'latin1');
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, Buffer.concat([header, data, source, data]), {
    flag: 'wx',
    mode: 0o600,
  });
  renameSync(draft, path);
}

/** Node's own cache keeps a folder per version, so folders are looked into. */
function prune(folder: string): void {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  if (files.length <= MAX_FILES) return;
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const byAge = paths
    .map((path) => ({ path, at: lstatSync(path).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(MAX_FILES)) rmSync(path, { force: true });
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // At exit: the answer was given, and the next start tries again.
  }
}
