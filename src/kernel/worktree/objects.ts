/** Which objects the private store has, its own and those that it borrows. */
import { delimiter, join } from 'node:path';
import type { GitCall } from './private-git.ts';
import type { Store } from './store.ts';

/** A file as a tree has it. */
export interface TreeFile {
  /** From the top of the tree. */
  readonly path: string;
  /** Of its content. */
  readonly id: string;
}

/** Those of `ids` that it does not have. */
export async function findMissing(
  { git }: Store,
  ids: Iterable<string>,
  call: Omit<GitCall, 'input'> = {},
): Promise<ReadonlySet<string>> {
  const input = [...new Set(ids)].map((id) => `${id}\n`).join('');
  if (input === '') return new Set();
  const output = await git.run(['cat-file', '--batch-check=%(objectname)'], { ...call, input });
  const lines = output.toString('latin1').matchAll(/^([0-9a-f]+) missing$/gm);
  return new Set([...lines].map(([, id = '']) => id));
}

/** Variables with which a command also finds the objects of these stores. */
export function borrowingFrom(folders: readonly string[]): Readonly<Record<string, string>> {
  // Quoted, a path may hold the sign that stands between two of them.
  const quoted = folders.map(
    (folder) => `"${join(folder, 'objects').replaceAll(/["\\]/g, '\\$&')}"`,
  );
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted.join(delimiter) };
}
