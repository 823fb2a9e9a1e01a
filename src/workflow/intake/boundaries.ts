/** Which part of a project a path belongs to. Pure. */
import type { TopFolder, Workspace } from './survey-model.ts';

/** The parts of a project, as `surveyProject` finds them. */
export interface ProjectParts {
  readonly workspaces: readonly Pick<Workspace, 'folder' | 'name'>[];
  readonly topFolders: readonly Pick<TopFolder, 'folder' | 'guess'>[];
}

/** Files directly in the root are one part, however many they are. */
const ROOT_BOUNDARY = '(root)';

/** Folders that only hold parts: one of their folders is a part, they are none. */
const CONTAINERS: ReadonlySet<string> = new Set(
  'packages apps services crates modules plugins libs projects'.split(' '),
);

/**
 * The innermost workspace around the path, else the folder below a container such as `packages`, else the
 * top folder. `undefined` for paths that say nothing: the whole project, or a place outside of it.
 */
function boundaryOf(path: string, project: ProjectParts): string | undefined {
  const clean = cleanPath(path);
  if (clean === undefined) return undefined;
  const inside = (folder: string) => clean === folder || clean.startsWith(`${folder}/`);
  const [innermost] = project.workspaces
    .map(({ folder }) => folder)
    .filter((folder) => folder !== '.' && inside(folder))
    .sort((a, b) => b.length - a.length);
  if (innermost !== undefined) return innermost;
  const [first = '', second] = clean.split('/');
  if (second === undefined) return isFolder(path, first, project) ? first : ROOT_BOUNDARY;
  // A file directly in a container belongs to the container.
  const isPart = CONTAINERS.has(first) && (clean.split('/').length > 2 || !second.includes('.'));
  return isPart ? `${first}/${second}` : first;
}

/**
 * The parts that the paths touch, sorted. Tests and documents follow the code they belong to, so their
 * top folders count only when nothing else is touched.
 */
export function boundariesOf(paths: readonly string[], project: ProjectParts): string[] {
  const all = new Set<string>();
  for (const path of paths) {
    const boundary = boundaryOf(path, project);
    if (boundary !== undefined) all.add(boundary);
  }
  const follows = (name: string) => {
    const guess = project.topFolders.find(({ folder }) => folder === name)?.guess;
    const isWorkspace = project.workspaces.some(({ folder }) => folder === name);
    return !isWorkspace && (guess === 'tests' || guess === 'docs');
  };
  const leading = [...all].filter((name) => !follows(name));
  return (leading.length > 0 ? leading : [...all]).sort();
}

/** Said to be one, or known as one, or with a pattern for what is inside of it. */
function isFolder(path: string, name: string, project: ProjectParts): boolean {
  const isKnown = project.topFolders.some(({ folder }) => folder === name);
  return isKnown || /[\\/]$/.test(path.trim()) || (isPattern(path) && !isPattern(name));
}

function isPattern(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** Forward slashes, no `./`, nothing from the first wildcard on. */
function cleanPath(path: string): string | undefined {
  const parts = path.trim().replaceAll('\\', '/').split('/');
  const isAbsolute = (parts[0] === '' && parts.length > 1) || /^[A-Za-z]:$/.test(parts[0] ?? '');
  const wildcard = parts.findIndex(isPattern);
  const fixed = wildcard === -1 ? parts : parts.slice(0, wildcard);
  const named = fixed.filter((part) => part !== '' && part !== '.');
  // `*.ts` is about the files of the root; `**` is about everything and says nothing.
  const rest = named.length === 0 && wildcard >= 0 && !(parts[wildcard] ?? '').startsWith('**');
  if (isAbsolute || named.includes('..')) return undefined;
  if (rest && wildcard === parts.length - 1) return parts[wildcard];
  return named.length === 0 ? undefined : named.join('/');
}

/** A folder as people write it in a sentence: `src/`, `./src`. */
export function cleanFolderName(word: string): string {
  return word.replace(/^\.\//, '').replace(/[/.,:;]+$/, '');
}
