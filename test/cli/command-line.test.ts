import { beforeAll, afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { safeText } from '../../src/cli/terminal/safe-text.ts';
import { ID, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const NAMES = Object.keys(COMMANDS);
const TAKES_WORDS = ['deep-interview', 'ralplan', 'ralph'];

let project: TempProject;
let before: Record<string, string>;
beforeAll(async () => {
  project = await sessionAt('plan');
  before = await project.snapshot();
});
afterAll(async () => {
  const after = await project.snapshot();
  await project[Symbol.asyncDispose]();
  // Not one of these lines did anything.
  expect(after).toEqual(before);
});

/** The same line in both forms: the code and what resolves it. */
async function refused(argv: readonly string[]) {
  const [name = '', ...rest] = argv;
  const text = await project.cc(...argv);
  const json = await project.cc(name, '--json', ...rest);
  const { error } = JSON.parse(json.stdout);
  expect({ exit: json.exitCode, stderr: json.stderr }).toEqual({ exit: text.exitCode, stderr: '' });
  expect(text.stdout).toBe('');
  expect(text.stderr).toBe(safeText(`${error.code}: ${error.message}\nNext: ${error.hint}\n`));
  expect(Object.keys(error)).toEqual(['code', 'message', 'hint', 'details', 'retryable']);
  return { exit: text.exitCode, code: error.code, message: error.message, hint: error.hint };
}

test.each(NAMES)('%s: an unknown option', async (name) => {
  expect(await refused([name, '--bogus'])).toEqual({
    exit: 6,
    code: 'REQUEST_INVALID',
    message: "unknown option '--bogus'",
    hint: `cc ${name} --help`,
  });
});

test.each(NAMES.filter((name) => !TAKES_WORDS.includes(name)))(
  '%s: a word too many',
  async (name) => {
    expect(await refused([name, 'a', 'b', 'c', 'd'])).toEqual({
      exit: 6,
      code: 'REQUEST_INVALID',
      message: expect.stringMatching(new RegExp(`^cc ${name} does not take the word "[abcd]"$`)),
      hint: `cc ${name} --help`,
    });
  },
);

test.each([
  [
    'a missing value',
    ['status', '--session'],
    "option '--session <id>' argument missing",
    'cc status --help',
  ],
  [
    'an option in its place',
    ['ralph', '--task', '--done'],
    '--task needs a value, and --done is an option',
    'cc ralph --help',
  ],
  [
    'a typing error',
    ['ralph', '--tsk', 'a'],
    "unknown option '--tsk' (Did you mean --task?)",
    'cc ralph --help',
  ],
  [
    'a number that is none',
    ['log', '--lines', '0'],
    '--lines takes a whole number above zero, not "0"',
    'cc log --help',
  ],
  [
    'a time that is none',
    ['ralph', '--max-time', '5'],
    '--max-time takes a time such as 90s or 10m, not "5"',
    'cc ralph --help',
  ],
  [
    'a word of a list',
    ['reset', '--to', 'verify'],
    '--to takes one of intent, plan, execute, not "verify"',
    'cc reset --help',
  ],
  [
    'what is an option before --',
    ['log', '--', '--lines'],
    'cc log does not take the word "--lines"',
    'cc log --help',
  ],
  [
    'two ways at once',
    ['ralplan', '--approve', '--edit'],
    '--approve and --edit do not go together',
    'cc ralplan --help',
  ],
  [
    'a form without --ci',
    ['verify', '--out', 'f'],
    '--format and --out go with --ci',
    'cc verify --ci',
  ],
  [
    'a folder that is none',
    ['status', '--cwd', 'nowhere'],
    expect.stringMatching(/nowhere is not a folder$/),
    'cc status --cwd .',
  ],
  ['no shell', ['completion', 'tcsh'], 'Say which shell: bash, zsh, fish', 'cc completion bash'],
  ['no action', ['session', 'eat'], 'session has no action "eat"', 'cc session --help'],
])('%s', async (_title, argv, message, hint) => {
  expect(await refused(argv)).toEqual({ exit: 6, code: 'REQUEST_INVALID', message, hint });
});

test.each([
  ['..'],
  ['.'],
  ['...'],
  ['-rf'],
  ['CON'],
  ['con.txt'],
  ['a.'],
  ['x/../y'],
  ['/etc/passwd'],
  ['a\\b'],
  ['a b'],
  ['a\u0000b'],
  ['\u001b[2J'],
  ['a\u202eb'],
  ['x'.repeat(300)],
])('--session %j is no session', async (id) => {
  for (const name of ['status', 'ralph', 'log', 'cancel']) {
    const { exit, code, hint } = await refused([name, `--session=${id}`]);
    expect({ exit, code, hint }).toEqual({
      exit: 6,
      code: 'SESSION_ID_INVALID',
      hint: 'cc session list',
    });
  }
});

test('--session may stand anywhere, and the id in another case is the same session', async () => {
  const lines = [
    ['--session', ID, 'status'],
    ['status', '--session', ID],
    [`--session=${ID}`, 'status'],
    ['status', `--session=${ID.toUpperCase()}`],
  ];
  const shown = await Promise.all(lines.map((line) => project.ccJson(...line)));
  expect(shown.map(({ exitCode, value }) => [exitCode, value['session']])).toEqual(
    lines.map(() => [0, ID]),
  );
});

test('a value that looks like an option is one when it is written with =', async () => {
  const { message } = await refused([
    'ralplan',
    '--reject',
    '--reason=--json',
    '--session',
    'none',
  ]);
  expect(message).not.toContain('needs a value');
});

test('--cwd moves the whole command', async () => {
  await using elsewhere = await sessionAt('intent');
  const { exitCode, value } = await project.ccJson('--cwd', elsewhere.root, 'status');
  expect({ exitCode, stage: value['stage'] }).toEqual({ exitCode: 0, stage: 'intent' });
});

test.each(NAMES.filter((name) => !COMMANDS[name]?.isPlaceless))(
  '%s names the project when one stands elsewhere',
  async (name) => {
    await using there = await sessionAt('plan');
    const line = `project: ${there.root}\n`;
    const argv = [name, '--cwd', there.root, '--session', 'none', '--no-input'];
    expect((await there.cc(...argv)).stderr).not.toContain(line);
    there.io = { cwd: '/' };
    expect((await there.cc(...argv)).stderr).toContain(line);
    expect((await there.cc(...argv, '--json')).stderr).not.toContain(line);
  },
);
