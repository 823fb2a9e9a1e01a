/** Where compiled code may be kept: whoever can write there can run code as this user. */
import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Bits of a mode that let others write. */
const OTHERS_WRITE = 0o022;
const EVERYBODY_WRITES = 0o002;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The folder, made when missing, or `undefined`. Whoever could write there could run code as this user, so
 * it is private, and below a folder that is the user's own already; a shared temporary folder never is.
 */
export function openCacheFolder(env: Env): string | undefined {
  const place = placeOf(env);
  if (place === undefined || !isAbsolute(place.home)) return undefined;
  const home = statSync(place.home, { throwIfNoEntry: false });
  if (home === undefined || !home.isDirectory() || !isOwner(home)) return undefined;
  // Root owns /tmp too, and it stays shared.
  if (process.getuid !== undefined && (home.mode & EVERYBODY_WRITES) !== 0) return undefined;
  let path = place.home;
  for (const name of place.names) {
    path = join(path, name);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, { mode: 0o700 });
  }
  const folder = lstatSync(path);
  return folder.isDirectory() && isOwn(folder) ? path : undefined;
}

function placeOf(env: Env): { home: string; names: readonly string[] } | undefined {
  const names = ['chainlesschain', 'code'];
  const own = env['CHAINLESSCHAIN_HOME'];
  if (own) return { home: own, names: ['cache', 'code'] };
  const cache = process.platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME'];
  if (cache) return { home: cache, names };
  const home = env['HOME'];
  return home ? { home, names: ['.cache', ...names] } : undefined;
}

/** Whether only this user can write there. */
export function isOwn(found: Stats): boolean {
  // Windows keeps neither owner nor mode in these fields; a profile folder is private there.
  if (process.getuid === undefined) return true;
  return isOwner(found) && (found.mode & OTHERS_WRITE) === 0;
}

function isOwner(found: Stats): boolean {
  return process.getuid === undefined || found.uid === process.getuid();
}
