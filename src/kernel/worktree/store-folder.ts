/** Where the private store of a tree is, and the few files that make it one. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { devNull, platform } from 'node:os';
import { dirname, join, posix, relative, sep } from 'node:path';
import { CcError } from '../base/errors.ts';
import { type FilePort, ignoring, writeTextAtomic } from '../base/files.ts';
import { sha256 } from '../base/hash.ts';
import { isInside, resolveLinks } from '../base/paths.ts';
import { findRepository, type Repository } from './git.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface StorePlace {
  /** The tree: the top of the repository, or the folder itself where there is none. */
  readonly top: string;
  readonly repository: Repository | undefined;
  /** From the top to the project, with `/`; empty when the project is the tree. */
  readonly prefix: string;
  /** The private `GIT_DIR`. */
  readonly folder: string;
  /** The person's home of `cc`, links resolved as far as it exists. */
  readonly home: string;
}

const STATE_FOLDER = '.chainlesschain';

/** No conversion of any kind: the bytes on the disk are what is hashed. Outranks every file in the tree. */
const ATTRIBUTES = '* -text -crlf !eol -filter -ident -working-tree-encoding\n';

const isFolding = platform() === 'win32' || platform() === 'darwin';

const CONFIG = `[core]
\trepositoryFormatVersion = 0
\tbare = false
\tfileMode = ${platform() !== 'win32'}
\tsymlinks = ${platform() !== 'win32'}
\tignoreCase = ${isFolding}
\ttrustCtime = true
\tautocrlf = false
\tsafecrlf = false
\tfsmonitor = false
\tuntrackedCache = false
\tsplitIndex = false
\tpreloadIndex = true
\thooksPath = ${devNull}
\tattributesFile = ${devNull}
\tlogAllRefUpdates = false
\tprotectNTFS = false
\tprotectHFS = false
\tlooseCompression = 1
\tfsync = objects,pack-metadata
\tfsyncMethod = batch
[index]
\tversion = 2
\tskipHash = false
\tsparse = false
[feature]
\tmanyFiles = false
[pack]
\tcompression = 1
[gc]
\tauto = 0
[maintenance]
\tauto = false
[advice]
\taddEmbeddedRepo = false
[submodule]
\trecurse = false
[protocol]
\tallow = never
`;

/**
 * A repository is hashed from its top, also when the project is one of its subfolders: what lies beside the
 * project can break its checks as well. A repository around the whole home folder is not the project's.
 */
export async function placeStore(options: {
  readonly root: string;
  readonly home: string;
  readonly env: Env;
}): Promise<StorePlace> {
  const root = await realpath(options.root);
  const found = await findRepository(root);
  const personHome = options.env['HOME'];
  const real =
    personHome === undefined ? undefined : await realpath(personHome).catch(() => undefined);
  const isForeign = real !== undefined && found?.top !== root && isInside(found?.top ?? root, real);
  const repository = isForeign ? undefined : found;
  const top = repository?.top ?? root;
  const prefix = relative(top, root).split(sep).join('/');
  const home = await resolveLinks(options.home);
  const folder = join(home, 'stores', sha256(top).slice(0, 16));
  return { top, repository, prefix, home, folder };
}

/** A path of the tree as the project names it: what lies beside the project begins with `../`. */
export function pathFromRoot({ prefix }: StorePlace, path: string): string {
  return posix.relative(`/${prefix}`, `/${path}`);
}

/** Makes the folders of the store that are missing. Only the person may look into them. */
export async function makeStoreFolder({ folder }: StorePlace, files: FilePort): Promise<void> {
  for (const path of [dirname(folder), folder]) {
    if ((await stat(path).catch(ignoring('ENOENT'))) !== undefined) continue;
    await files.makeFolder(path);
    await files.setMode(path, 0o700);
  }
  for (const name of ['refs', 'objects/info', 'info']) await files.makeFolder(join(folder, name));
}

export interface StoreContent {
  /** The repository's own `info/exclude`. */
  readonly rules: string;
  /**
   * Folders of objects that need not be copied. Other stores that were named once stay: trees of that time need
   * them.
   */
  readonly alternates: readonly string[];
}

/** Writes the files of the store that are not as they should be. Returns whether there were any. */
export async function writeStoreFiles(
  { top, folder, home }: StorePlace,
  files: FilePort,
  { rules, alternates }: StoreContent,
): Promise<boolean> {
  const ownHome = isInside(top, home) ? [`/${relative(top, home).split(sep).join('/')}`] : [];
  const wanted = {
    config: CONFIG,
    'info/attributes': ATTRIBUTES,
    'info/exclude': [rules, STATE_FOLDER, ...ownHome.map(escapePattern), ''].join('\n'),
    'objects/info/alternates': await listAlternates(folder, alternates),
    HEAD: 'ref: refs/heads/none\n',
  };
  let isChanged = false;
  for (const [name, text] of Object.entries(wanted)) {
    const path = join(folder, name);
    if ((await readFile(path, 'utf8').catch(ignoring('ENOENT'))) === text) continue;
    await writeTextAtomic(files, path, text);
    isChanged = true;
  }
  return isChanged;
}

async function listAlternates(folder: string, wanted: readonly string[]): Promise<string> {
  const path = join(folder, 'objects/info/alternates');
  const before = (await readFile(path, 'utf8').catch(ignoring('ENOENT'))) ?? '';
  const stores = before.split('\n').filter((listed) => listed.startsWith(dirname(folder)));
  // A name with a line end cannot be written there; its objects are then copied.
  const usable = [...wanted, ...stores].filter((listed) => !listed.includes('\n'));
  return [...new Set(usable)].map((listed) => `${listed}\n`).join('');
}

/** Whether a path of the tree belongs to `cc`. */
export function isOwnPath(path: string): boolean {
  return path.split('/').includes(STATE_FOLDER);
}

/** Whether a line of an ignore file only names the folder of `cc`. */
export function isOwnRule(line: string): boolean {
  return /^!?(?:[^#]*\/)?\.chainlesschain(?:\/.*)?$/.test(line.trim());
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
}

/** Variables that a program needs to run at all. */
const PLAIN = new Set(
  ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH'].concat([
    ...['SYSTEMROOT', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'PROGRAMDATA', 'WINDIR'],
  ]),
);

/** For git in the private store: nobody's config, no prompt, messages in English. */
export function privateEnv(env: Env, { folder, top }: StorePlace): Record<string, string> {
  return {
    ...pick(env, (name) => PLAIN.has(name)),
    GIT_DIR: folder,
    GIT_WORK_TREE: top,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** For reading the person's own config and index as data; the caller switches off what could run a program. */
export function personalEnv(env: Env, { repository, top }: StorePlace): Record<string, string> {
  return {
    ...pick(env, (name) => PLAIN.has(name) || name.startsWith('GIT_CONFIG_')),
    // Named, not found by git: then it does not ask who owns it. Without one there is nothing to find.
    GIT_DIR: repository?.gitDir ?? devNull,
    GIT_WORK_TREE: top,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

function pick(env: Env, isWanted: (name: string) => boolean): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isWanted(name.toUpperCase())) result[name] = value;
  }
  return result;
}

/** @throws {CcError} `REQUEST_INVALID` when it is not an id that git gives to an object. */
export function assertObjectId(tree: string): void {
  if (/^[0-9a-f]{40}$/.test(tree)) return;
  throw new CcError('REQUEST_INVALID', `${JSON.stringify(tree)} is not the id of a tree`);
}
