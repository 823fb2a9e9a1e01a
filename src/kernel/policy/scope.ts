/** What a task may write: the paths and globs of an approved step, and what follows from them. Pure. */
import { posix } from 'node:path';
import picomatch from 'picomatch';

/** Rewritten by package managers whenever the manifest changes. */
const LOCKFILES: readonly { readonly manifest: RegExp; readonly locks: readonly string[] }[] = [
  {
    manifest: /^package\.json$/,
    locks: [
      'package-lock.json',
      'npm-shrinkwrap.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lock',
      'bun.lockb',
    ],
  },
  { manifest: /^Cargo\.toml$/, locks: ['Cargo.lock'] },
  { manifest: /^pyproject\.toml$/, locks: ['poetry.lock', 'uv.lock', 'pdm.lock'] },
  { manifest: /^go\.mod$/, locks: ['go.sum'] },
  { manifest: /^Gemfile$/, locks: ['Gemfile.lock'] },
  { manifest: /^composer\.json$/, locks: ['composer.lock'] },
  { manifest: /\.csproj$/, locks: ['packages.lock.json'] },
];

const TEST_FILE = /(?:^|\/)test_[^/]+$|[._-](?:test|spec)\.[^/]+$|(?:^|\/)__tests__\//;

/**
 * Whether a path belongs to a scope. A name without wildcards is a file or a folder with everything in it;
 * a glob means exactly what it matches, names with a leading dot included; `!` in front takes away. An
 * empty scope is the whole project.
 *
 * @param path Relative to the project, separated by `/`. Case counts.
 */
export function isInScope(path: string, scope: readonly string[]): boolean {
  const without = scope.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  if (without.some((entry) => covers(entry, path))) return false;
  const within = scope.filter((entry) => !entry.startsWith('!'));
  return within.length === 0 || within.some((entry) => covers(entry, path));
}

/**
 * What may be written besides the scope, to be shown at approval: the lockfile of a manifest in scope (of
 * a workspace's member: the one above it), and the folder of snapshots beside a test in scope.
 *
 * @param files All files of the project, relative, separated by `/`.
 * @returns Entries for a scope, sorted; none of them is in the scope already.
 */
export function implicitScope(scope: readonly string[], files: readonly string[]): string[] {
  if (scope.length === 0) return [];
  const existing = new Set(files);
  // A manifest or a test that the step is about to make is known by its name in the scope only.
  const named = scope.map(normalise).filter((entry) => !picomatch.scan(entry).isGlob);
  const inScope = [...new Set([...files, ...named])].filter((file) => isInScope(file, scope));
  const implied = inScope.flatMap((file) => [...lockfilesOf(file, existing), ...snapshotsOf(file)]);
  const takenAway = scope.filter((entry) => entry.startsWith('!'));
  const isNew = (entry: string) => !isInScope(entry, scope) && isInScope(entry, takenAway);
  return [...new Set(implied)].filter(isNew).sort();
}

function covers(entry: string, path: string): boolean {
  const wanted = normalise(entry);
  if (wanted === '') return true;
  // First to the letter: `app/[id]` is a folder's name as well as a glob.
  if (path === wanted || path.startsWith(`${wanted}/`)) return true;
  const glob = entry.trim().endsWith('/') ? `${wanted}/**` : wanted;
  return picomatch.isMatch(path, glob, { dot: true, nonegate: true, windows: false });
}

/** `./src/`, `src/` and `src` are one; the project itself is the empty text. */
function normalise(entry: string): string {
  const plain = entry
    .trim()
    .replace(/^(?:\.\/+)+/, '')
    .replace(/\/+$/, '');
  return plain === '.' ? '' : plain;
}

function lockfilesOf(file: string, existing: ReadonlySet<string>): string[] {
  const { dir, base } = posix.parse(file);
  const rule = LOCKFILES.find(({ manifest }) => manifest.test(base));
  if (rule === undefined) return [];
  const candidates = [dir, ...foldersAbove(dir)].map((folder) =>
    rule.locks.map((lock) => posix.join(folder, lock)),
  );
  const nearest = candidates.find((locks) => locks.some((lock) => existing.has(lock)));
  // None yet: whichever manager is called will make its own.
  return nearest?.filter((lock) => existing.has(lock)) ?? candidates[0] ?? [];
}

function foldersAbove(dir: string): string[] {
  if (dir === '') return [];
  const above = posix.dirname(dir);
  return above === '.' ? [''] : [above, ...foldersAbove(above)];
}

function snapshotsOf(file: string): string[] {
  return TEST_FILE.test(file) ? [posix.join(posix.dirname(file), '__snapshots__')] : [];
}
