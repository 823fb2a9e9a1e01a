import { argumentOf } from './command-text.ts';
import { detectNode } from './detect-node.ts';
import { detectOthers } from './detect-others.ts';
import { detectPython } from './detect-python.ts';
import type { Findings } from './findings.ts';
import { languagesOf, sourceFoldersOf, testFoldersOf, topFoldersOf } from './layout.ts';
import { openFolder, openProject, type ProjectFolder } from './manifests.ts';
import type { Commit, DetectedCommand, ProjectSurvey } from './survey-model.ts';
import { MAX_ENTRIES, type Tree, walkTree } from './walk-tree.ts';
import { findWorkspaces } from './workspaces.ts';

const MAX_COMMITS = 10;
const MAX_SUBJECT_LENGTH = 200;
/** Parts with manifests of their own, in a project that has none at its root. */
const MAX_PARTS = 8;
/** Levels below the root where such parts are looked for. */
const MAX_PART_DEPTH = 2;

/** Newest first, each line `<hash> <subject>`, as `git log --format='%h %s'` prints them. */
type RecentCommits = () => Promise<readonly string[]>;

/**
 * Looks at a project and executes nothing: file names from a bounded walk, and the beginning of the
 * manifests it knows. What it cannot read becomes a note. Never rejects.
 */
export async function surveyProject(
  root: string,
  recentCommits?: RecentCommits,
): Promise<ProjectSurvey> {
  const notes: string[] = [];
  const tree = await walkTree(root);
  const project = openProject(root, tree, notes);
  const workspaces = await findWorkspaces(project);
  const whole = await detectIn(project);
  const isBare = whole.every(({ managers, commands }) => managers.length + commands.length === 0);
  const parts = isBare ? await detectInParts({ root, tree, notes }) : [];
  const found = [...whole, ...parts];
  if (!tree.complete) notes.push(`(walk): stopped at its bounds (${MAX_ENTRIES} entries at most)`);
  const folders = workspaces.map(({ folder }) => folder);
  return {
    languages: languagesOf(tree),
    packageManagers: [...new Set(found.flatMap(({ managers }) => managers))],
    workspaces,
    commands: isBare ? parts.flatMap(({ commands }) => commands) : oneOfAKind(whole),
    topFolders: topFoldersOf(tree),
    testFolders: testFoldersOf(tree),
    sourceFolders: sourceFoldersOf(tree, folders),
    recentCommits: await readCommits(recentCommits, notes),
    notes,
    complete: tree.complete,
  };
}

async function detectIn(project: ProjectFolder): Promise<Findings[]> {
  return [await detectNode(project), await detectPython(project), ...(await detectOthers(project))];
}

/** Make repeats what an ecosystem already offers, so that the same tests would run twice. */
function oneOfAKind(found: readonly Findings[]): DetectedCommand[] {
  const own = found.filter(({ managers }) => !managers.includes('make'));
  const commands = own.flatMap((findings) => findings.commands);
  const known = new Set(commands.map(({ kind }) => kind));
  const made = found.filter(({ managers }) => managers.includes('make'));
  const missing = made
    .flatMap((findings) => findings.commands)
    .filter(({ kind }) => !known.has(kind));
  return [...commands, ...missing];
}

async function detectInParts(place: {
  readonly root: string;
  readonly tree: Tree;
  readonly notes: string[];
}): Promise<Findings[]> {
  const found: Findings[] = [];
  const taken: string[] = [];
  for (const folder of place.tree.folders) {
    if (folder.split('/').length > MAX_PART_DEPTH || taken.length === MAX_PARTS) continue;
    if (taken.some((outer) => folder.startsWith(`${outer}/`))) continue;
    const part = openFolder({ ...place, folder });
    const inside = await detectIn(part);
    const managers = inside.flatMap((findings) => findings.managers);
    if (managers.length === 0) continue;
    taken.push(folder);
    found.push({ managers, commands: oneOfAKind(inside).flatMap((one) => moved(part, one)) });
  }
  return found;
}

/** The command as typed at the root of the project. */
function moved({ folder, note }: ProjectFolder, found: DetectedCommand): DetectedCommand[] {
  const target = argumentOf(folder);
  if (target === undefined) {
    note('.', 'its folder cannot be written in a command');
    return [];
  }
  const { kind, command, source } = found;
  return [{ kind, command: `cd ${target} && ${command}`, source: `${folder}/${source}` }];
}

async function readCommits(port: RecentCommits | undefined, notes: string[]): Promise<Commit[]> {
  if (port === undefined) return [];
  try {
    return (await port()).slice(0, MAX_COMMITS).map(commitOf);
  } catch {
    notes.push('(git): recent commits cannot be read');
    return [];
  }
}

function commitOf(line: string): Commit {
  const hash = /^[0-9a-f]{4,64}(?= )/.exec(line)?.[0];
  const rest = line.slice(hash === undefined ? 0 : hash.length + 1, MAX_SUBJECT_LENGTH);
  // oxlint-disable-next-line no-control-regex -- anybody may have written it, and it goes to a terminal
  const subject = rest.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return hash === undefined ? { subject } : { hash, subject };
}
