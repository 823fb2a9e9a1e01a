/**
 * Which paths belong to a folder, links considered. Asks the disk synchronously: a command asks hundreds of
 * times, each answer takes microseconds, and nothing can be slipped in between two of the questions.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { quoted } from './errno.ts';
import { CcError } from './errors.ts';

const MAX_LINKS = 40;

/** Whether `path` is `root` or lies below it. Text only: both are real paths already. */
export function isInside(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest.split(/[\\/]/)[0] !== '..' && !isAbsolute(rest);
}

/**
 * Where a path really leads, following every link on the way, the last one and dangling ones too. Parts
 * that do not exist yet are kept as they are, so that a file can be judged before it is made.
 *
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` when the links go round in circles.
 */
export async function resolveLinks(path: string): Promise<string> {
  return resolveLinksNow(path);
}

/** The same, for whoever cannot wait. */
export function resolveLinksNow(path: string): string {
  let rest = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    const next = followFirstLink(rest);
    if (next === undefined) return rest;
    rest = next;
  }
  throw new CcError('PATH_OUTSIDE_WORKSPACE', `${path} is a circle of links`);
}

/**
 * Where `path` really leads, when that is inside `root`.
 *
 * @param path Absolute, or relative to `root`.
 * @param hint The command that helps, where there is one.
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` with the place it leads to.
 */
export async function assertInside(root: string, path: string, hint?: string): Promise<string> {
  const real = await resolveLinks(resolve(root, path));
  if (isInside(realpathSync(root), real)) return real;
  throw new CcError('PATH_OUTSIDE_WORKSPACE', `${path} leads to ${real}, outside of ${root}`, {
    ...(hint === undefined ? {} : { hint }),
    details: { path, leadsTo: real },
  });
}

/**
 * For what is written to: neither it nor a folder from below `root` down to it is a link, not even one that
 * stays inside `root`, where it could lead into `.git`. What does not exist yet is fine.
 *
 * @param hint The command that helps; one that puts the link aside unless given.
 * @throws {CcError} `PATH_OUTSIDE_WORKSPACE` with the link and the place it leads to.
 */
export function assertNoLinks(root: string, target: string, hint?: string): void {
  let path = root;
  for (const name of relative(root, target).split(sep)) {
    path = join(path, name);
    const found = linkTarget(path);
    if (found === 'missing') return;
    if (found === undefined) continue;
    const leadsTo = resolve(dirname(path), found.link);
    throw new CcError(
      'PATH_OUTSIDE_WORKSPACE',
      `${path} is a link to ${leadsTo}: nothing is written through it`,
      {
        hint: hint ?? `mv ${quoted(path)} ${quoted(`${path}.link`)}`,
        details: { path, leadsTo },
      },
    );
  }
}

/** Replaces the first component that is a link by its target; `undefined` when there is none. */
function followFirstLink(path: string): string | undefined {
  const parts = path.split(sep);
  for (let end = 2; end <= parts.length; end++) {
    const head = parts.slice(0, end).join(sep) || sep;
    const target = linkTarget(head);
    if (target === 'missing') return undefined;
    if (target !== undefined) return resolve(dirname(head), target.link, ...parts.slice(end));
  }
  return undefined;
}

function linkTarget(path: string): { readonly link: string } | 'missing' | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'missing';
    return found.isSymbolicLink() ? { link: readlinkSync(path) } : undefined;
  } catch {
    // A name too long, or a folder that may not be searched: whoever opens it will be told.
    return 'missing';
  }
}
