/** Where `python3 -m unittest discover` has to start to find given test files. */
import { argumentOf } from './command-text.ts';
import { commandOf, isDefined } from './findings.ts';
import type { ProjectFolder } from './manifests.ts';
import type { DetectedCommand } from './survey-model.ts';

/** Starting points; a project with more of them has its own way to run its tests. */
const MAX_STARTS = 3;

interface Start {
  readonly folder: string;
  /** The tests belong to a package, which is imported from the root. */
  readonly isPackage: boolean;
  /** `*_test.py` is not what discovery looks for by itself. */
  readonly pattern: string | undefined;
  readonly source: string;
}

/** One command per starting point. Discovery enters only folders with an `__init__.py`. */
export function unittestCommands(
  project: ProjectFolder,
  tests: readonly string[],
): DetectedCommand[] {
  const starts = new Map<string, Start>();
  for (const file of tests) {
    const start = startOf(project, file);
    const key = `${start.folder}|${start.pattern ?? ''}`;
    if (!starts.has(key)) starts.set(key, start);
  }
  const found = [...starts.values()];
  for (const { source } of found.slice(MAX_STARTS))
    project.note(source, 'not covered by a detected check');
  return found
    .slice(0, MAX_STARTS)
    .map((start) => discover(project, start))
    .filter(isDefined);
}

function startOf(project: ProjectFolder, file: string): Start {
  const isPackage = (folder: string) => project.has(`${folder}/__init__.py`);
  let folder = parentOf(file);
  const name = file.slice(file.lastIndexOf('/') + 1);
  while (folder !== '.' && isPackage(folder) && parentOf(folder) !== '.') folder = parentOf(folder);
  const pattern = name.startsWith('test') ? undefined : '*_test.py';
  return { folder, isPackage: folder !== '.' && isPackage(folder), pattern, source: file };
}

function discover(project: ProjectFolder, start: Start): DetectedCommand | undefined {
  const folder = argumentOf(start.folder);
  if (folder === undefined) {
    project.note(start.source, 'its folder cannot be written in a command');
    return undefined;
  }
  const top = start.isPackage ? ' -t .' : '';
  const pattern = start.pattern === undefined ? '' : ` -p "${start.pattern}"`;
  return commandOf(
    'test',
    `python3 -m unittest discover -s ${folder}${top}${pattern}`,
    start.source,
  );
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '.' : path.slice(0, slash);
}
