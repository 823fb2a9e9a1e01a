import { describe, expect, test } from 'vitest';
import { answering, type CcResult, TempProject } from '../../support/temp-project.ts';

const FILES = {
  'package.json': '{"scripts":{"test":"node --test"}}\n',
  'src/a.js': '1\n',
  'test/a.test.js': '1\n',
};
const intentOf = async (project: TempProject) => {
  const id = (await project.read('.chainlesschain/current')).trim();
  return project.read(`.chainlesschain/sessions/${id}/intent.md`);
};
const open = () => TempProject.createRepository(FILES);

describe('the request', () => {
  test.each([
    'Out of scope warnings should be logged',
    'without changing the API, speed up slug',
    '不改接口，给 slug 加缓存',
    '不要删除旧文件，给导出加压缩',
    'Add a --dry-run flag; tests must pass',
    'Sort the table. Rows are few.',
  ])('%j is the goal, whole', async (request) => {
    await using project = await open();
    await project.cc('deep-interview', request);
    expect(await intentOf(project)).toContain(`## Goal\n\n${request}\n`);
  });

  test('what is read out of it is shown with its source', async () => {
    await using project = await open();
    const { stdout } = await project.cc(
      'deep-interview',
      "Sort the table, only in src. It must be stable. Don't touch test. No new dependencies.",
    );
    expect(stdout).toContain(': Sort the table, only in src\n');
    expect(stdout).toContain('  scope: src (from the request)\n');
    expect(stdout).toContain('  AC1: It must be stable (from the request)\n');
    expect(stdout).toContain("  non-goal: Don't touch test (from the request)\n");
    expect(stdout).toContain('  constraint: No new dependencies (from the request)\n');
  });

  test('is read once: what a person takes out stays out', async () => {
    await using project = await open();
    await project.cc('deep-interview', "Sort the table. Don't touch test.", '--scope', 'src');
    const id = (await project.read('.chainlesschain/current')).trim();
    const path = `.chainlesschain/sessions/${id}/intent.md`;
    const edited = (await project.read(path)).replace("- Don't touch test\n", '_(none yet)_\n');
    await project.write(path, edited);
    await project.cc('deep-interview', '--answer', 'criterion=it is sorted');
    const text = await project.read(path);
    expect(text).toContain('## Non-Goals\n\n_(none yet)_\n');
    expect(text).toContain('- AC1: it is sorted\n');
  });

  test('in Chinese has its recommendations in one form', async () => {
    await using project = await open();
    const { stdout } = await project.cc('deep-interview', '给表格排序');
    expect(stdout).toContain('（建议：src, test）');
    expect(stdout).not.toContain('(recommended');
  });
});

describe('a scope', () => {
  test.each<[string, string]>([
    ['src test', 'src, test'],
    ['src and test', 'src, test'],
    ['src，test', 'src, test'],
    ['src和test', 'src, test'],
  ])('typed as %j is %s', async (typed, scope) => {
    await using project = await open();
    const { stdout } = await project.cc('deep-interview', 'Sort it well', '--scope', typed);
    expect(stdout).toContain('  scope: src (from --scope)\n  scope: test (from --scope)\n');
    expect(await intentOf(project)).toContain(`- Scope: ${scope}\n`);
  });

  test.each([
    [['--scope', '/etc'], '"/etc" is not relative to the project'],
    [['--scope', 'src, ../x'], '"../x" climbs out with ..'],
    [['--scope', 'the parser'], '"the" is neither a path of this project nor a glob'],
    [['--answer', 'scope=/etc'], '"/etc" is not relative to the project'],
  ])('%j is refused, and nothing is written', async (options, message) => {
    await using project = await open();
    const before = await project.snapshot();
    const { exitCode, stderr } = await project.cc('deep-interview', 'Sort it well', ...options);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 6,
      stderr: expect.stringContaining(message) as string,
    });
    expect(await project.snapshot()).toEqual(before);
  });

  test('in intent.md that is no path is refused, and the document stays', async () => {
    await using project = await open();
    await project.cc('deep-interview', 'Sort it well');
    const id = (await project.read('.chainlesschain/current')).trim();
    const path = `.chainlesschain/sessions/${id}/intent.md`;
    const text = await project.read(path);
    await project.write(path, text.replace(/(- scope: .* →)/, '$1 /etc'));
    const before = await project.snapshot();
    const run = await project.cc('deep-interview');
    expect(run.exitCode).toBe(6);
    expect(run.stderr).toContain('The answer to "scope" in intent.md: "/etc" is not relative');
    expect(await project.snapshot()).toEqual(before);
  });

  test('that does not exist is taken with a warning', async () => {
    await using project = await open();
    const { stdout } = await project.cc('deep-interview', 'Sort it well', '--scope', 'lib');
    expect(stdout).toContain('  scope: lib (from --scope)\n');
    expect(stdout).toContain('  ! scope: there is no lib yet\n');
  });

  test('at the terminal is asked for again', async () => {
    await using project = await open();
    project.io = { prompter: answering('/etc', '…', 'src test', 'it is sorted') };
    expect((await project.cc('deep-interview', 'Sort it well')).exitCode).toBe(0);
    expect(await intentOf(project)).toContain('- Scope: src, test\n');
  });

  test('that is answered anew takes the place of the old one', async () => {
    await using project = await open();
    const criterion = ['--criterion', 'it is sorted'];
    await project.cc('deep-interview', 'Sort it well', '--scope', 'src', ...criterion);
    await project.cc('deep-interview', '--scope', 'test');
    const text = await intentOf(project);
    expect(text).toContain('- Scope: test\n');
    expect(text).not.toContain('- Scope: src\n');
    await project.cc('deep-interview', '--scope', '.');
    expect(await intentOf(project)).not.toContain('- Scope:');
    const again: CcResult = await project.cc('deep-interview');
    expect(again.exitCode).toBe(0);
    expect(again.stdout).not.toContain('open: scope');
  });
});

describe('a placeholder is nobody’s words', () => {
  test.each([
    ['--criterion', '…'],
    ['--criterion', '...'],
    ['--scope', '<path>'],
    ['--answer', 'scope=…'],
    ['--answer', 'criterion=‹text›'],
  ])('%s %s', async (...options) => {
    await using project = await open();
    const before = await project.snapshot();
    const run = await project.ccJson('deep-interview', 'Sort it well', ...options);
    expect(run).toMatchObject({
      exitCode: 6,
      value: {
        error: { code: 'REQUEST_INVALID', message: expect.stringContaining('by your own words') },
      },
    });
    expect(await project.snapshot()).toEqual(before);
  });

  test('as the goal, and in JSON', async () => {
    await using project = await open();
    expect((await project.cc('deep-interview', '<what you want>')).exitCode).toBe(6);
    project.io = { readInput: async () => '{"goal":"Sort it well","criteria":["…"]}' };
    const { exitCode, stderr } = await project.cc('deep-interview', '--stdin');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 6,
      stderr: expect.stringContaining('stdin: replace … by your own words') as string,
    });
  });
});

test('--criterion ok is a criterion', async () => {
  await using project = await open();
  await project.cc('deep-interview', 'Sort it well', '--scope', 'src', '--criterion', 'ok');
  expect(await intentOf(project)).toContain('- AC1: ok\n');
});

test('Enter without a recommendation leaves a question open and goes on to the next', async () => {
  await using project = await TempProject.createRepository({ 'a/a.js': '1\n', 'b/b.js': '1\n' });
  // Two folders of code: there is no scope to recommend.
  const asked: string[] = [];
  project.io = {
    prompter: {
      confirm: async () => true,
      async text(question, recommended) {
        asked.push(question.split('\n', 1)[0] ?? '');
        return asked.length === 1 ? recommended : 'it is sorted';
      },
    },
  };
  const { exitCode, stdout } = await project.cc('deep-interview', 'Sort it well');
  expect(asked).toEqual([
    expect.stringContaining('Which files or folders'),
    'How will you see that it is done?',
  ]);
  expect(exitCode).toBe(8);
  expect(stdout).toContain('  AC1: it is sorted (from prompt)\n');
  expect(stdout).toContain('  open: scope: ');
  expect(stdout).toContain('1 open: ');
});

describe('what is due', () => {
  const CLEAR = ['deep-interview', 'Sort it well', '--scope', 'src', '--criterion', 'sorted'];

  test('is the interview while questions are open, and the plan once ralplan was called', async () => {
    await using project = await open();
    await project.cc('deep-interview', 'Sort it well');
    expect((await project.cc()).stdout).toContain('\nNext: cc deep-interview\n');
    expect((await project.cc('next')).exitCode).toBe(8);
    await project.cc('ralplan');
    expect((await project.cc()).stdout).toContain('\nNext: cc ralplan --approve\n');
  });

  test('is the plan when everything is answered', async () => {
    await using project = await open();
    expect((await project.cc(...CLEAR)).stdout).toContain('\nNext: cc ralplan\n');
  });

  test('after going back to the intent is a new draft, which nobody makes unasked', async () => {
    await using project = await open();
    await project.cc(...CLEAR);
    await project.cc('ralplan');
    const id = (await project.read('.chainlesschain/current')).trim();
    const reset = await project.cc('reset', '--to', 'intent', '--session', id);
    expect(reset.stdout).toContain('\nNext: cc ralplan --revise\n');
    const more = await project.cc('deep-interview', '--criterion', 'stable');
    expect(more.stdout).toContain('\nNext: cc ralplan --revise\n');
    const before = await project.snapshot();
    expect((await project.cc('next')).exitCode).toBe(8);
    expect(await project.snapshot()).toEqual(before);
  });
});
