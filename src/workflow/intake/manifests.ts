/** Bounded reading of the few files that describe a project. Trouble becomes a note, never an error. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeUtf8 } from '../../kernel/base/files.ts';
import { isJsonObject, type JsonObject } from './json-values.ts';
import type { Tree } from './walk-tree.ts';

/** Bytes. A larger manifest is noted and not read. */
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** Bytes of a source file that are looked at, to see which test library it uses. */
const MAX_PEEK_BYTES = 64 * 1024;

/** One folder of a project: the root, or a part that has manifests of its own. */
export interface ProjectFolder {
  /** Relative to the root of the project; empty for the root itself. */
  readonly folder: string;
  /** Relative to this folder, as are all paths below. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  has(path: string): boolean;
  hasFolder(path: string): boolean;
  /** The first of these files that is there. */
  firstOf(...paths: readonly string[]): string | undefined;
  /** Text without a byte order mark; `undefined` when missing or unreadable (then there is a note). */
  text(path: string): Promise<string | undefined>;
  json(path: string): Promise<JsonObject | undefined>;
  /** The beginning of a file that may be large or not even text. */
  peek(path: string): Promise<string>;
  readonly note: (path: string, problem: string) => void;
}

/** @param notes Receives one line per problem, each naming its file. */
export function openProject(root: string, tree: Tree, notes: string[]): ProjectFolder {
  return openFolder({ root, tree, notes, folder: '' });
}

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly tree: Tree;
  readonly notes: string[];
}

/** The same for a part of the project; `tree` is that of the whole. */
export function openFolder({ root, folder, tree, notes }: Place): ProjectFolder {
  const files = below(folder, tree.files);
  const folders = below(folder, tree.folders);
  const fileSet = new Set(files);
  const folderSet = new Set(folders);
  const nameOf = (path: string) => (folder === '' ? path : `${folder}/${path}`);

  const note = (path: string, problem: string) => {
    const line = `${nameOf(path)}: ${problem}`;
    if (!notes.includes(line)) notes.push(line);
  };

  const text = async (path: string) => {
    if (!fileSet.has(path)) return undefined;
    const read = await readStart(join(root, folder, path), MAX_MANIFEST_BYTES);
    const tooLarge = `larger than ${MAX_MANIFEST_BYTES} bytes, not read`;
    const decoded = read === undefined || read.cut ? undefined : decode(read.bytes);
    if (read === undefined) note(path, 'cannot be read');
    else if (decoded === undefined) note(path, read.cut ? tooLarge : 'is not UTF-8');
    return decoded;
  };

  return {
    folder,
    files,
    folders,
    has: (path) => fileSet.has(path),
    hasFolder: (path) => folderSet.has(path),
    firstOf: (...paths) => paths.find((path) => fileSet.has(path)),
    text,
    async json(path) {
      const source = await text(path);
      if (source === undefined) return undefined;
      const value = parse(source);
      if (isJsonObject(value)) return value;
      note(path, value === undefined ? 'is not valid JSON' : 'is not a JSON object');
      return undefined;
    },
    async peek(path) {
      const read = await readStart(join(root, folder, path), MAX_PEEK_BYTES);
      return read === undefined ? '' : read.bytes.toString('utf8');
    },
    note,
  };
}

function below(folder: string, paths: readonly string[]): readonly string[] {
  if (folder === '') return paths;
  const prefix = `${folder}/`;
  return paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
}

/** Refuses links, pipes and devices: the walk saw a plain file, and it must still be one. */
async function readStart(path: string, limit: number) {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return undefined;
      const buffer = Buffer.alloc(Math.min(stat.size, limit));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      return { bytes: buffer.subarray(0, bytesRead), cut: stat.size > limit };
    } finally {
      await file.close();
    }
  } catch {
    // Why it cannot be read makes no difference to the survey, which says that it could not.
    return undefined;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decodeUtf8(bytes).replace(/^\uFEFF/, '');
  } catch {
    // Reported by the caller, who knows the name.
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Comments, a cut file, nesting too deep: reported by the caller, who knows the name.
    return undefined;
  }
}
