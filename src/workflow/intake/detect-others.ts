/** Ecosystems that one or two files give away. */
import { argumentOf, isPlaceholder } from './command-text.ts';
import { commandOf, type Detector, type Findings, isDefined, NOTHING_FOUND } from './findings.ts';
import { stringsIn, valueAt } from './json-values.ts';
import type { ProjectFolder } from './manifests.ts';
import { hasTable, readToml } from './toml-lines.ts';
import { goModules } from './workspaces.ts';

/** Modules that fit in one command line. */
const MAX_GO_MODULES = 20;

const detectGo: Detector = async (project) => {
  const source = project.firstOf('go.work', 'go.mod');
  if (source === undefined) return NOTHING_FOUND;
  // In a workspace, `./...` covers only the module of the root, if there is one.
  const modules =
    source === 'go.work' ? (await goModules(project)).slice(0, MAX_GO_MODULES) : ['.'];
  const targets = modules
    .map((folder) => argumentOf(folder === '.' ? './...' : `./${folder}/...`))
    .filter(isDefined)
    .join(' ');
  if (targets === '') return { managers: ['go'], commands: [] };
  const commands = [
    commandOf('test', `go test ${targets}`, source),
    commandOf('lint', `go vet ${targets}`, source),
    commandOf('build', `go build ${targets}`, source),
  ];
  return { managers: ['go'], commands };
};

const detectCargo: Detector = async (project) => {
  const source = 'Cargo.toml';
  if (!project.has(source)) return NOTHING_FOUND;
  const file = readToml((await project.text(source)) ?? '');
  // A root that is a package itself leaves its members out unless told otherwise.
  const isBoth = hasTable(file, 'workspace') && hasTable(file, 'package');
  const clippy =
    project.firstOf('clippy.toml', '.clippy.toml') ??
    (hasTable(file, 'lints.clippy') || hasTable(file, 'workspace.lints.clippy')
      ? source
      : undefined);
  const commands = [
    commandOf('test', isBoth ? 'cargo test --workspace' : 'cargo test', source),
    clippy === undefined ? undefined : commandOf('lint', 'cargo clippy', clippy),
    commandOf('build', 'cargo build', source),
  ];
  return { managers: ['cargo'], commands: commands.filter(isDefined) };
};

const detectMaven: Detector = async (project) => {
  if (!project.has('pom.xml')) return NOTHING_FOUND;
  const program = project.has('mvnw') ? './mvnw' : 'mvn';
  return { managers: ['maven'], commands: [commandOf('test', `${program} -q test`, 'pom.xml')] };
};

const detectGradle: Detector = async (project) => {
  const names = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];
  const source = project.firstOf(...names);
  if (source === undefined) return NOTHING_FOUND;
  const program = project.has('gradlew') ? './gradlew' : 'gradle';
  return { managers: ['gradle'], commands: [commandOf('test', `${program} test`, source)] };
};

const detectRuby: Detector = async (project) => {
  const gemfile = await project.text('Gemfile');
  const run = gemfile === undefined ? '' : 'bundle exec ';
  const hasSpecs = project.files.some(
    (file) => file.startsWith('spec/') && file.endsWith('_spec.rb'),
  );
  const hasTests = project.files.some((file) => /^test\/.*(?:_test|test_[^/]*)\.rb$/.test(file));
  const usesRspec = project.has('.rspec') || /\brspec\b/.test(gemfile ?? '');
  const tests = () => {
    if (usesRspec && hasSpecs) return commandOf('test', `${run}rspec`, 'spec');
    if (hasTests && project.has('bin/rails'))
      return commandOf('test', 'bin/rails test', 'bin/rails');
    if (hasTests && project.has('Rakefile'))
      return commandOf('test', `${run}rake test`, 'Rakefile');
    return undefined;
  };
  const cop = project.has('.rubocop.yml')
    ? commandOf('lint', `${run}rubocop`, '.rubocop.yml')
    : undefined;
  return {
    managers: gemfile === undefined ? [] : ['bundler'],
    commands: [tests(), cop].filter(isDefined),
  };
};

const detectComposer: Detector = async (project) => {
  const source = 'composer.json';
  const phpunit = project.firstOf('phpunit.xml', 'phpunit.xml.dist');
  if (!project.has(source) && phpunit === undefined) return NOTHING_FOUND;
  const script = valueAt(valueAt(await project.json(source), 'scripts'), 'test');
  const lines = typeof script === 'string' ? [script] : stringsIn(script);
  const phpstan = project.firstOf('phpstan.neon', 'phpstan.neon.dist');
  const tests = () => {
    if (lines.some((line) => !isPlaceholder(line))) {
      return commandOf('test', 'composer test', `${source}:scripts.test`);
    }
    return phpunit === undefined ? undefined : commandOf('test', 'vendor/bin/phpunit', phpunit);
  };
  const lint =
    phpstan === undefined ? undefined : commandOf('lint', 'vendor/bin/phpstan analyse', phpstan);
  return { managers: ['composer'], commands: [tests(), lint].filter(isDefined) };
};

const detectMix: Detector = async (project) => {
  if (!project.has('mix.exs')) return NOTHING_FOUND;
  const credo = project.has('.credo.exs')
    ? commandOf('lint', 'mix credo', '.credo.exs')
    : undefined;
  const commands = [commandOf('test', 'mix test', 'mix.exs'), credo].filter(isDefined);
  return { managers: ['mix'], commands };
};

const detectDotnet: Detector = async (project) => {
  const projects = project.files.filter((file) => /\.(?:cs|fs|vb)proj$/.test(file));
  const source = project.files.find((file) => /^[^/]+\.slnx?$/.test(file)) ?? projects[0];
  if (source === undefined) return NOTHING_FOUND;
  // Without a test project `dotnet test` passes with nothing run.
  const tests = projects.find((file) => /tests?\.[a-z]+$/i.test(file));
  const commands = [
    tests === undefined ? undefined : commandOf('test', 'dotnet test', tests),
    commandOf('build', 'dotnet build', source),
  ];
  return { managers: ['dotnet'], commands: commands.filter(isDefined) };
};

const MAKE_TARGETS = { test: 'test', check: 'test', lint: 'lint', typecheck: 'typecheck' } as const;

const detectMake: Detector = async (project) => {
  const source = project.firstOf('GNUmakefile', 'makefile', 'Makefile');
  if (source === undefined) return NOTHING_FOUND;
  const targets = makeTargets((await project.text(source)) ?? '');
  const commands = Object.entries(MAKE_TARGETS)
    .filter(([target]) => targets.has(target))
    .filter(([target]) => target !== 'check' || !targets.has('test'))
    .map(([target, kind]) => commandOf(kind, `make ${target}`, `${source}:${target}`));
  return { managers: ['make'], commands };
};

/** Targets that do something: they need others, or have a line that is no placeholder. */
function makeTargets(text: string): ReadonlySet<string> {
  const real = new Set<string>();
  let current: readonly string[] = [];
  for (const row of text.split('\n')) {
    if (row.startsWith('\t')) {
      const recipe = row.trim().replace(/^[@+-]+\s*/, '');
      if (recipe !== '' && !isPlaceholder(recipe)) for (const name of current) real.add(name);
      continue;
    }
    const rule = /^([\w. -]{1,200}?):(?![:=])(.*)$/.exec(row);
    if (rule === null) {
      if (row.trim() !== '' && !row.startsWith('#')) current = [];
      continue;
    }
    current = (rule[1] ?? '').split(' ').filter((name) => name !== '');
    const needs = (rule[2] ?? '').split('#')[0]?.trim() ?? '';
    if (needs !== '' && !current.includes('.PHONY')) for (const name of current) real.add(name);
  }
  return real;
}

/** Make comes last: where a project has both, its own ecosystem knows more. */
const DETECTORS: readonly Detector[] = [
  detectGo,
  detectCargo,
  detectMaven,
  detectGradle,
  detectRuby,
  detectComposer,
  detectMix,
  detectDotnet,
  detectMake,
];

/** Everything but JavaScript and Python. */
export async function detectOthers(project: ProjectFolder): Promise<Findings[]> {
  const found: Findings[] = [];
  for (const detect of DETECTORS) found.push(await detect(project));
  return found;
}
