import { isFixer, isPlaceholder, isUnfailing, isWatcher } from './command-text.ts';
import { commandOf, type Detector, isDefined, NOTHING_FOUND } from './findings.ts';
import { type JsonObject, stringAt, valueAt } from './json-values.ts';
import type { ProjectFolder } from './manifests.ts';
import type { CommandKind, DetectedCommand } from './survey-model.ts';
import { npmPatterns } from './workspaces.ts';

type NodeManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const MANIFEST = 'package.json';

const LOCKFILES: Readonly<Record<string, NodeManager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'pnpm-workspace.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
};

/** Names under which projects keep a check, the usual one first. */
const SCRIPT_NAMES: Readonly<Record<CommandKind, readonly string[]>> = {
  test: ['test', 'tests', 'test:unit', 'unit', 'test:ci'],
  typecheck: ['typecheck', 'type-check', 'check:types', 'types', 'tsc'],
  lint: ['lint', 'lint:check', 'check:lint', 'eslint', 'check'],
  build: ['build', 'compile'],
};
const KINDS = ['test', 'typecheck', 'lint', 'build'] as const;

/** Runs a program of an installed package. */
const RUNNERS: Readonly<Record<NodeManager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn run',
  bun: 'bunx',
};

/** Test libraries that run by themselves, by the package that brings them. */
const TEST_LIBRARIES = { vitest: 'vitest run', jest: 'jest', mocha: 'mocha', ava: 'ava' } as const;

/** `package.json` with its scripts, and JavaScript tests that need neither. */
export const detectNode: Detector = async (project) => {
  if (!project.has(MANIFEST)) {
    return { ...NOTHING_FOUND, commands: [testWithoutLibrary(project)].filter(isDefined) };
  }
  const manifest = await project.json(MANIFEST);
  const manager = managerOf(project, manifest);
  if (manifest === undefined) return { managers: [manager], commands: [] };
  const scripts = KINDS.map((kind) => scriptOf({ project, manifest, manager, kind }));
  const commands = [
    scripts[0] ?? (await workspaceTest(project, manifest, manager)) ?? plainTest(project, manifest),
    scripts[1] ?? plainTypecheck(project, manifest, manager),
    ...scripts.slice(2),
  ];
  return { managers: [manager], commands: commands.filter(isDefined) };
};

/** `packageManager` is a decision, a lockfile a trace. */
function managerOf(project: ProjectFolder, manifest: JsonObject | undefined): NodeManager {
  const declared = stringAt(manifest, 'packageManager')?.split('@')[0];
  if (declared !== undefined && Object.hasOwn(RUNNERS, declared)) return declared as NodeManager; // a key of the table
  const lockfile = project.firstOf(...Object.keys(LOCKFILES));
  return (lockfile === undefined ? undefined : LOCKFILES[lockfile]) ?? 'npm';
}

interface Wanted {
  readonly project: ProjectFolder;
  readonly manifest: JsonObject;
  readonly manager: NodeManager;
  readonly kind: CommandKind;
}

function scriptOf({ project, manifest, manager, kind }: Wanted): DetectedCommand | undefined {
  const scripts = valueAt(manifest, 'scripts');
  for (const name of SCRIPT_NAMES[kind]) {
    const script = stringAt(scripts, name);
    if (script === undefined || isPlaceholder(script)) continue;
    const problem = unusable(script);
    if (problem === undefined) {
      return commandOf(kind, runScript(manager, name, script), `${MANIFEST}:scripts.${name}`);
    }
    project.note(MANIFEST, `scripts.${name} ${problem}, so it is not used as a check`);
  }
  return undefined;
}

function unusable(script: string): string | undefined {
  if (isFixer(script)) return 'changes files';
  if (isUnfailing(script)) return 'cannot fail';
  return isWatcher(script) ? 'waits for changes' : undefined;
}

function runScript(manager: NodeManager, name: string, script: string): string {
  // `bun test` is Bun's own runner and never looks at the script of that name.
  if (manager === 'bun') return script.startsWith('bun test') ? 'bun test' : `bun run ${name}`;
  return name === 'test' ? `${manager} test` : `${manager} run ${name}`;
}

/** The tests of all workspaces, when at least one of them has some. */
async function workspaceTest(
  project: ProjectFolder,
  manifest: JsonObject,
  manager: NodeManager,
): Promise<DetectedCommand | undefined> {
  const { patterns, source, members } = await npmPatterns(project, manifest);
  if (patterns.length === 0) return undefined;
  for (const member of members) {
    const inner = await project.json(`${member}/${MANIFEST}`);
    const script = stringAt(valueAt(inner, 'scripts'), 'test');
    if (script === undefined || isPlaceholder(script) || isWatcher(script)) continue;
    return commandOf('test', allWorkspaces(project, manifest, manager), source);
  }
  return undefined;
}

function allWorkspaces(project: ProjectFolder, manifest: JsonObject, manager: NodeManager): string {
  if (manager === 'pnpm') return 'pnpm -r --if-present run test';
  if (manager === 'bun') return 'bun run --filter "*" test';
  if (manager === 'npm') return 'npm test --workspaces --if-present';
  const isModern =
    project.has('.yarnrc.yml') || /^yarn@[2-9]/.test(stringAt(manifest, 'packageManager') ?? '');
  return isModern ? 'yarn workspaces foreach -A run test' : 'yarn workspaces run test';
}

function plainTest(project: ProjectFolder, manifest: JsonObject): DetectedCommand | undefined {
  const manager = managerOf(project, manifest);
  const library = Object.entries(TEST_LIBRARIES).find(([name]) => depends(manifest, name));
  if (library !== undefined) {
    if (testFiles(project).length === 0) return undefined;
    const [name, call] = library;
    return commandOf('test', `${RUNNERS[manager]} ${call}`, `${MANIFEST}:${name}`);
  }
  return testWithoutLibrary(project);
}

function testWithoutLibrary(project: ProjectFolder): DetectedCommand | undefined {
  const found = testFiles(project);
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.some((file) => /\.[cm]?js$/.test(file))) return commandOf('test', 'node --test', first);
  // Older Node finds no TypeScript by itself and would pass with nothing run; with a pattern it fails.
  const pattern = `**/*.test${/\.[cm]?ts$/.exec(first)?.[0] ?? '.ts'}`;
  project.note(first, 'a test in TypeScript without a script needs a Node that strips types');
  return commandOf('test', `node --test "${pattern}"`, first);
}

/** What `node --test` itself takes for tests: by name, and scripts below a folder `test`. */
function testFiles(project: ProjectFolder): string[] {
  return project.files.filter(
    (file) =>
      /\.test\.[cm]?[jt]s$/.test(file) ||
      /(?:^|\/)test\/(?:.*\/)?(?:test-[^/]*|[^/]*-test|test)\.[cm]?[jt]s$/.test(file) ||
      (/(?:^|\/)test\/[^/]*\.[cm]?js$/.test(file) &&
        !/(?:helper|support|fixture|setup)/.test(file)),
  );
}

/** Without its package `npx tsc` would fetch some other program of that name. */
function plainTypecheck(
  project: ProjectFolder,
  manifest: JsonObject,
  manager: NodeManager,
): DetectedCommand | undefined {
  if (!project.has('tsconfig.json') || !depends(manifest, 'typescript')) return undefined;
  return commandOf('typecheck', `${RUNNERS[manager]} tsc --noEmit`, 'tsconfig.json');
}

function depends(manifest: JsonObject, name: string): boolean {
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return groups.some((group) => stringAt(valueAt(manifest, group), name) !== undefined);
}
