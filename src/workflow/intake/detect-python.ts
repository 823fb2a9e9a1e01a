import { argumentOf } from './command-text.ts';
import { commandOf, type Detector, isDefined, NOTHING_FOUND } from './findings.ts';
import type { ProjectFolder } from './manifests.ts';
import type { DetectedCommand, PackageManager } from './survey-model.ts';
import { hasTable, readToml, type TomlFile, tomlStrings } from './toml-lines.ts';
import { unittestCommands } from './unittest-folders.ts';

/** Test files whose first bytes are read to see which library they use. */
const MAX_PEEKS = 40;

interface PythonSetup {
  readonly project: ProjectFolder;
  readonly pyproject: TomlFile;
  /** Section names of `setup.cfg` and `tox.ini`. */
  readonly sections: ReadonlySet<string>;
  /** Names of the packages that requirements files and the like mention, lower case. */
  readonly listed: ReadonlySet<string>;
}

/** Python projects: pytest where it is configured or listed, else unittest where its tests are. */
export const detectPython: Detector = async (project) => {
  const setup = await readSetup(project);
  const managers = managersOf(setup);
  const tests = await testCommands(setup);
  if (managers.length === 0 && tests.length === 0) return NOTHING_FOUND;
  return { managers, commands: [...tests, ...checkCommands(setup)] };
};

async function readSetup(project: ProjectFolder): Promise<PythonSetup> {
  const pyproject = readToml((await project.text('pyproject.toml')) ?? '');
  const ini = [await project.text('setup.cfg'), await project.text('tox.ini')].join('\n');
  const sections = new Set(
    [...ini.matchAll(/^\[([^\]\n]{1,80})\]/gm)].map(([, name]) => name ?? ''),
  );
  const listed = new Set([...requirementsIn(ini), ...requirementsOf(pyproject)]);
  for (const file of project.files.filter(isRequirements)) {
    for (const name of requirementsIn((await project.text(file)) ?? '')) listed.add(name);
  }
  return { project, pyproject, sections, listed };
}

function isRequirements(file: string): boolean {
  return (
    /^(?:requirements\/)?[\w-]*requirements?[\w.-]*\.(?:txt|in)$/i.test(file) || file === 'Pipfile'
  );
}

function requirementsIn(text: string): string[] {
  const rows = text.split('\n').map((row) => /^\s*([A-Za-z][\w.-]{0,80})/.exec(row)?.[1]);
  return rows.filter(isDefined).map((name) => name.toLowerCase());
}

/** Lists of strings such as `dependencies`, and poetry's tables with a key per package. */
function requirementsOf(file: TomlFile): string[] {
  return file.lines
    .filter(({ key }) => key !== 'name' && key !== 'description')
    .flatMap(({ table, key, value }) => {
      const keys = table.includes('dependencies') ? [key] : [];
      return [...keys, ...requirementsIn(tomlStrings(value).join('\n'))];
    });
}

function managersOf({ project, pyproject }: PythonSetup): PackageManager[] {
  const managers: PackageManager[] = [];
  if (project.has('poetry.lock') || hasTable(pyproject, 'tool.poetry')) managers.push('poetry');
  if (project.has('uv.lock') || hasTable(pyproject, 'tool.uv')) managers.push('uv');
  if (managers.length > 0) return managers;
  const known = project.firstOf('pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile');
  return known !== undefined || project.files.some(isRequirements) ? ['pip'] : [];
}

async function testCommands(setup: PythonSetup): Promise<DetectedCommand[]> {
  const { project } = setup;
  const configured = pytestSource(setup);
  if (configured !== undefined) return [commandOf('test', 'python3 -m pytest -q', configured)];
  if (project.has('manage.py') && (await project.peek('manage.py')).includes('django')) {
    return [commandOf('test', 'python3 manage.py test', 'manage.py')];
  }
  const tests = project.files.filter((file) => /(?:^|\/)(?:test[^/]*|[^/]*_test)\.py$/.test(file));
  const unittest: string[] = [];
  let pytest: string | undefined;
  for (const file of tests.slice(0, MAX_PEEKS)) {
    const text = await project.peek(file);
    if (/^[ \t]{0,40}(?:import|from)[ \t]+pytest\b/m.test(text)) pytest ??= file;
    else if (/\bunittest\b/.test(text)) unittest.push(file);
    else if (/^def[ \t]+test_/m.test(text)) pytest ??= file;
  }
  if (pytest !== undefined) return [commandOf('test', 'python3 -m pytest -q', pytest)];
  return unittestCommands(project, unittest);
}

function pytestSource({ project, pyproject, sections, listed }: PythonSetup): string | undefined {
  if (hasTable(pyproject, 'tool.pytest')) return 'pyproject.toml:tool.pytest';
  const file = project.firstOf('pytest.ini', '.pytest.ini');
  if (file !== undefined) return file;
  if (sections.has('tool:pytest')) return 'setup.cfg:tool:pytest';
  if (sections.has('pytest')) return 'tox.ini:pytest';
  const conftest = project.files.find((name) => /(?:^|\/)conftest\.py$/.test(name));
  if (conftest !== undefined) return conftest;
  return [...listed].find((name) => /^pytest(?:$|[-_])/.test(name));
}

function checkCommands(setup: PythonSetup): DetectedCommand[] {
  const { project, pyproject, sections } = setup;
  const configured = (table: string, ...files: string[]) =>
    project.firstOf(...files) ??
    (hasTable(pyproject, `tool.${table}`) ? `pyproject.toml:tool.${table}` : undefined) ??
    (sections.has(table) ? `setup.cfg:${table}` : undefined);
  const ruff = configured('ruff', 'ruff.toml', '.ruff.toml');
  const flake8 = configured('flake8', '.flake8');
  const mypy = configured('mypy', 'mypy.ini', '.mypy.ini');
  return [
    ruff === undefined ? undefined : commandOf('lint', 'ruff check .', ruff),
    flake8 === undefined ? undefined : commandOf('lint', 'python3 -m flake8', flake8),
    mypy === undefined
      ? undefined
      : commandOf('typecheck', `python3 -m mypy ${mypyTarget(project)}`, mypy),
  ].filter(isDefined);
}

/** The sources where they are known, because `mypy .` trips over a second module of the same name. */
function mypyTarget(project: ProjectFolder): string {
  return project.hasFolder('src') ? (argumentOf('src') ?? '.') : '.';
}
