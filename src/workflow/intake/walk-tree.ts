/** A bounded look at the files of a project. Nothing is opened but folders. */
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Entries in the answer. */
export const MAX_ENTRIES = 5_000;
/** Levels below the root; a file directly in the root is on level 1. */
const MAX_DEPTH = 6;
/** One folder full of data must not use up what the others need. */
const MAX_FOLDER_ENTRIES = 1_000;

const SKIPPED: ReadonlySet<string> = new Set([
  '.git',
  '.chainlesschain',
  'node_modules',
  'dist',
  'build',
  'target',
  'venv',
  '.venv',
  '__pycache__',
  'vendor',
]);

// Such a name could only do harm in a terminal, a document or a command.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Paths are relative to the root, with `/`, parents before children. */
export interface Tree {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** False when a bound was reached. */
  readonly complete: boolean;
}

interface Found {
  readonly files: string[];
  readonly folders: string[];
  readonly complete: boolean;
}

/**
 * Level by level, so that what is cut off is what lies deepest. Links are neither followed nor listed;
 * what cannot be read is left out. Never rejects.
 */
export async function walkTree(root: string): Promise<Tree> {
  const files: string[] = [];
  const folders: string[] = [];
  let complete = true;
  let level = [''];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const room = MAX_ENTRIES - files.length - folders.length;
      const found = await listFolder(root, folder, Math.min(room, MAX_FOLDER_ENTRIES));
      complete &&= found.complete;
      files.push(...found.files);
      folders.push(...found.folders);
      next.push(...found.folders);
    }
    level = next;
  }
  return { files, folders, complete: complete && level.length === 0 };
}

async function listFolder(root: string, folder: string, limit: number): Promise<Found> {
  const files: string[] = [];
  const folders: string[] = [];
  let read = 0;
  try {
    for await (const entry of await opendir(join(root, folder))) {
      if (read++ >= limit) return { files: files.sort(), folders: folders.sort(), complete: false };
      if (UNPRINTABLE.test(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory() && !SKIPPED.has(entry.name);
      if (!isFolder && !entry.isFile()) continue;
      (isFolder ? folders : files).push(path);
    }
  } catch {
    // Unreadable, or gone since its parent was listed: what was seen of it is still true.
  }
  return { files: files.sort(), folders: folders.sort(), complete: true };
}
