/** Links in a session's folder that no command can work with. */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { assertInside } from '../kernel/base/paths.ts';
import { INNER_FOLDERS } from './session-folder.ts';

const FILES = [
  'mode.json',
  'intent.md',
  'plan.md',
  'tasks.json',
  'verify.json',
  'progress.log',
  'summary.md',
  'runs/notes.jsonl',
] as const;

/**
 * What is wrong, by name in the folder: a link in the place of a folder, and in the place of a file one that
 * leads out of the project or to nothing. Folders come first.
 */
export async function findStrayLinks(
  root: string,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of INNER_FOLDERS) {
    if (isLink(join(folder, name))) found.set(name, `${name}: it is a link, not a folder`);
  }
  for (const name of FILES) {
    // Behind a folder that is a link lies nothing of ours.
    if (found.has(name.split('/')[0] ?? '')) continue;
    const path = join(folder, name);
    const problem = isLink(path) ? await whatIsWrong(root, path) : undefined;
    if (problem !== undefined) found.set(name, `${name}: ${problem}`);
  }
  return found;
}

async function whatIsWrong(root: string, path: string): Promise<string | undefined> {
  try {
    await assertInside(root, path);
    return existsSync(path) ? undefined : 'it is a link to nothing';
  } catch (error) {
    return CcError.from(error).message;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
