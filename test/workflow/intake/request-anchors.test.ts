import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Anchors, readAnchors } from '../../../src/workflow/intake/request-anchors.ts';

const SURVEY = {
  workspaces: [
    { folder: 'packages/cli', kind: 'npm', name: '@acme/cli' },
    { folder: 'packages/web', kind: 'npm', name: '@acme/web' },
  ],
  topFolders: [
    { folder: 'billing', files: 3, guess: 'source' },
    { folder: 'packages', files: 9, guess: 'source' },
    { folder: 'src', files: 5, guess: 'source' },
  ],
} as const;

/** What was found; empty lists left out. */
function found(request: string): Partial<Anchors> {
  const entries = Object.entries(readAnchors(request, SURVEY));
  return Object.fromEntries(
    entries.filter(
      ([key, value]) =>
        key !== 'language' &&
        key !== 'request' &&
        value !== undefined &&
        value !== 0 &&
        (value as unknown[]).length !== 0,
    ),
  );
}

describe('paths, symbols and issues', () => {
  test.each<[string, Partial<Anchors>]>([
    ['fix src/cli/main.ts', { paths: ['src/cli/main.ts'] }],
    ['fix src/cli/main.ts:42:7, please', { paths: ['src/cli/main.ts'] }],
    ['see src/a.ts#L10-L12.', { paths: ['src/a.ts'] }],
    ['fix `./a b/c` and "src/x.ts"', { paths: ['./a b/c', 'src/x.ts'] }],
    ['fix `docs/my file.md`', { paths: ['docs/my file.md'] }],
    ['fix src\\cli\\a.ts on Windows', { paths: ['src/cli/a.ts'] }],
    ['change package.json and the Makefile', { paths: ['package.json', 'Makefile'] }],
    ['format src/**/*.ts', { paths: ['src/**/*.ts'] }],
    ['look into billing/invoice', { paths: ['billing/invoice'], risks: ['payment'] }],
    ['look into docs/', { paths: ['docs/'] }],
    ['read [the guide](docs/guide.md)', { paths: ['docs/guide.md'] }],
    ['修改src/cli/main.ts文件中的错误', { paths: ['src/cli/main.ts'] }],
    ['更新 `文档/说明.md` 的内容', { paths: ['文档/说明.md'] }],
    ['let `src/a.ts src/b.ts` share code', { paths: ['src/a.ts', 'src/b.ts'] }],
    ['use Node.js and/or Vue.js 24/7 over TCP/IP, version 1.2', {}],
    ['see https://example.com/src/a.ts', {}],
    [
      'speed up `parseArgs` and foo() and Parser.parse',
      { symbols: ['parseArgs', 'foo()', 'Parser.parse'] },
    ],
    [
      'rename MyClass, my_function and someName on GitHub',
      { symbols: ['MyClass', 'my_function', 'someName'] },
    ],
    ['add --json and --dry-run', { symbols: ['--json', '--dry-run'] }],
    ['speed up `Lexer::next` with `npm run x`', { symbols: ['Lexer::next'] }],
    ['重构 readConfig() 和 `ConfigStore`', { symbols: ['ConfigStore', 'readConfig()'] }],
    ['close #12, GH-34, issue 56 and PR #78', { issues: [12, 34, 56, 78] }],
    ['as in https://github.com/a/b/issues/9', { issues: [9] }],
    ['修复议题 7 和问题8', { issues: [7, 8] }],
    ['there are 3 issues and 问题 5 个, color #fff, a#1', {}],
  ])('%j', (request, expected) => {
    const { goal: _goal, criteria: _criteria, ...rest } = found(request);
    expect(rest).toEqual(expected);
  });
});

describe('goal, criteria and limits', () => {
  test.each<[string, Partial<Anchors>]>([
    [
      'add a --json flag to the report command',
      { goal: 'add a --json flag to the report command', symbols: ['--json'] },
    ],
    ['fix it', {}],
    ['Hi, can you please help me?', {}],
    ['make it work better', {}],
    ['', {}],
    ['  \n\t ', {}],
    ['请帮我修复一下', {}],
    ['优化代码', {}],
    ['#12', { issues: [12] }],
    ['Hello! Sort the table by date.', { goal: 'Sort the table by date' }],
    [
      'Sort the table. It must be stable. Ties keep their order.',
      {
        goal: 'Sort the table',
        criteria: ['It must be stable'],
      },
    ],
    [
      'The report should accept yaml',
      { goal: 'The report should accept yaml', criteria: ['The report should accept yaml'] },
    ],
    ['We should sort the table', { goal: 'We should sort the table' }],
    ['Should we sort the table?', { goal: 'Should we sort the table?' }],
    [
      'Sort the table. Done when `npm test` passes.',
      { goal: 'Sort the table', criteria: ['`npm test` passes'] },
    ],
    [
      'Sort the table, e.g. by date. It is done when the list is sorted.',
      { goal: 'Sort the table, e.g. by date', criteria: ['the list is sorted'] },
    ],
    [
      'Do this: 1. parse the file 2. print a summary',
      { goal: 'parse the file; print a summary', criteria: ['parse the file', 'print a summary'] },
    ],
    [
      'Sort the table: (1) by date (2) by name',
      { goal: 'Sort the table', criteria: ['by date', 'by name'] },
    ],
    [
      'Sort the table\n- by date\n  and time\n* by name\n- [ ] by size',
      { goal: 'Sort the table', criteria: ['by date and time', 'by name', 'by size'] },
    ],
    [
      'Sort the table\n\nAcceptance criteria:\n1) by date\n2) by name',
      { goal: 'Sort the table', criteria: ['by date', 'by name'] },
    ],
    [
      'Sort the table\n\n## Done when\n\n- sorted',
      { goal: 'Sort the table', criteria: ['sorted'] },
    ],
    [
      'Goal: sort the table\nScope: src/table\nNon-goals: filters; paging',
      {
        goal: 'sort the table',
        paths: ['src/table'],
        scopes: ['src/table'],
        nonGoals: ['filters', 'paging'],
      },
    ],
    ['Sort the table\n\nSteps to reproduce:\n1. open it\n2. look', { goal: 'Sort the table' }],
    [
      'Sort the table without changing the public API',
      {
        goal: 'Sort the table without changing the public API',
        nonGoals: ['without changing the public API'],
      },
    ],
    [
      "Sort the table. Please don't touch src/db.ts or the filters.",
      {
        goal: 'Sort the table',
        nonGoals: ["don't touch src/db.ts or the filters"],
        excludedPaths: ['src/db.ts'],
      },
    ],
    [
      'Sort the table. Leave the header alone.',
      { goal: 'Sort the table', nonGoals: ['Leave the header alone'] },
    ],
    [
      'Sort the table. It must keep working on Node 20.',
      { goal: 'Sort the table', constraints: ['It must keep working on Node 20'] },
    ],
    [
      'Sort the table, backwards compatible with 1.x',
      {
        goal: 'Sort the table, backwards compatible with 1.x',
        constraints: ['backwards compatible with 1.x'],
      },
    ],
    [
      'Sort the table. No new dependencies.',
      { goal: 'Sort the table', constraints: ['No new dependencies'] },
    ],
    [
      'Sort the table, only in src/table',
      { goal: 'Sort the table, only in src/table', paths: ['src/table'], scopes: ['src/table'] },
    ],
    ['The fault shows only in Safari', { goal: 'The fault shows only in Safari' }],
    [
      'Only touch the parser. Sort the table.',
      { goal: 'Sort the table', constraints: ['Only touch the parser'] },
    ],
    [
      'Sort the table in the web package',
      { goal: 'Sort the table in the web package', workspaces: ['packages/web'] },
    ],
    [
      'Sort the table of @acme/cli',
      { goal: 'Sort the table of @acme/cli', workspaces: ['packages/cli'] },
    ],
    [
      'Sort the table.\nNon-goals:\n- the web package',
      { goal: 'Sort the table', nonGoals: ['the web package'] },
    ],
    [
      '给 report 命令加 --json，不要改 src/db，仅限 src/cli 目录',
      {
        goal: '给 report 命令加 --json，不要改 src/db，仅限 src/cli 目录',
        symbols: ['--json'],
        paths: ['src/cli'],
        excludedPaths: ['src/db'],
        nonGoals: ['不要改 src/db'],
        scopes: ['src/cli'],
      },
    ],
    ['给表格排序。结果必须稳定。', { goal: '给表格排序', criteria: ['结果必须稳定'] }],
    ['我们应该给表格排序', { goal: '我们应该给表格排序' }],
    ['给表格排序：1、按日期 2、按名称', { goal: '给表格排序', criteria: ['按日期', '按名称'] }],
    ['给表格排序\n一、按日期\n二、按名称', { goal: '给表格排序', criteria: ['按日期', '按名称'] }],
    ['给表格排序：①按日期；②按名称', { goal: '给表格排序', criteria: ['按日期', '按名称'] }],
    [
      '目标：给表格排序\n验收标准：\n- 稳定\n- 快速\n不包括：\n- 过滤\n约束：兼容旧版本',
      {
        goal: '给表格排序',
        criteria: ['稳定', '快速'],
        nonGoals: ['过滤'],
        constraints: ['兼容旧版本'],
      },
    ],
    ['给表格排序。完成条件：列表有序。', { goal: '给表格排序', criteria: ['列表有序'] }],
    [
      '给表格排序，保持接口不变，不能破坏分页',
      {
        goal: '给表格排序，保持接口不变，不能破坏分页',
        constraints: ['保持接口不变', '不能破坏分页'],
      },
    ],
    ['给表格排序，不包括过滤', { goal: '给表格排序，不包括过滤', nonGoals: ['不包括过滤'] }],
    [
      '只改 packages/web',
      { scopes: ['packages/web'], paths: ['packages/web'], workspaces: ['packages/web'] },
    ],
    ['页面卡住不动了', { goal: '页面卡住不动了' }],
    ['Sort\n```\n1. not a criterion\nmust not count\n```\nthe table by date', { goal: 'Sort' }],
  ])('%j', (request, expected) => {
    expect(found(request)).toEqual(expected);
  });
});

describe('a limit beside the wish', () => {
  const API = "don't touch the API";
  test.each<[string, Partial<Anchors>]>([
    // An order not to do one thing says nothing about the clause beside it.
    [`${API}, speed up slug`, { goal: `${API}, speed up slug`, nonGoals: [API] }],
    [`speed up slug; ${API}`, { goal: 'speed up slug', nonGoals: [API] }],
    [`speed up slug and ${API}`, { goal: `speed up slug and ${API}`, nonGoals: [API] }],
    [`speed up slug (please ${API})`, { goal: `speed up slug (please ${API})`, nonGoals: [API] }],
    [
      'without changing the API, speed up slug',
      {
        goal: 'without changing the API, speed up slug',
        nonGoals: ['without changing the API'],
      },
    ],
    [
      'make sure not to change the API, then sort',
      {
        goal: 'make sure not to change the API, then sort',
        nonGoals: ['make sure not to change the API'],
      },
    ],
    [
      "Don't touch src/a.ts, src/b.ts or the filters, sort the table",
      {
        goal: "Don't touch src/a.ts, src/b.ts or the filters, sort the table",
        nonGoals: ["Don't touch src/a.ts, src/b.ts or the filters"],
        excludedPaths: ['src/a.ts', 'src/b.ts'],
      },
    ],
    [
      'Sort all tables except for src/old.ts',
      {
        goal: 'Sort all tables except for src/old.ts',
        nonGoals: ['except for src/old.ts'],
        excludedPaths: ['src/old.ts'],
      },
    ],
    [
      'Sort the table, filters are out of scope',
      {
        goal: 'Sort the table, filters are out of scope',
        nonGoals: ['filters are out of scope'],
      },
    ],
    [
      "don't change anything except src/cli, sort the table",
      {
        goal: "don't change anything except src/cli, sort the table",
        paths: ['src/cli'],
        scopes: ['src/cli'],
      },
    ],
    ['不改接口，给 slug 加缓存', { goal: '不改接口，给 slug 加缓存', nonGoals: ['不改接口'] }],
    [
      '不要删除旧文件，给导出加压缩',
      {
        goal: '不要删除旧文件，给导出加压缩',
        nonGoals: ['不要删除旧文件'],
        risks: ['删除'],
      },
    ],
    [
      '给 slug 加缓存，接口不要改',
      { goal: '给 slug 加缓存，接口不要改', nonGoals: ['接口不要改'] },
    ],
    [
      '不要把旧文件删除，给导出加压缩',
      {
        goal: '不要把旧文件删除，给导出加压缩',
        nonGoals: ['不要把旧文件删除'],
        risks: ['删除'],
      },
    ],
    [
      '除了 src/db.ts 以外，所有文件都要排序',
      {
        goal: '除了 src/db.ts 以外，所有文件都要排序',
        nonGoals: ['src/db.ts'],
        excludedPaths: ['src/db.ts'],
      },
    ],
    ['除了 CSV 以外，还要支持 JSON', { goal: '除了 CSV 以外，还要支持 JSON' }],
    [
      '给表格排序，除了 src/cli 以外都不要改',
      { goal: '给表格排序，除了 src/cli 以外都不要改', paths: ['src/cli'], scopes: ['src/cli'] },
    ],
  ])('%j', (request, expected) => {
    expect(found(request)).toEqual(expected);
  });

  // Words of a limit, in sentences that only tell of something.
  test.each([
    'handle out of scope variables in the linter',
    'log a warning when variables are out of scope',
    "Mail the users who don't change their address",
    'Show a hint when somebody saves without changing anything',
    'Fix the bug where the scope is lost',
    'Only change the color of the button',
    '识别改动的文件并列出',
    '删除国外的数据源',
    '给下标不在范围内的访问加提示',
    '上传包括但不限于图片',
  ])('%j limits nothing', (request) => {
    const { goal, nonGoals, constraints, scopes } = readAnchors(request, SURVEY);
    expect({ goal, nonGoals, constraints, scopes }).toEqual({
      goal: request,
      nonGoals: [],
      constraints: [],
      scopes: [],
    });
  });

  test.each([
    'Out of scope warnings should be logged',
    'The report must not crash on an empty file',
    "Don't include the header in the file",
    '不要包含表头',
    '不包含标题的表格应该报错',
  ])('%j is the wish itself', (request) => {
    expect(readAnchors(request, SURVEY).goal).toBe(request);
  });

  test.each(["Don't touch the API", 'Only touch src/', '不要改接口', '仅限 src/cli 目录'])(
    '%j says only where the work ends',
    (request) => {
      expect(readAnchors(request, SURVEY).goal).toBeUndefined();
    },
  );
});

test.each([
  ['Add a --dry-run flag; tests must pass', 'Add a --dry-run flag; tests must pass'],
  [' Sort.\r\nThe table.\nRows are few. ', 'Sort.\n\nThe table.\n\nRows are few.'],
  ['Sort\n- by date\n  and time\n- by name\nNow.', 'Sort\n- by date\n  and time\n- by name\nNow.'],
  ['Sort\n```\nx = 1\n```', 'Sort\n\n```\n\nx = 1\n\n```'],
])('the request %j is kept whole', (request, whole) => {
  expect(readAnchors(request, SURVEY)).toMatchObject({ request: whole, leftOut: 0 });
});

describe('risk words', () => {
  test.each([
    ['delete old rows', ['delete']],
    ['migrating the production database', ['migrate', 'production']],
    ['drop the users table', ['drop']],
    ['add a dropdown with drag and drop', []],
    ['add drop-down menus', []],
    ['refund a payment', ['payment']],
    ['OAuth login', ['auth']],
    ['show the author of a product', []],
    ['hash passwords', ['password']],
    ['encrypt the file, it is a security matter', ['security', 'encrypt']],
    ['删除旧数据并迁移生产数据库', ['删除', '迁移', '生产']],
    ['提高生产力', []],
    ['支付页面的权限和密码加密', ['支付', '权限', '密码', '加密']],
  ])('%j: %j', (request, expected) => {
    expect(readAnchors(request, SURVEY).risks).toEqual(expected);
  });
});

test.each([
  ['add a flag', 'en'],
  ['给 report 命令加上 --json 选项', 'zh'],
  ['修改src/cli/commands/report-command.ts', 'zh'],
  ['rename 中文 in the very long English sentence about tables', 'en'],
  ['', 'en'],
])('the language of %j is %s', (request, language) => {
  expect(readAnchors(request, SURVEY).language).toBe(language);
});

test('long requests are bounded and say what they leave out', () => {
  const lines = Array.from({ length: 400 }, (_, n) => `Sentence number ${n + 100} about tables.`);
  const anchors = readAnchors(lines.join('\n'), SURVEY);
  expect(anchors.goal).toBe('Sentence number 100 about tables');
  expect(anchors.request).toHaveLength(8_235);
  expect(anchors.leftOut).toBe(165);
});

test('never throws, whatever the text', () => {
  const pieces = [
    '`',
    '```\n',
    '\n',
    '- ',
    '1. ',
    ' 2. ',
    '(1)',
    '不要改',
    'must ',
    'only in ',
    'src/a.ts',
    '#1',
    ':',
    '。',
    '\u0000',
    '\ud800',
  ];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 40 })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (request) => {
      const anchors = readAnchors(request, SURVEY);
      for (const line of [
        ...anchors.criteria,
        ...anchors.nonGoals,
        ...anchors.constraints,
        anchors.goal ?? '',
      ]) {
        expect(line).not.toMatch(/[\n\r]/);
      }
      expect(anchors.paths.filter((path) => anchors.excludedPaths.includes(path))).toEqual([]);
    }),
  );
});

test.each([
  'a',
  'a ',
  'a.',
  'a. ',
  '. ',
  ' ',
  '\n',
  '- a\n',
  '  a\n',
  '1. ',
  '(1) ',
  '`',
  '`a` ',
  'a_',
  'aA',
  '/',
  'src/',
  'a/',
  '\\',
  '#',
  '#1 ',
  'must ',
  'keep a ',
  'leave a ',
  "don't touch ",
  'only in ',
  'limit a a a ',
  'e.g. ',
  '不要改，',
  '必须。',
  '一、',
  '①',
  '完成条件',
  '不',
  '*',
  '[',
  '(',
  '--',
  'foo(',
  '$',
  'issue ',
  'done when ',
  'Scope: ',
  '```\n',
  'package ',
  'a-',
  '\u{1F600}',
])('100 kB of %j take less than a second', (piece) => {
  const request = piece.repeat(Math.ceil(100_000 / piece.length));
  const startedAt = performance.now();
  readAnchors(request, SURVEY);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
