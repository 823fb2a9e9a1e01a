import { describe, expect, test } from 'vitest';
import { answersToIntent } from '../../../src/workflow/intake/intent-draft.ts';
import { assumptionsFor, nextQuestions } from '../../../src/workflow/intake/interview.ts';
import type { Answer } from '../../../src/workflow/intake/interview-model.ts';
import { readAnchors } from '../../../src/workflow/intake/request-anchors.ts';

const ONE_FOLDER = {
  commands: [{ kind: 'test', command: 'npm test', source: 'package.json:scripts.test' }],
  workspaces: [],
  topFolders: [
    { folder: 'src', files: 1, guess: 'source' },
    { folder: 'test', files: 1, guess: 'tests' },
  ],
  sourceFolders: ['src'],
  testFolders: ['test'],
} as const;
const BARE = {
  commands: [],
  workspaces: [],
  topFolders: [],
  sourceFolders: [],
  testFolders: [],
} as const;
const MONOREPO = {
  ...ONE_FOLDER,
  workspaces: [
    { folder: 'packages/cli', kind: 'npm', name: '@acme/cli' },
    { folder: 'packages/web', kind: 'npm', name: '@acme/web' },
  ],
  sourceFolders: ['packages/cli/src', 'packages/web/src'],
  testFolders: [],
} as const;
type Survey = typeof ONE_FOLDER | typeof BARE | typeof MONOREPO;

const stateOf = (
  request: string,
  answers: readonly Answer[] = [],
  survey: Survey = ONE_FOLDER,
) => ({
  anchors: readAnchors(request, survey),
  survey,
  answers,
});
const asked = (request: string, answers: readonly Answer[] = []) =>
  nextQuestions(stateOf(request, answers)).map(({ id }) => id);
const say = (slot: Answer['slot'], text: string, from = 'prompt'): Answer => ({ slot, text, from });

describe('questions', () => {
  test.each<[string, string[]]>([
    ['fix it', ['goal', 'scope', 'criterion']],
    ['', ['goal', 'scope', 'criterion']],
    ['sort the table', ['scope', 'criterion']],
    ['sort the table in src/table.ts', ['criterion']],
    ['sort the table, only in src', ['criterion']],
    ['sort the table. It must be stable.', ['scope']],
    ['sort the table in src/table.ts. It must be stable.', []],
    ['sort the table in /etc/passwd and ../x.ts', ['scope', 'criterion']],
    ['delete old rows', ['scope', 'criterion', 'non-goals', 'constraints']],
    ['delete old rows without changing the API', ['scope', 'criterion', 'constraints']],
    ['delete old rows. It must keep working.', ['scope', 'criterion', 'non-goals']],
    ['修复一下', ['goal', 'scope', 'criterion']],
    ['给表格排序', ['scope', 'criterion']],
    ['删除旧数据', ['scope', 'criterion', 'non-goals', 'constraints']],
  ])('%j asks %j', (request, expected) => {
    expect(asked(request)).toEqual(expected);
  });

  test.each<[string, Answer[], string[]]>([
    ['an answer', [say('scope', 'src')], ['criterion']],
    ['the whole project', [say('scope', '.')], ['criterion']],
    ['skip', [say('scope', 'skip'), say('criterion', ' Skip ')], []],
    ['跳过', [say('scope', '跳过')], ['criterion']],
    ['nothing', [say('criterion', '')], ['scope']],
    ['a clarification answers nothing', [say('clarification', 'by date')], ['scope', 'criterion']],
  ])('%s is not asked again', (_title, answers, expected) => {
    expect(asked('sort the table', answers)).toEqual(expected);
  });

  test('a goal cannot be skipped', () => {
    expect(asked('fix it', [say('goal', 'skip')])).toEqual(['goal', 'scope', 'criterion']);
  });

  test('recommend what project and request show', () => {
    expect(nextQuestions(stateOf('sort the table'))).toEqual([
      {
        id: 'scope',
        text: 'Which files or folders may be changed?',
        why: 'The request names no file or folder, and the plan may change only what is in scope.',
        recommended: 'src, test',
        options: ['src', 'the whole project'],
      },
      {
        id: 'criterion',
        text: 'How will you see that it is done?',
        why: 'Done means that something was checked, so one criterion is needed.',
        recommended: '`npm test` passes and this works: sort the table',
      },
    ]);
  });

  test.each<[string, string, Survey, string | undefined, string | undefined]>([
    [
      'the workspace it names',
      'sort the table of the web package',
      MONOREPO,
      'packages/web',
      '`npm test` passes and this works: sort the table of the web package',
    ],
    [
      'nothing where several folders fit',
      'sort the table',
      MONOREPO,
      undefined,
      '`npm test` passes and this works: sort the table',
    ],
    [
      'no command where there is none',
      'sort the table',
      BARE,
      undefined,
      'This works: sort the table',
    ],
    [
      'Chinese to Chinese',
      '给表格排序',
      ONE_FOLDER,
      'src, test',
      '`npm test` 通过，并且做到：给表格排序',
    ],
  ])('recommend %s', (_title, request, survey, scope, criterion) => {
    const questions = nextQuestions(stateOf(request, [], survey));
    expect(questions.map(({ recommended }) => recommended)).toEqual([scope, criterion]);
  });

  test('are Chinese for a Chinese request', () => {
    expect(nextQuestions(stateOf('删除旧数据')).map(({ text }) => text)).toEqual([
      '可以修改哪些文件或目录？',
      '怎样看出已经完成？',
      '哪些内容不能动？',
      '哪些行为必须保持不变？出错时如何回退？',
    ]);
  });
});

describe('intent', () => {
  test('keeps every answer with its source', () => {
    const draft = answersToIntent(
      stateOf('sort the table', [
        say('scope', 'src/table, test', '--scope'),
        say('criterion', 'AC1: ties keep their order', '--criterion'),
        say('criterion', 'it is fast', 'stdin'),
        say('clarification', 'by date,\nnot by name', '--clarification'),
        say('non-goals', 'paging', '--non-goal'),
      ]),
    );
    expect(draft).toEqual({
      goal: 'sort the table',
      clarifications: [
        'Scope? → src/table, test (from --scope)',
        'Done when? → ties keep their order, it is fast (from --criterion, stdin)',
        'Non-goals? → paging (from --non-goal)',
        'by date, not by name (from --clarification)',
      ],
      nonGoals: ['paging'],
      constraints: [],
      criteria: ['ties keep their order', 'it is fast'],
      assumptions: [
        'Constraints: existing behaviour and public interfaces stay as they are, no new dependencies',
      ],
      openQuestions: [],
      scopes: ['src/table', 'test'],
      said: [
        { slot: 'scope', text: 'src/table', from: '--scope' },
        { slot: 'scope', text: 'test', from: '--scope' },
        { slot: 'criterion', text: 'ties keep their order', from: '--criterion' },
        { slot: 'criterion', text: 'it is fast', from: 'stdin' },
        { slot: 'non-goals', text: 'paging', from: '--non-goal' },
      ],
    });
  });

  test('leaves open what nobody answered', () => {
    expect(answersToIntent(stateOf('fix it'))).toMatchObject({
      goal: '',
      criteria: [],
      scopes: [],
      openQuestions: [
        'goal: What should be different when this is done? →',
        'scope: Which files or folders may be changed? (recommended: src, test) →',
        'criterion: How will you see that it is done? (recommended: `npm test` passes) →',
      ],
    });
  });

  test('adds answers to what the request says, and a scope in its place', () => {
    const request =
      'Sort the table in src/a.ts. It must be stable. Leave the header alone. Rows are few.';
    const answers = [
      say('criterion', 'it is fast'),
      say('non-goals', 'paging'),
      say('scope', 'lib'),
    ];
    expect(answersToIntent(stateOf(request, answers))).toMatchObject({
      goal: request,
      criteria: ['It must be stable', 'it is fast'],
      nonGoals: ['Leave the header alone', 'paging'],
      scopes: ['lib'],
      clarifications: [
        'Scope? → lib (from prompt)',
        'Done when? → it is fast (from prompt)',
        'Non-goals? → paging (from prompt)',
      ],
      said: [
        { slot: 'scope', text: 'lib', from: 'prompt' },
        { slot: 'criterion', text: 'It must be stable', from: 'the request' },
        { slot: 'criterion', text: 'it is fast', from: 'prompt' },
        { slot: 'non-goals', text: 'Leave the header alone', from: 'the request' },
        { slot: 'non-goals', text: 'paging', from: 'prompt' },
      ],
    });
  });

  test('takes the paths of the request for the scope, with the tests, and says so', () => {
    const draft = answersToIntent(stateOf('sort the table in ./src/table.ts'));
    expect(draft.scopes).toEqual(['src/table.ts', 'test']);
    expect(draft.clarifications).toEqual(['Scope? → src/table.ts (from the request)']);
    expect(draft.assumptions).toContain(
      'Scope: src/table.ts (named in the request, with the tests)',
    );
  });

  test('a scope that the request sets is not widened', () => {
    const draft = answersToIntent(stateOf('sort the table, only in src/table'));
    expect(draft.scopes).toEqual(['src/table']);
    expect(draft.assumptions).not.toContainEqual(expect.stringContaining('Scope'));
  });

  test('what is skipped becomes an assumption', () => {
    const answers = ['scope', 'criterion', 'non-goals', 'constraints'].map((slot) =>
      say(slot as Answer['slot'], 'skip'),
    );
    expect(answersToIntent(stateOf('delete old rows', answers))).toMatchObject({
      openQuestions: [],
      scopes: ['src', 'test'],
      criteria: [],
      assumptions: [
        'Scope: src, test (not confirmed)',
        'Done when: `npm test` passes (no criterion was given)',
        'Non-goals: nothing outside of the scope is changed',
        'Constraints: existing behaviour and public interfaces stay as they are, no new dependencies',
      ],
    });
  });

  test.each<[string, Answer[], object]>([
    [
      'yes takes the recommendation',
      [say('scope', 'yes')],
      { scopes: ['src', 'test'], clarifications: ['Scope? → src, test (from prompt)'] },
    ],
    ['好 takes it, too', [say('scope', '好')], { scopes: ['src', 'test'] }],
    [
      'the whole project is no limit',
      [say('scope', 'the whole project')],
      { scopes: [], clarifications: ['Scope? → the whole project (from prompt)'] },
    ],
    [
      'ok to no question stands for itself',
      [{ ...say('criterion', 'ok', '--criterion'), isLiteral: true }],
      { criteria: ['ok'] },
    ],
    [
      'ok to a question takes the recommendation',
      [say('criterion', 'ok')],
      { criteria: ['`npm test` passes and this works: sort the table'] },
    ],
    [
      'blanks and words between paths divide them',
      [say('scope', 'src test and "my docs"')],
      { scopes: ['src', 'test', 'my docs'] },
    ],
    [
      'none is an answer',
      [say('non-goals', 'none')],
      { nonGoals: [], clarifications: ['Non-goals? → none (from prompt)'] },
    ],
    [
      'the last goal counts',
      [say('goal', 'one'), say('goal', 'two')],
      { goal: 'two', clarifications: ['Goal? → two (from prompt)'] },
    ],
    [
      'a list in one answer is several items',
      [say('criterion', '- one\n- two')],
      { criteria: ['one', 'two'] },
    ],
    [
      'no answer makes a heading',
      [say('constraints', 'a\n# Goal\nb')],
      { constraints: ['a', '# Goal', 'b'] },
    ],
  ])('%s', (_title, answers, expected) => {
    expect(answersToIntent(stateOf('sort the table', answers))).toMatchObject(expected);
  });

  test('speaks the language of the request', () => {
    const draft = answersToIntent(stateOf('给表格排序', [say('scope', 'src', '--scope')]));
    expect(draft.clarifications).toEqual(['范围？ → src（来自 --scope）']);
    expect(draft.openQuestions).toEqual([
      'criterion: 怎样看出已经完成？ （建议：`npm test` 通过，并且做到：给表格排序） →',
    ]);
  });
});

test('assumptions leave out what will be asked, and say what the document lacks', () => {
  expect(assumptionsFor(stateOf('delete old rows'))).toEqual([]);
  const long = `delete old rows\n${'x'.repeat(8_000)}\nb`;
  expect(assumptionsFor(stateOf(long))).toEqual([
    'Left out of this document: 2 lines at the end of the request, which is too long',
  ]);
});
