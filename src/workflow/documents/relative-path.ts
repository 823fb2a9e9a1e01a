/** Paths and globs that people write into a plan. */

export type RelativePath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string };

const NEVER_TOUCHED = new Set(['.git', '.chainlesschain']);

/** Without a leading `./` and doubled slashes; refused when it could leave the project or enter what is ours or Git's. */
export function relativePathOf(text: string): RelativePath {
  const path = text.replace(/\/{2,}/g, '/').replace(/^(?:\.\/)+(?=.)/, '');
  if (path === '') return { ok: false, problem: 'is empty' };
  if (/\p{Cc}/u.test(path)) return { ok: false, problem: 'holds a control character' };
  if (/^[/\\~]|^[a-z]:/i.test(text))
    return { ok: false, problem: 'is not relative to the project' };
  if (path.startsWith('!'))
    return { ok: false, problem: 'begins with !, which would mean the rest' };

  const folders = path.split(/[/\\{},]/);
  if (folders.includes('..')) return { ok: false, problem: 'climbs out with ..' };
  const owned = folders
    // Windows drops dots and spaces at the end, and knows .git by a second name.
    .map((folder) =>
      folder
        .toLowerCase()
        .replace(/[. ]+$/, '')
        .replace(/^git~\d$/, '.git'),
    )
    .find((folder) => NEVER_TOUCHED.has(folder));
  if (owned !== undefined)
    return { ok: false, problem: `is inside ${owned}, which no step may change` };
  return { ok: true, path };
}
