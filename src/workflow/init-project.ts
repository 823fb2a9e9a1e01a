/** Makes `.chainlesschain/`: what is shared, what is ignored, and an example of a hook that does nothing. */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FilePort, ignoring, readPlain } from '../kernel/base/files.ts';
import { assertInside, assertNoLinks } from '../kernel/base/paths.ts';
import { findRepository } from '../kernel/worktree/git.ts';

/** What belongs to this machine, not to the project. */
const IGNORED = [
  'current',
  'sessions/*/artifacts/',
  'sessions/*/runs/',
  'sessions/*/.lock*',
  'sessions/*/.lease.json',
  'sessions/*/.transition.json',
  'sessions/*/*.tmp',
  '*.tmp',
  'cache/',
];
const GITIGNORE = `# What cc keeps for this machine only; the documents of a session are committed.\n${IGNORED.join('\n')}\n`;
/** Two branches that both went on append both. */
const GITATTRIBUTES = 'sessions/*/progress.log merge=union\n';

export interface InitPorts {
  readonly root: string;
  readonly files: FilePort;
}

/** The files that every writing command needs around a session. Returns the ones it made; none is written over. */
export async function ensureFolder({ root, files }: InitPorts): Promise<readonly string[]> {
  const made: string[] = [];
  for (const [name, text] of [
    ['.gitignore', GITIGNORE],
    ['.gitattributes', GITATTRIBUTES],
  ] as const) {
    if (await makeFile({ root, files }, `.chainlesschain/${name}`, text)) {
      made.push(`.chainlesschain/${name}`);
    }
  }
  return made;
}

/** One file that is not there yet. @returns Whether it was made. */
export async function makeFile(
  { root, files }: InitPorts,
  path: string,
  bytes: Uint8Array | string,
): Promise<boolean> {
  const target = join(root, path);
  await assertInside(root, target);
  assertNoLinks(root, dirname(target));
  if ((await lstat(target).catch(ignoring('ENOENT'))) !== undefined) return false;
  await files.makeFolder(join(target, '..'));
  await files.writeNew(target, bytes);
  return true;
}

/**
 * Keeps the folder out of git for this clone only.
 *
 * @returns Whether anything had to be done; `undefined` where there is no repository to keep it out of.
 */
export async function hideFolder({ root, files }: InitPorts): Promise<boolean | undefined> {
  const repository = await findRepository(root);
  if (repository === undefined) return undefined;
  const path = join(repository.commonDir, 'info', 'exclude');
  // Names in it are bytes of any encoding, and the file may be a link: it is only added to.
  const text = (await readPlain(path))?.toString('latin1') ?? '';
  if (/^\/?\.chainlesschain\/?\r?$/m.test(text)) return false;
  await files.makeFolder(join(repository.commonDir, 'info'));
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  await files.append(path, `${start}.chainlesschain/\n`);
  return true;
}
