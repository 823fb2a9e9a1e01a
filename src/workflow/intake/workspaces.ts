/** The packages that a project's manifests declare as its parts. */
import picomatch from 'picomatch';
import { parse as parseYaml } from 'yaml';
import { isDefined } from './findings.ts';
import { type JsonObject, stringAt, stringsIn, valueAt } from './json-values.ts';
import type { ProjectFolder } from './manifests.ts';
import type { Workspace } from './survey-model.ts';
import { readToml, tomlStrings, tomlValue } from './toml-lines.ts';

/** Workspaces whose manifests are read; further ones are not listed. */
const MAX_WORKSPACES = 200;
const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 200;
/** More of them in one pattern is no workspace but an attack on the matcher. */
const MAX_STARS = 6;
/** Bytes; a YAML file can be far larger in memory than on disk. */
const MAX_YAML_LENGTH = 64 * 1024;
const PACKAGE_NAME = /^(?:@[a-z0-9~][\w.~-]{0,100}\/)?[a-z0-9~][\w.~-]{0,100}$/i;

/** Sorted by folder; a folder of two ecosystems stands there twice. */
export async function findWorkspaces(project: ProjectFolder): Promise<Workspace[]> {
  const manifest = await project.json('package.json');
  const npm = await npmPatterns(project, manifest);
  const found = [
    ...(await describe(project, npm.members, 'npm')),
    ...(await describe(project, await cargoMembers(project), 'cargo')),
    ...(await describe(project, await goModules(project), 'go')),
  ];
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

interface NpmPatterns {
  readonly patterns: readonly string[];
  /** Where they are written. */
  readonly source: string;
  /** Folders that match and have a `package.json`. */
  readonly members: readonly string[];
}

/** `workspaces` of `package.json` in either form, else `packages` of `pnpm-workspace.yaml`. */
export async function npmPatterns(
  project: ProjectFolder,
  manifest: JsonObject | undefined,
): Promise<NpmPatterns> {
  const field = valueAt(manifest, 'workspaces');
  const own = [...stringsIn(field), ...stringsIn(valueAt(field, 'packages'))];
  const patterns = own.length > 0 ? own : await pnpmPatterns(project);
  const source = own.length > 0 ? 'package.json:workspaces' : 'pnpm-workspace.yaml';
  return { patterns, source, members: matching(project, patterns, 'package.json') };
}

/** The modules that `go.work` names; the root itself is `.`. */
export async function goModules(project: ProjectFolder): Promise<string[]> {
  const text = (await project.text('go.work')) ?? '';
  const folders: string[] = [];
  let inBlock = false;
  for (const row of text.split('\n')) {
    const line = (row.split('//')[0] ?? '').trim();
    if (/^use\s*\($/.test(line)) inBlock = true;
    else if (line === ')') inBlock = false;
    else if (inBlock && line !== '') folders.push(line);
    else if (line.startsWith('use ')) folders.push(line.slice(4).trim());
  }
  const clean = folders
    .map((folder) => cleanFolder(folder.replaceAll(/["`]/g, '')))
    .filter(isDefined);
  return clean.filter((folder) => project.has(below(folder, 'go.mod')));
}

async function pnpmPatterns(project: ProjectFolder): Promise<string[]> {
  const name = 'pnpm-workspace.yaml';
  const text = await project.text(name);
  if (text === undefined) return [];
  if (text.length > MAX_YAML_LENGTH) {
    project.note(name, `larger than ${MAX_YAML_LENGTH} characters, not read`);
    return [];
  }
  try {
    const value: unknown = parseYaml(text, {
      schema: 'failsafe',
      maxAliasCount: 0,
      logLevel: 'error',
    });
    return stringsIn(valueAt(value, 'packages'));
  } catch {
    project.note(name, 'is not valid YAML');
    return [];
  }
}

async function cargoMembers(project: ProjectFolder): Promise<string[]> {
  const text = await project.text('Cargo.toml');
  if (text === undefined) return [];
  const file = readToml(text);
  const listed = (key: string) => tomlStrings(tomlValue(file, 'workspace', key));
  const excluded = listed('exclude').map((pattern) => `!${pattern}`);
  return matching(project, [...listed('members'), ...excluded], 'Cargo.toml');
}

/** Folders that fit a pattern, none that begins with `!`, and have the manifest. */
function matching(project: ProjectFolder, patterns: readonly string[], manifest: string): string[] {
  const usable = patterns.slice(0, MAX_PATTERNS);
  const wanted = usable
    .filter((p) => !p.startsWith('!'))
    .map(matcherOf)
    .filter(isDefined);
  const unwanted = usable
    .filter((p) => p.startsWith('!'))
    .map((p) => matcherOf(p.slice(1)))
    .filter(isDefined);
  const hits = (tests: readonly ((folder: string) => boolean)[], folder: string) =>
    tests.some((test) => test(folder));
  return project.folders
    .filter((folder) => project.has(`${folder}/${manifest}`))
    .filter((folder) => hits(wanted, folder) && !hits(unwanted, folder))
    .slice(0, MAX_WORKSPACES);
}

/** `undefined` for patterns that lead out of the project or are made to be slow. */
function matcherOf(pattern: string): ((folder: string) => boolean) | undefined {
  const clean = cleanFolder(pattern);
  if (clean === undefined || clean === '.' || clean.length > MAX_PATTERN_LENGTH) return undefined;
  if (clean.split('*').length - 1 > MAX_STARS || /[()+]/.test(clean)) return undefined;
  return picomatch(clean, { noextglob: true, nonegate: true });
}

function cleanFolder(folder: string): string | undefined {
  const clean =
    folder
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '')
      .replace(/\/+$/, '') || '.';
  const leadsOut = clean.startsWith('/') || clean.split('/').includes('..');
  return leadsOut ? undefined : clean;
}

async function describe(
  project: ProjectFolder,
  folders: readonly string[],
  kind: Workspace['kind'],
): Promise<Workspace[]> {
  const found: Workspace[] = [];
  for (const folder of folders) {
    const name = await nameOf(project, folder, kind);
    found.push(name === undefined ? { folder, kind } : { folder, kind, name });
  }
  return found;
}

async function nameOf(
  project: ProjectFolder,
  folder: string,
  kind: Workspace['kind'],
): Promise<string | undefined> {
  if (kind === 'npm')
    return asName(stringAt(await project.json(below(folder, 'package.json')), 'name'));
  if (kind === 'cargo') {
    const text = (await project.text(below(folder, 'Cargo.toml'))) ?? '';
    return asName(tomlStrings(tomlValue(readToml(text), 'package', 'name'))[0]);
  }
  const text = (await project.text(below(folder, 'go.mod'))) ?? '';
  return asName(/^module[ \t]+(\S+)/m.exec(text)?.[1]?.split('/').at(-1));
}

function asName(name: string | undefined): string | undefined {
  return name !== undefined && PACKAGE_NAME.test(name) ? name : undefined;
}

function below(folder: string, file: string): string {
  return folder === '.' ? file : `${folder}/${file}`;
}
