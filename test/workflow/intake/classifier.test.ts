import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyIntake, type IntakeRequest } from '../../../src/workflow/intake/classifier.ts';

const PROJECT = {
  workspaces: [
    { folder: 'packages/cli', name: '@acme/cli' },
    { folder: 'packages/web', name: '@acme/web' },
    { folder: 'packages/web/plugins/map', name: 'map' },
    { folder: 'backend' },
  ],
  topFolders: [
    { folder: 'backend', guess: 'source' },
    { folder: 'docs', guess: 'docs' },
    { folder: 'packages', guess: 'source' },
    { folder: 'src', guess: 'source' },
    { folder: 'test', guess: 'tests' },
    { folder: 'tools', guess: 'source' },
  ],
} as const;

const classify = (intake: Partial<IntakeRequest>) =>
  classifyIntake({ request: 'sort the table', project: PROJECT, ...intake });

describe('boundaries', () => {
  test.each<[string, string[], string[]]>([
    ['files of the root are one part', ['a.ts', 'b.ts', './c.json'], ['(root)']],
    ['a workspace', ['packages/cli/src/main.ts', 'packages/cli'], ['packages/cli']],
    ['the innermost workspace', ['packages/web/plugins/map/a.ts'], ['packages/web/plugins/map']],
    ['a top folder, however deep the files', ['src/a/b.ts', 'src/c/d.ts', 'src/'], ['src']],
    ['a package that is no workspace yet', ['packages/new/a.ts'], ['packages/new']],
    ['a file beside the packages', ['packages/readme.md'], ['packages']],
    ['two parts', ['src/a.ts', 'packages/cli/b.ts'], ['packages/cli', 'src']],
    ['a name that only begins alike', ['packages/cli-tools/a.ts'], ['packages/cli-tools']],
    ['backslashes', ['packages\\web\\a.ts'], ['packages/web']],
    ['patterns', ['src/**/*.ts', 'packages/cli/*'], ['packages/cli', 'src']],
    ['patterns of the root', ['*.json'], ['(root)']],
    ['tests follow the code', ['src/a.ts', 'test/a.test.ts'], ['src']],
    ['documents follow the code', ['src/a.ts', 'docs/a.md'], ['src']],
    ['tests alone are a part', ['test/a.test.ts'], ['test']],
    ['a folder that does not exist yet', ['fresh/a.ts'], ['fresh']],
    [
      'everything, nothing and places outside say nothing',
      ['.', '', '**', '../x.ts', '/etc/passwd', 'C:\\x'],
      [],
    ],
  ])('%s', (_title, scopePaths, boundaries) => {
    expect(classify({ scopePaths })).toMatchObject({ boundaries, scopeCount: boundaries.length });
  });

  test('come from scope, tasks and hints together', () => {
    const tasks = [{ scopePaths: ['packages/cli/a.ts'] }, {}];
    const hint = classify({ scopePaths: ['src/a.ts'], tasks, fileHints: ['backend/x.py'] });
    expect(hint.boundaries).toEqual(['backend', 'packages/cli', 'src']);
  });
});

describe('decision', () => {
  const long = `sort the table ${'by date and by name '.repeat(12)}`;
  test.each<[string, Partial<IntakeRequest>, string]>([
    ['two parts', { scopePaths: ['src', 'backend'] }, 'team/high/complex'],
    ['one part', { scopePaths: ['src'] }, 'ralph/high/moderate'],
    ['no part, short', {}, 'ralph/medium/simple'],
    ['no part, long', { request: long }, 'ralph/medium/moderate'],
    ['two files of the root', { scopePaths: ['a.ts', 'b.ts'] }, 'ralph/high/moderate'],
    ['two modules by name', { request: 'share the types of cli and backend' }, 'team/low/moderate'],
    ['two workspaces by name', { request: 'share the types of map and web' }, 'team/low/moderate'],
    ['one module twice', { request: 'share cli types with the cli' }, 'ralph/medium/simple'],
    [
      'a branch called main is no module',
      { request: 'merge main into the cli' },
      'ralph/medium/simple',
    ],
    ['main and renderer', { request: 'let main and renderer share types' }, 'team/low/moderate'],
    ['frontend and backend', { request: 'validate in frontend and backend' }, 'team/low/moderate'],
    ['ui and api', { request: 'validate in the ui and the api' }, 'team/low/moderate'],
    ['across all packages', { request: 'log errors across all packages' }, 'team/low/moderate'],
    ['every layer', { request: 'log errors in every single layer' }, 'team/low/moderate'],
    ['both and', { request: 'validate both the form and the file' }, 'team/low/moderate'],
    [
      'cross-cutting with one part',
      { request: 'log across all modules', scopePaths: ['src'] },
      'ralph/high/moderate',
    ],
    ['a typo', { request: 'fix a typo' }, 'ralph/high/trivial'],
    ['a typo in one part', { request: 'fix a typo', scopePaths: ['src'] }, 'ralph/high/trivial'],
    [
      'a typo in two parts',
      { request: 'fix a typo', scopePaths: ['src', 'backend'] },
      'ralph/medium/trivial',
    ],
    [
      'rename across all packages',
      { request: 'rename foo across all packages' },
      'ralph/medium/trivial',
    ],
    [
      'rename beside real work',
      { request: 'rename foo and implement sync across all packages' },
      'team/low/moderate',
    ],
    ['a comment system is no comment', { request: 'add a comment system' }, 'ralph/medium/simple'],
    ['a rename command is no renaming', { request: 'add a rename command' }, 'ralph/medium/simple'],
    ['前后端', { request: '前后端统一校验' }, 'team/low/moderate'],
    ['前端和后端', { request: '在前端和后端都加上校验' }, 'team/low/moderate'],
    ['所有模块', { request: '在所有模块中记录错误' }, 'team/low/moderate'],
    ['跨包', { request: '跨包共享类型' }, 'team/low/moderate'],
    ['整个项目', { request: '整个项目统一日志' }, 'team/low/moderate'],
    ['错别字', { request: '修复错别字' }, 'ralph/high/trivial'],
    ['所有包里重命名', { request: '在所有包里重命名 foo' }, 'ralph/medium/trivial'],
    ['重命名功能不是重命名', { request: '增加重命名功能' }, 'ralph/medium/simple'],
    ['中文普通请求', { request: '给表格排序' }, 'ralph/medium/simple'],
  ])('%s', (_title, intake, expected) => {
    const { decision, confidence, complexity } = classify(intake);
    expect(`${decision}/${confidence}/${complexity}`).toBe(expected);
  });
});

describe('tests, roles and members', () => {
  test.each([
    ['add unit tests', true],
    ['write more integration tests for it', true],
    ['raise test coverage', true],
    ['fix the regression', true],
    ['补充单元测试', true],
    ['为解析器编写测试', true],
    ['提高覆盖率', true],
    ['test the waters', false],
    ['sort the table', false],
    ['给表格排序', false],
  ])('%j is about tests: %s', (request, testHeavy) => {
    expect(classify({ request })).toMatchObject({
      testHeavy,
      suggestedRoles: [testHeavy ? 'tester/unit' : 'executor'],
    });
  });

  test.each<[Partial<IntakeRequest>, string[]]>([
    [{ scopePaths: ['packages/cli', 'packages/web'] }, ['executor/cli', 'executor/ui']],
    [{ scopePaths: ['backend', 'src'] }, ['executor/backend', 'executor']],
    [{ scopePaths: ['tools', 'src'] }, ['executor']],
    [{ scopePaths: ['tools', 'src'], request: 'add tests' }, ['executor', 'tester/unit']],
    [{ request: 'validate in frontend and backend' }, ['executor/ui', 'executor/backend']],
    [{ request: 'log across all packages' }, ['executor']],
  ])('%j needs %j', (intake, roles) => {
    expect(classify(intake).suggestedRoles).toEqual(roles);
  });

  const MANY = [
    'packages/a',
    'packages/b',
    'packages/c',
    'packages/d',
    'packages/e',
    'packages/f',
    'packages/g',
  ];
  test.each<[Partial<IntakeRequest>, number]>([
    [{}, 1],
    [{ concurrency: 5 }, 1],
    [{ scopePaths: MANY }, 3],
    [{ scopePaths: MANY, concurrency: 5 }, 5],
    [{ scopePaths: MANY, concurrency: 50 }, 6],
    [{ scopePaths: MANY, concurrency: 1 }, 1],
    [{ scopePaths: MANY, concurrency: 0 }, 3],
    [{ scopePaths: MANY, concurrency: Number.NaN }, 3],
    [{ scopePaths: ['src', 'backend'], concurrency: 5 }, 2],
    [{ request: 'log across all packages' }, 2],
  ])('%j: %d at a time', (intake, members) => {
    expect(classify(intake).recommendedConcurrency).toBe(members);
  });
});

test('the hint has the keys of its older writers', () => {
  expect(classify({ request: 'add unit tests', scopePaths: ['packages/cli', 'src'] })).toEqual({
    decision: 'team',
    confidence: 'high',
    complexity: 'complex',
    scopeCount: 2,
    boundaries: ['packages/cli', 'src'],
    testHeavy: true,
    signals: ['scopes:2', 'test-heavy'],
    reason: 'The scope covers 2 separate parts of the project.',
    recommendedConcurrency: 2,
    suggestedRoles: ['executor/cli', 'executor', 'tester/unit'],
  });
});

test('a team is never for something trivial or simple, and one owner is never two', () => {
  const words = [
    'rename',
    'across all packages',
    'fix a typo',
    '前后端',
    '重命名',
    'cli',
    'backend',
    'implement',
    'add tests',
    'both a and b',
  ];
  const paths = ['src/a.ts', 'backend', 'a.ts', 'docs/x.md', 'packages/cli', '../x', ''];
  let teams = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { maxLength: 5 }),
      fc.array(fc.oneof(fc.constantFrom(...paths), fc.string()), { maxLength: 4 }),
      (parts, scopePaths) => {
        const hint = classify({ request: parts.join(' '), scopePaths });
        if (hint.decision === 'team') {
          teams++;
          expect(['moderate', 'complex']).toContain(hint.complexity);
        } else expect(hint.recommendedConcurrency).toBe(1);
        expect(hint.suggestedRoles.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 500 },
  );
  expect(teams).toBeGreaterThan(20);
});

test.each(['all ', 'both a ', 'add a ', 'a', 'every a a a ', 'renam', '前端'])(
  '100 kB of %j take no time',
  (piece) => {
    const startedAt = performance.now();
    classify({ request: piece.repeat(Math.ceil(100_000 / piece.length)) });
    expect(performance.now() - startedAt).toBeLessThan(500);
  },
);
