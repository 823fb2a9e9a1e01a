import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { surveyProject } from '../../../src/workflow/intake/project-survey.ts';
import { TempFolder } from './temp-folder.ts';

type Files = Readonly<Record<string, string>>;

const pkg = (value: object) => JSON.stringify(value);
const scripts = (value: Readonly<Record<string, string>>) => pkg({ name: 'x', scripts: value });
const NPM_DEFAULT = 'echo "Error: no test specified" && exit 1';
const UNITTEST = 'import unittest\n\nclass T(unittest.TestCase):\n    pass\n';

async function survey(files: Files) {
  await using folder = await TempFolder.create(files);
  return await surveyProject(folder.root);
}

async function commandsOf(files: Files): Promise<string[]> {
  const { commands } = await survey(files);
  return commands.map(({ kind, command }) => `${kind}: ${command}`);
}

describe('commands', () => {
  test.each<[string, Files, string[]]>([
    ['an empty folder', {}, []],
    [
      'npm scripts',
      { 'package.json': scripts({ test: 'vitest run', lint: 'eslint .', build: 'tsc' }) },
      ['test: npm test', 'lint: npm run lint', 'build: npm run build'],
    ],
    [
      'pnpm by its lockfile',
      { 'package.json': scripts({ test: 'jest', lint: 'eslint .' }), 'pnpm-lock.yaml': '' },
      ['test: pnpm test', 'lint: pnpm run lint'],
    ],
    [
      'yarn by its lockfile',
      { 'package.json': scripts({ test: 'jest' }), 'yarn.lock': '' },
      ['test: yarn test'],
    ],
    [
      'packageManager before the lockfile',
      {
        'package.json': pkg({ packageManager: 'yarn@4.1.0', scripts: { test: 'jest' } }),
        'package-lock.json': '{}',
      },
      ['test: yarn test'],
    ],
    [
      'bun, whose own test command ignores scripts',
      { 'package.json': scripts({ test: 'node t.js' }), 'bun.lock': '' },
      ['test: bun run test'],
    ],
    [
      'bun with its own runner',
      { 'package.json': scripts({ test: 'bun test' }), 'bun.lockb': '' },
      ['test: bun test'],
    ],
    [
      'a second name for the test script',
      { 'package.json': scripts({ 'test:unit': 'jest' }) },
      ['test: npm run test:unit'],
    ],
    [
      'type checks under their usual names',
      { 'package.json': scripts({ 'check:types': 'tsc' }) },
      ['typecheck: npm run check:types'],
    ],
    ['a linter that changes files', { 'package.json': scripts({ lint: 'eslint --fix .' }) }, []],
    ['a test that waits', { 'package.json': scripts({ test: 'jest --watch' }) }, []],
    [
      'a test that only names its folder watch',
      { 'package.json': scripts({ test: 'node watch/test.js' }) },
      ['test: npm test'],
    ],
    [
      'a workspace without a test at its root',
      {
        'package.json': pkg({ workspaces: ['packages/*'] }),
        'packages/a/package.json': scripts({ test: 'node t.js' }),
      },
      ['test: npm test --workspaces --if-present'],
    ],
    [
      "a workspace whose root has npm's default",
      {
        'package.json': pkg({ workspaces: ['packages/*'], scripts: { test: NPM_DEFAULT } }),
        'packages/a/package.json': scripts({ test: 'node t.js' }),
      },
      ['test: npm test --workspaces --if-present'],
    ],
    [
      'a workspace that tests nothing anywhere',
      {
        'package.json': pkg({ workspaces: ['packages/*'] }),
        'packages/a/package.json': scripts({ test: NPM_DEFAULT }),
      },
      [],
    ],
    [
      'a pnpm workspace',
      {
        'package.json': pkg({}),
        'pnpm-workspace.yaml': 'packages:\n  - apps/*\n',
        'apps/a/package.json': scripts({ test: 'jest' }),
      },
      ['test: pnpm -r --if-present run test'],
    ],
    [
      'a yarn 1 workspace',
      {
        'package.json': pkg({ workspaces: { packages: ['p/*'] } }),
        'yarn.lock': '',
        'p/a/package.json': scripts({ test: 'jest' }),
      },
      ['test: yarn workspaces run test'],
    ],
    [
      'a yarn 4 workspace',
      {
        'package.json': pkg({ workspaces: ['p/*'] }),
        'yarn.lock': '',
        '.yarnrc.yml': '',
        'p/a/package.json': scripts({ test: 'jest' }),
      },
      ['test: yarn workspaces foreach -A run test'],
    ],
    [
      'TypeScript without scripts',
      { 'package.json': pkg({ devDependencies: { typescript: '6' } }), 'tsconfig.json': '{}' },
      ['typecheck: npx tsc --noEmit'],
    ],
    ['a tsconfig without the package', { 'package.json': pkg({}), 'tsconfig.json': '{}' }, []],
    ['tests for node itself', { 'package.json': pkg({}), 'a.test.mjs': '' }, ['test: node --test']],
    ['tests without a package.json', { 'test/a.js': '' }, ['test: node --test']],
    [
      'tests in TypeScript without a script',
      { 'package.json': pkg({}), 'src/a.test.ts': '' },
      ['test: node --test "**/*.test.ts"'],
    ],
    [
      'vitest without a script',
      { 'package.json': pkg({ devDependencies: { vitest: '4' } }), 'a.test.ts': '' },
      ['test: npx vitest run'],
    ],
    [
      'pytest in pyproject',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
      ['test: python3 -m pytest -q'],
    ],
    [
      'pytest among the dependencies',
      { 'pyproject.toml': '[project.optional-dependencies]\ndev = [\n  "pytest>=8", # tests\n]\n' },
      ['test: python3 -m pytest -q'],
    ],
    [
      'pytest with poetry',
      { 'pyproject.toml': '[tool.poetry.group.dev.dependencies]\npytest = "^8"\n' },
      ['test: python3 -m pytest -q'],
    ],
    [
      'pytest in requirements',
      { 'requirements-dev.txt': 'requests\npytest==8.0\n' },
      ['test: python3 -m pytest -q'],
    ],
    [
      'pytest in setup.cfg',
      { 'setup.cfg': '[tool:pytest]\naddopts = -q\n' },
      ['test: python3 -m pytest -q'],
    ],
    ['pytest.ini', { 'pytest.ini': '[pytest]\n' }, ['test: python3 -m pytest -q']],
    ['pytest in tox.ini', { 'tox.ini': '[pytest]\n' }, ['test: python3 -m pytest -q']],
    [
      'pytest only imported',
      { 'tests/test_a.py': 'import pytest\n' },
      ['test: python3 -m pytest -q'],
    ],
    [
      'bare test functions',
      { 'tests/test_a.py': 'def test_a():\n    assert True\n' },
      ['test: python3 -m pytest -q'],
    ],
    [
      'unittest in a folder',
      { 'tests/test_a.py': UNITTEST },
      ['test: python3 -m unittest discover -s tests'],
    ],
    [
      'unittest in a package',
      { 'tests/__init__.py': '', 'tests/test_a.py': UNITTEST },
      ['test: python3 -m unittest discover -s tests -t .'],
    ],
    [
      'unittest inside the code',
      { 'shop/__init__.py': '', 'shop/tests/__init__.py': '', 'shop/tests/test_a.py': UNITTEST },
      ['test: python3 -m unittest discover -s shop -t .'],
    ],
    [
      'unittest beside the code',
      { 'test_a.py': UNITTEST },
      ['test: python3 -m unittest discover -s .'],
    ],
    [
      'unittest below a plain folder',
      { 'tests/unit/test_a.py': UNITTEST },
      ['test: python3 -m unittest discover -s tests/unit'],
    ],
    [
      'unittest named the other way',
      { 'tests/a_test.py': UNITTEST },
      ['test: python3 -m unittest discover -s tests -p "*_test.py"'],
    ],
    [
      'unittest in a folder with a blank',
      { 'my tests/test_a.py': UNITTEST },
      ['test: python3 -m unittest discover -s "my tests"'],
    ],
    ['unittest in a folder that is a command', { 'a$(touch x)/test_a.py': UNITTEST }, []],
    ['django', { 'manage.py': '# django\n' }, ['test: python3 manage.py test']],
    [
      'python linters',
      { 'pyproject.toml': '[tool.ruff]\n[tool.mypy]\n', '.flake8': '[flake8]\n' },
      ['lint: ruff check .', 'lint: python3 -m flake8', 'typecheck: python3 -m mypy .'],
    ],
    [
      'go',
      { 'go.mod': 'module example.com/x\n' },
      ['test: go test ./...', 'lint: go vet ./...', 'build: go build ./...'],
    ],
    [
      'a go workspace',
      {
        'go.work': 'go 1.22\n\nuse (\n\t./a\n\t./b // two\n)\n',
        'a/go.mod': 'module a\n',
        'b/go.mod': 'module b\n',
      },
      [
        'test: go test ./a/... ./b/...',
        'lint: go vet ./a/... ./b/...',
        'build: go build ./a/... ./b/...',
      ],
    ],
    [
      'cargo',
      { 'Cargo.toml': '[package]\nname = "x"\n' },
      ['test: cargo test', 'build: cargo build'],
    ],
    [
      'cargo with clippy configured',
      { 'Cargo.toml': '[package]\nname = "x"\n[lints.clippy]\nall = "warn"\n' },
      ['test: cargo test', 'lint: cargo clippy', 'build: cargo build'],
    ],
    [
      'a cargo workspace around a package',
      { 'Cargo.toml': '[package]\nname = "x"\n[workspace]\nmembers = ["a"]\n' },
      ['test: cargo test --workspace', 'build: cargo build'],
    ],
    ['maven', { 'pom.xml': '<project/>' }, ['test: mvn -q test']],
    ['maven with its wrapper', { 'pom.xml': '<project/>', mvnw: '' }, ['test: ./mvnw -q test']],
    ['gradle', { 'build.gradle.kts': '' }, ['test: gradle test']],
    ['gradle with its wrapper', { 'settings.gradle': '', gradlew: '' }, ['test: ./gradlew test']],
    [
      'make',
      { Makefile: 'test: build\n\t./run-tests\nlint:\n\t@shellcheck *.sh\nVAR := test\n' },
      ['test: make test', 'lint: make lint'],
    ],
    ['make with check', { Makefile: 'check:\n\t./run-tests\n' }, ['test: make check']],
    ['make that only pretends', { Makefile: 'test:\n\t@echo no tests\nlint:\n\ttrue\n' }, []],
    [
      'make beside npm',
      {
        'package.json': scripts({ test: 'jest' }),
        Makefile: 'test:\n\tnpm test\nlint:\n\teslint .\n',
      },
      ['test: npm test', 'lint: make lint'],
    ],
    ['rspec', { Gemfile: "gem 'rspec'\n", 'spec/a_spec.rb': '' }, ['test: bundle exec rspec']],
    [
      'minitest',
      { Gemfile: '', Rakefile: '', 'test/a_test.rb': '' },
      ['test: bundle exec rake test'],
    ],
    ['composer', { 'composer.json': scripts({ test: 'phpunit' }) }, ['test: composer test']],
    ['phpunit', { 'composer.json': '{}', 'phpunit.xml.dist': '' }, ['test: vendor/bin/phpunit']],
    ['mix', { 'mix.exs': '' }, ['test: mix test']],
    [
      'dotnet with tests',
      { 'a.sln': '', 'a/a.csproj': '', 'a.Tests/a.Tests.csproj': '' },
      ['test: dotnet test', 'build: dotnet build'],
    ],
    [
      'dotnet without tests, where the command would pass with nothing run',
      { 'a.csproj': '' },
      ['build: dotnet build'],
    ],
    [
      'parts without a common root',
      { 'web/package.json': scripts({ test: 'jest' }), 'api/pytest.ini': '', 'api/setup.py': '' },
      ['test: cd api && python3 -m pytest -q', 'test: cd web && npm test'],
    ],
  ])('%s', async (_title, files, expected) => {
    expect(await commandsOf(files)).toEqual(expected);
  });

  test.each([
    'true',
    ':',
    'exit 0',
    'echo ok',
    NPM_DEFAULT,
    'echo a && exit 1',
    ' ',
    'echo a; true',
  ])('the script %j checks nothing', async (script) => {
    expect(await commandsOf({ 'package.json': scripts({ test: script }) })).toEqual([]);
  });

  test.each(['echo a && node t.js', 'echo "$(node t.js)"', 'trueish'])(
    'the script %j does something',
    async (script) => {
      expect(await commandsOf({ 'package.json': scripts({ test: script }) })).toEqual([
        'test: npm test',
      ]);
    },
  );

  test.each([
    ['eslint --fix .', 'lint', 'changes files'],
    ['prettier --write .', 'lint', 'changes files'],
    ['jest || true', 'test', 'cannot fail'],
    ['jest; exit 0', 'test', 'cannot fail'],
    ['vitest watch', 'test', 'waits for changes'],
    ['jest --watchAll', 'test', 'waits for changes'],
  ])(
    'the script %j of %s is left out, and a note says that it %s',
    async (script, name, problem) => {
      expect(await survey({ 'package.json': scripts({ [name]: script }) })).toMatchObject({
        commands: [],
        notes: [`package.json: scripts.${name} ${problem}, so it is not used as a check`],
      });
    },
  );

  test('say where they come from', async () => {
    const { commands } = await survey({
      'package.json': scripts({ test: 'jest' }),
      Makefile: 'lint:\n\teslint .\n',
    });
    expect(commands).toEqual([
      { kind: 'test', command: 'npm test', source: 'package.json:scripts.test' },
      { kind: 'lint', command: 'make lint', source: 'Makefile:lint' },
    ]);
  });

  test('a detected unittest command finds the tests', async () => {
    await using folder = await TempFolder.create({
      'shop.py': 'PRICE = 3\n',
      'tests/test_shop.py':
        'import unittest, shop\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(shop.PRICE, 3)\n',
    });
    const { commands } = await surveyProject(folder.root);
    const [program = '', ...args] = commands[0]?.command.split(' ') ?? [];
    expect(program).toBe('python3');
    const ran = await promisify(execFile)(program, args, { cwd: folder.root }).catch(
      (error: unknown) => error,
    );
    // A machine without Python cannot tell; everywhere else one test must have run.
    if ((ran as { code?: unknown }).code !== 'ENOENT')
      expect(ran).toMatchObject({ stderr: expect.stringContaining('Ran 1 test') });
  });
});

describe('the rest of the survey', () => {
  test('a TypeScript workspace', async () => {
    const found = await survey({
      'package.json': pkg({ workspaces: ['packages/*', '!packages/old'] }),
      'packages/cli/package.json': pkg({ name: '@acme/cli' }),
      'packages/cli/src/main.ts': '',
      'packages/cli/test/main.test.ts': '',
      'packages/old/package.json': pkg({ name: 'old' }),
      'packages/not-a-package/readme.md': '',
      'packages/web/package.json': pkg({ name: 'bad name; rm' }),
      'packages/web/index.ts': '',
      'docs/a.md': '',
      '.github/workflows/ci.yml': '',
    });
    expect(found.packageManagers).toEqual(['npm']);
    expect(found.workspaces).toEqual([
      { folder: 'packages/cli', kind: 'npm', name: '@acme/cli' },
      { folder: 'packages/web', kind: 'npm' },
    ]);
    expect(found.languages).toEqual([{ name: 'TypeScript', files: 3, manifests: [] }]);
    expect(found.topFolders).toEqual([
      { folder: '.github', files: 1, guess: 'config' },
      { folder: 'docs', files: 1, guess: 'docs' },
      { folder: 'packages', files: 7, guess: 'source' },
    ]);
    expect(found.testFolders).toEqual(['packages/cli/test']);
    expect(found.sourceFolders).toEqual(['packages/cli/src', 'packages/web']);
    expect(found.complete).toBe(true);
  });

  test('cargo and go workspaces', async () => {
    const found = await survey({
      'Cargo.toml': '[workspace]\nmembers = [\n  "crates/*",\n]\nexclude = ["crates/b"]\n',
      'crates/a/Cargo.toml': '[package]\nname = "alpha"\n',
      'crates/b/Cargo.toml': '[package]\nname = "beta"\n',
      'go.work': 'use ./svc\nuse ../outside\n',
      'svc/go.mod': 'module example.com/acme/svc\n',
    });
    expect(found.workspaces).toEqual([
      { folder: 'crates/a', kind: 'cargo', name: 'alpha' },
      { folder: 'svc', kind: 'go', name: 'svc' },
    ]);
    expect(found.packageManagers).toEqual(['go', 'cargo']);
  });

  test.each<[string, Files, string[]]>([
    ['poetry', { 'pyproject.toml': '[tool.poetry]\nname = "x"\n' }, ['poetry']],
    ['uv', { 'pyproject.toml': '[project]\n', 'uv.lock': '' }, ['uv']],
    ['pip', { 'requirements.txt': 'flask\n' }, ['pip']],
    [
      'several at once',
      { 'package.json': '{}', 'go.mod': 'module x\n', 'requirements.txt': '', Makefile: '' },
      ['npm', 'pip', 'go', 'make'],
    ],
  ])('package managers: %s', async (_title, files, expected) => {
    expect((await survey(files)).packageManagers).toEqual(expected);
  });

  test('languages count files and name their manifests', async () => {
    const found = await survey({
      'a.py': '',
      'b.py': '',
      'c.go': '',
      'go.mod': 'module x\n',
      'Cargo.toml': '',
    });
    expect(found.languages).toEqual([
      { name: 'Python', files: 2, manifests: [] },
      { name: 'Go', files: 1, manifests: ['go.mod'] },
      { name: 'Rust', files: 0, manifests: ['Cargo.toml'] },
    ]);
  });

  test('recent commits come from the port, at most ten, fit for a terminal', async () => {
    await using folder = await TempFolder.create();
    const lines = [
      'abc1234 first \u001b[31mred',
      'no hash here',
      ...Array.from({ length: 20 }, (_, n) => `abc${n}000 more`),
    ];
    const found = await surveyProject(folder.root, async () => lines);
    expect(found.recentCommits).toHaveLength(10);
    expect(found.recentCommits.slice(0, 2)).toEqual([
      { hash: 'abc1234', subject: 'first  [31mred' },
      { subject: 'no hash here' },
    ]);
  });

  test('a port that fails is a note', async () => {
    await using folder = await TempFolder.create();
    const found = await surveyProject(folder.root, () => Promise.reject(new Error('no git')));
    expect(found).toMatchObject({
      recentCommits: [],
      notes: ['(git): recent commits cannot be read'],
    });
  });

  test('a folder that is not there is an empty project', async () => {
    await using folder = await TempFolder.create();
    const found = await surveyProject(join(folder.root, 'gone'));
    expect(found).toMatchObject({ languages: [], commands: [], topFolders: [], complete: true });
  });
});

describe('hostile and broken projects', () => {
  test.each<[string, Files, string]>([
    ['comments in JSON', { 'package.json': '{ // hi\n}' }, 'package.json: is not valid JSON'],
    ['a cut file', { 'package.json': '{"scripts":{"te' }, 'package.json: is not valid JSON'],
    ['an empty file', { 'package.json': '' }, 'package.json: is not valid JSON'],
    ['a list', { 'package.json': '[]' }, 'package.json: is not a JSON object'],
    ['null', { 'package.json': 'null' }, 'package.json: is not a JSON object'],
    [
      'nested too deep',
      { 'package.json': `{"a":${'['.repeat(200_000)}` },
      'package.json: is not valid JSON',
    ],
    [
      'far too long',
      { 'package.json': `{"a":"${'x'.repeat(1_100_000)}"}` },
      'package.json: larger than 1048576 bytes, not read',
    ],
    [
      'broken YAML',
      { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: [\n' },
      'pnpm-workspace.yaml: is not valid YAML',
    ],
    [
      'YAML that multiplies itself',
      { 'package.json': '{}', 'pnpm-workspace.yaml': 'a: &a [x]\nb: [*a, *a]\n' },
      'pnpm-workspace.yaml: is not valid YAML',
    ],
    [
      'a broken manifest in a workspace',
      { 'package.json': pkg({ workspaces: ['p/*'] }), 'p/a/package.json': '{' },
      'p/a/package.json: is not valid JSON',
    ],
    ['a broken composer.json', { 'composer.json': '{' }, 'composer.json: is not valid JSON'],
  ])('%s is a note that names the file', async (_title, files, note) => {
    expect((await survey(files)).notes).toContain(note);
  });

  test('bytes that are not UTF-8 are a note, a byte order mark is none', async () => {
    await using folder = await TempFolder.create({
      'package.json': `\uFEFF${scripts({ test: 'jest' })}`,
    });
    await folder.write('pyproject.toml', new Uint8Array([0xff, 0xfe, 0x00]));
    const found = await surveyProject(folder.root);
    expect(found.notes).toEqual(['pyproject.toml: is not UTF-8']);
    expect(found.commands.map(({ command }) => command)).toEqual(['npm test']);
  });

  test('keys of objects everywhere are no scripts', async () => {
    const text =
      '{"__proto__":{"scripts":{"test":"evil"}},"scripts":{"__proto__":{"test":"evil"},"lint":7},"workspaces":{"packages":[1,{}]},"constructor":1}';
    const found = await survey({ 'package.json': text });
    expect(found).toMatchObject({ commands: [], workspaces: [], notes: [] });
    expect(({} as Record<string, unknown>)['scripts']).toBeUndefined();
  });

  test('workspace patterns lead nowhere outside and cost no time', async () => {
    const patterns = [
      '../*',
      '/etc/*',
      'p/*',
      `${'*a'.repeat(60)}b`,
      '+(+(+(a)))',
      '!'.repeat(300),
    ];
    const files = {
      'package.json': pkg({ workspaces: patterns }),
      'p/a/package.json': '{}',
      [`${'a'.repeat(120)}/package.json`]: '{}',
    };
    const startedAt = performance.now();
    expect((await survey(files)).workspaces.map(({ folder }) => folder)).toEqual(['p/a']);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test('links in circles and links out are not followed', async () => {
    await using outside = await TempFolder.create({
      'package.json': scripts({ test: 'jest' }),
      'a.py': '',
    });
    await using folder = await TempFolder.create({ 'src/a.ts': '' });
    await symlink(folder.root, join(folder.root, 'src/loop'));
    await symlink(outside.root, join(folder.root, 'outside'));
    await symlink(join(outside.root, 'package.json'), join(folder.root, 'package.json'));
    const found = await surveyProject(folder.root);
    expect(found.languages).toEqual([{ name: 'TypeScript', files: 1, manifests: [] }]);
    expect(found).toMatchObject({
      commands: [],
      complete: true,
      topFolders: [{ folder: 'src', files: 1 }],
    });
  });

  test('a folder of 20,000 files is cut, and the folders beside it are seen', async () => {
    await using folder = await TempFolder.create({
      'src/a.ts': '',
      'zoo/b.ts': '',
      'package.json': scripts({ test: 'jest' }),
    });
    await mkdir(join(folder.root, 'data'));
    for (let at = 0; at < 20_000; at++) writeFileSync(join(folder.root, 'data', `${at}.csv`), '');
    const found = await surveyProject(folder.root);
    expect(found.complete).toBe(false);
    expect(found.topFolders).toEqual([
      { folder: 'data', files: 1_000, guess: 'other' },
      { folder: 'src', files: 1, guess: 'source' },
      { folder: 'zoo', files: 1, guess: 'source' },
    ]);
    expect(found.notes).toEqual(['(walk): stopped at its bounds (5000 entries at most)']);
  });

  test('what is deeper than six levels, generated or the session folder is not looked at', async () => {
    const found = await survey({
      '1/2/3/4/5/in.ts': '',
      '1/2/3/4/5/6/out.ts': '',
      'node_modules/a/index.js': '',
      'dist/a.js': '',
      'vendor/a.go': '',
      '.venv/a.py': '',
      '.chainlesschain/a.rb': '',
      '.git/a.php': '',
    });
    expect(found.languages).toEqual([{ name: 'TypeScript', files: 1, manifests: [] }]);
    expect(found.complete).toBe(false);
  });

  test('pipes and unreadable folders are passed over', async () => {
    await using folder = await TempFolder.create({ 'shut/a.py': '', 'a.ts': '' });
    await promisify(execFile)('mkfifo', [join(folder.root, 'package.json')]);
    await chmod(join(folder.root, 'shut'), 0o000);
    const found = await surveyProject(folder.root);
    await chmod(join(folder.root, 'shut'), 0o755);
    expect(found.languages.map(({ name }) => name)).toContain('TypeScript');
    expect(found).toMatchObject({ commands: [], packageManagers: [] });
  });

  test('names with control characters stay out of the answer', async () => {
    const found = await survey({ 'a\u001b[2Jb/x.ts': '', 'c\nd.ts': '', 'e.ts': '' });
    expect(found.topFolders).toEqual([]);
    expect(found.languages).toEqual([{ name: 'TypeScript', files: 1, manifests: [] }]);
  });
});
