import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CcError } from '../../src/kernel/base/errors.ts';
import { readInvocation } from '../../src/cli/invocation.ts';
import { TempProject } from '../support/temp-project.ts';

const NAMES = ['deep-interview', 'ralplan', 'ralph', 'verify', 'status', 'session', 'log'];

/** What a program gets of a line that bash reads. */
function fromBash(line: string, flags: readonly string[] = []): readonly string[] {
  const script = `cc() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`;
  const output = execFileSync('bash', ['--norc', ...flags, '-c', script], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: process.env['PATH'] },
  });
  return output.split('\0').slice(0, -1);
}

test.each([
  ['cc', [], 'status', []],
  [
    'cc $deep-interview "add a flag"',
    ['-interview', 'add a flag'],
    'deep-interview',
    ['add a flag'],
  ],
  [
    'cc $deep-interview "x" --scope src',
    ['-interview', 'x', '--scope', 'src'],
    'deep-interview',
    ['x', '--scope', 'src'],
  ],
  ['cc $ralplan --approve', ['--approve'], 'ralplan', ['--approve']],
  ['cc $ralplan --step=a', ['--step=a'], 'ralplan', ['--step=a']],
  ["cc '$ralph'", ['$ralph'], 'ralph', []],
  ['cc \\$ralph "note"', ['$ralph', 'note'], 'ralph', ['note']],
  ['cc $ralph', [], 'status', []],
  [
    'cc --session s1 $ralplan --approve',
    ['--session', 's1', '--approve'],
    'ralplan',
    ['--session', 's1', '--approve'],
  ],
])('bash: %s', (line, arrives, name, argv) => {
  const words = fromBash(line);
  expect(words).toEqual(arrives);
  expect(readInvocation(words, NAMES)).toEqual({ name, argv });
});

test.each([
  ['cc $ralph "fix it"', ['fix it'], "cc deep-interview 'fix it'"],
  ['cc $team "y"', ['y'], 'cc deep-interview y'],
  ['cc fix the bug', ['fix', 'the', 'bug'], "cc deep-interview 'fix the bug'"],
  ['cc fix it --yes', ['fix', 'it', '--yes'], "cc deep-interview 'fix it' --yes"],
  ['cc verfy --check "npm test"', ['verfy', '--check', 'npm test'], "cc verify --check 'npm test'"],
  ['cc "$ralph"', [''], "cc deep-interview ''"],
])('bash: %s stops with the right spelling', (line, arrives, hint) => {
  const words = fromBash(line);
  expect(words).toEqual(arrives);
  expect(() => readInvocation(words, NAMES)).toThrow(
    expect.objectContaining({ code: 'REQUEST_INVALID', hint }),
  );
});

test('under set -u bash itself stops, and nothing arrives', () => {
  expect(() => fromBash('cc $ralph', ['-u'])).toThrow(/ralph: unbound variable/);
});

test('a lone text has no effect', async () => {
  await using project = await TempProject.createRepository({ 'a.txt': 'a\n' });
  const before = await project.snapshot();
  const { exitCode, stdout, stderr } = await project.cc('fix it');
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 6,
    stdout: '',
    stderr:
      'REQUEST_INVALID: "fix it" is no command; did the shell take a $verb away?\n' +
      "Next: cc deep-interview 'fix it'\n",
  });
  expect(await project.snapshot()).toEqual(before);
});

test.each([
  ['--json status', ['--json', 'status'], 'status', ['--json']],
  ['--session s1 log', ['--session', 's1', 'log'], 'log', ['--session', 's1']],
  ['--session=s1 log -- x', ['--session=s1', 'log', '--', 'x'], 'log', ['--session=s1', '--', 'x']],
  [
    '--cwd a --no-input ralph b',
    ['--cwd', 'a', '--no-input', 'ralph', 'b'],
    'ralph',
    ['--cwd', 'a', '--no-input', 'b'],
  ],
  ['only front options', ['--json', '--no-hooks'], 'status', ['--json', '--no-hooks']],
  ['a front option without its value', ['--session'], 'status', ['--session']],
  ['help of a command', ['help', 'ralph'], 'ralph', ['--help']],
  ['help of a $command', ['--help', '$ralph'], 'ralph', ['--help']],
  ['help of an action', ['help', 'session', 'list'], 'session', ['list', '--help']],
  ['help alone', ['-h'], 'help', []],
  ['the version', ['-V'], 'version', []],
])('%s', (_title, argv, name, rest) => {
  expect(readInvocation(argv, NAMES)).toEqual({ name, argv: rest });
});

test.each([
  ['a letter too many', 'verifyy', 'cc verify'],
  ['a letter too few', 'sesion', 'cc session'],
  ['two swapped', 'rlaph', 'cc ralph'],
  ['another letter', 'statos', 'cc status'],
  ['an option nobody has', '--wat', 'cc --help'],
  ['a quote', "it's", "cc deep-interview 'it'\\''s'"],
  ['what a shell would run', '`id`$(id)', "cc deep-interview '`id`$(id)'"],
])('%s: %s', (_title, word, hint) => {
  const refused = () => readInvocation([word], NAMES);
  expect(refused).toThrow(CcError);
  expect(refused).toThrow(expect.objectContaining({ code: 'REQUEST_INVALID', hint }));
});

test('help of what is no command says so', () => {
  expect(() => readInvocation(['help', 'nope'], NAMES)).toThrow('"nope" is no command');
});
