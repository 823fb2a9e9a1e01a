import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptRecommended,
  parseAnswerFlag,
  parseIntakeJson,
  printOpenQuestion,
  readOpenQuestions,
} from '../../../src/workflow/intake/interview-input.ts';

const HINT = 'cc deep-interview --help';

describe('JSON on stdin', () => {
  test('takes every key, lists and single texts', () => {
    const input = {
      goal: 'sort',
      scope: ['src', 'test'],
      criteria: 'stable',
      nonGoals: ['paging'],
      constraints: 'fast',
      clarifications: ['by date'],
      answers: { criterion: 'skip' },
    };
    expect(parseIntakeJson(`\uFEFF${JSON.stringify(input)}`)).toEqual([
      { slot: 'goal', text: 'sort', from: 'stdin' },
      { slot: 'scope', text: 'src', from: 'stdin' },
      { slot: 'scope', text: 'test', from: 'stdin' },
      { slot: 'criterion', text: 'stable', from: 'stdin' },
      { slot: 'non-goals', text: 'paging', from: 'stdin' },
      { slot: 'constraints', text: 'fast', from: 'stdin' },
      { slot: 'clarification', text: 'by date', from: 'stdin' },
      { slot: 'criterion', text: 'skip', from: 'stdin' },
    ]);
  });

  test('an empty object answers nothing', () => {
    expect(parseIntakeJson('{}')).toEqual([]);
  });

  test.each([
    ['an unknown key', '{"scop":"x"}', 'stdin: "scop" is not a key'],
    ['an unknown question', '{"answers":{"why":"x"}}', 'stdin: "answers.why" is not a key'],
    ['a key of every object', '{"constructor":"x"}', 'stdin: "constructor" is not a key'],
    [
      'a wrong type',
      '{"goal":1}',
      'stdin: "goal": Invalid input: expected string, received number',
    ],
    [
      'null for a text',
      '{"goal":null}',
      'stdin: "goal": Invalid input: expected string, received null',
    ],
    ['a list', '[]', 'stdin: Invalid input: expected object, received array'],
    ['too much of it', `"${'x'.repeat(1_000_001)}"`, 'stdin is longer than 1000000 characters'],
  ])('%s is refused', (_title, json, message) => {
    expect(() => parseIntakeJson(json)).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID', message, hint: HINT }),
    );
  });

  test.each(['', '{', 'goal: x', '{"goal":"a"} x'])('%j is not JSON', (json) => {
    expect(() => parseIntakeJson(json)).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        message: expect.stringMatching(/^stdin is not JSON: /),
      }),
    );
  });

  test('anything else is refused as invalid, never otherwise', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (json) => {
        try {
          parseIntakeJson(json);
        } catch (error) {
          expect(error).toMatchObject({ code: 'REQUEST_INVALID' });
        }
      }),
    );
  });
});

describe('--answer', () => {
  test.each([
    ['scope=src', { slot: 'scope', text: 'src', from: '--answer' }],
    ['Criterion=a=b', { slot: 'criterion', text: 'a=b', from: '--answer' }],
    ['non-goals=', { slot: 'non-goals', text: '', from: '--answer' }],
  ])('%s', (flag, answer) => {
    expect(parseAnswerFlag(flag)).toEqual(answer);
  });

  test.each(['scope', 'why=x', '=x', ''])('%j is refused', (flag) => {
    expect(() => parseAnswerFlag(flag)).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        message: `--answer ${flag}: use <question>=<text>, with one of goal, scope, criterion, non-goals, constraints`,
      }),
    );
  });
});

test('--yes takes what is recommended and nothing else', () => {
  const questions = [
    { id: 'goal', text: '?', why: '' },
    { id: 'scope', text: '?', why: '', recommended: 'src' },
  ] as const;
  expect(acceptRecommended(questions)).toEqual([{ slot: 'scope', text: 'src', from: '--yes' }]);
});

describe('Open Questions of intent.md', () => {
  const question = { id: 'scope', text: 'Which files?', why: '', recommended: 'a → b' } as const;

  test.each([
    ['en', 'scope: Which files? (recommended: a -> b) →'],
    ['zh', 'scope: Which files? （建议：a -> b） →'],
  ] as const)('a printed question (%s) has no answer yet', (language, printed) => {
    expect(printOpenQuestion(question, language)).toBe(printed);
    expect(readOpenQuestions([printed])).toEqual([]);
  });

  test.each([
    ['behind the arrow', 'scope: Which files? → src', 'src'],
    ['with an arrow of its own', 'scope: Which files? → a → b', 'a → b'],
    ['below it', 'scope: Which files? →\n  - src', 'src'],
    ['labelled', 'scope: Which files?\n  Answer: src', 'src'],
    ['in Chinese', 'scope: 哪些文件？ →\n  答：src', 'src'],
    ['in bold', '**scope**: Which files? → src', 'src'],
    ['skipped', 'scope: Which files? → skip', 'skip'],
  ])('an answer %s', (_title, item, text) => {
    expect(readOpenQuestions([item])).toEqual([{ slot: 'scope', text, from: 'intent.md' }]);
  });

  test.each(['Who owns this? → Ann', 'scope', 'scope: Which files?', ': → x', ''])(
    '%j gives none',
    (item) => {
      expect(readOpenQuestions([item])).toEqual([]);
    },
  );
});
