#!/usr/bin/env node
// Takes a change through every stage, in a temporary git repository, with the program in `dist/`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const CC = join(ROOT, 'dist', 'cc.cjs');
const TEMPLATE = join(ROOT, 'templates', 'demo');
const GOAL = 'add a --json flag to the report command';
const CRITERIA = [
  '--json prints the report as one JSON document',
  'without the flag the report is the text that it was',
  'docs/report.json shows what --json prints',
];
/** Of whoever runs the demo; each would change what it shows. */
const FOREIGN =
  /^(?:CC_|CHAINLESSCHAIN_|GIT_|XDG_|npm_|NODE_(?:EXTRA_CA_CERTS|OPTIONS|TEST_CONTEXT)$|(?:NO|FORCE)_COLOR$)/i;

const IN_SESSION = /^\.chainlesschain\/sessions\/[^/]+\//;
const MAX_WIDTH = 90;

const isColoured = wantsColour(process.env, process.stdout.isTTY === true);
const paint = (code) => (text) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
const bold = paint('1');
const dim = paint('2');
const green = paint('32');
const red = paint('31');
const say = (text = '') => process.stdout.write(`${text}\n`);

const base = realpathSync(mkdtempSync(join(tmpdir(), 'cc-demo-')));
const project = join(base, 'tea-shop');
const home = join(base, 'home');
const log = join(base, 'output.txt');
const env = demoEnv();

try {
  tour();
} catch (error) {
  say(red(`\nThe demo stopped: ${error.message}`));
  process.exitCode = 1;
} finally {
  rmSync(log, { force: true });
  say(project);
}

function tour() {
  say(bold('A change, from request to done, without a model'));
  say(
    'A small project with a failing test, in a git repository of its own. `cc` is this build of it;',
  );
  say(`nothing outside of ${base} is touched.`);
  say(
    `Below each command: what it printed, then the files that it made (${green('+')}) or changed (${green('~')}).`,
  );
  makeProject();

  title('Before', 'one test fails: nobody has written --json yet');
  run('npm test', ['npm', 'test'], { exit: 1, show: isVerdict });

  title('Set up', 'once per project');
  cc(['init']);

  const id = wholePath();

  title('After', 'the test passes');
  run('npm test', ['npm', 'test'], { show: isVerdict });
  run('git status --short', ['git', 'status', '--short', '--untracked-files=all']);

  say();
  say(bold('That was the whole path. Look around, and ask where the session stands:'));
  say(`  cd ${quote(project)}`);
  say(`  export CHAINLESSCHAIN_HOME=${quote(env.CHAINLESSCHAIN_HOME)}`);
  say(`  node ${quote(CC)} status --session ${id}`);
  say(`  node ${quote(CC)} log --session ${id}`);
  say();
}

/** From clarify to complete. Returns the id of the session. */
function wholePath() {
  title('1. Clarify', 'what is wanted, where, and how one will see that it is done');
  const criteria = CRITERIA.flatMap((text) => ['--criterion', text]);
  cc(['deep-interview', GOAL, '--scope', 'src', '--scope', 'docs', ...criteria]);
  const id = sessionId();

  title('2. Plan', 'a first draft, made from the answers');
  cc(['ralplan']);

  title('   … and an editor', 'the plan is yours; a prepared text takes the place of your typing');
  edit(id);
  cc(['ralplan']);

  title('3. Approve', 'exactly this may happen. Nobody can be asked here, so --session is the yes');
  cc(['ralplan', '--approve', '--session', id]);

  title('4. Execute', 'step by step, with the checks of each step');
  cc(['ralph']);

  title('5. Verify', 'the checks of the whole plan, bound to exactly these files');
  cc(['verify']);

  title('6. Complete', 'only what is proven is done');
  cc(['complete']);
  return id;
}

function makeProject() {
  cpSync(join(TEMPLATE, 'project'), project, { recursive: true });
  mkdirSync(home, { recursive: true });
  quietly(['git', '-c', 'init.defaultBranch=main', 'init', '--quiet']);
  quietly(['git', 'config', 'user.name', 'Ann']);
  quietly(['git', 'config', 'user.email', 'ann@example.com']);
  quietly(['git', 'config', 'commit.gpgSign', 'false']);
  quietly(['git', 'add', '--all']);
  quietly(['git', 'commit', '--quiet', '--message', 'A report of what was sold']);
}

/** A person keeps the keys on top and writes the rest anew. */
function edit(id) {
  const path = join(project, '.chainlesschain', 'sessions', id, 'plan.md');
  const before = listFiles();
  const draft = readFileSync(path, 'utf8');
  const head = draft.slice(0, draft.indexOf('\n---\n', 3) + '\n---\n'.length);
  const body = readFileSync(join(TEMPLATE, 'plan.md'), 'utf8');
  say(`\n${bold(`$ $EDITOR ${relative(project, path)}`)}`);
  for (const line of body.trimEnd().split('\n')) say(`${dim('  │')} ${line}`.trimEnd());
  writeFileSync(path, `${head}\n${body}`);
  tellFiles(before);
}

function cc(args) {
  const isLong = args.join(' ').length > MAX_WIDTH;
  const words = args.map((word) => {
    const isOption = isLong && /^--[a-z-]+$/.test(word);
    return isOption ? `\\\n    ${word}` : quote(word);
  });
  run(`cc ${words.join(' ')}`, [process.execPath, CC, ...args]);
}

/** Shows a command as typed, what it printed and what it wrote. Throws at an exit status nobody expected. */
function run(typed, [program, ...args], { exit = 0, show = () => true } = {}) {
  say(`\n${bold(`$ ${typed}`)}`);
  const before = listFiles();
  const { status, printed } = start(program, args);
  for (const line of printed.trimEnd().split('\n')) {
    if (status !== exit || show(line)) say(`${dim('  │')} ${tinted(line)}`.trimEnd());
  }
  tellFiles(before);
  if (status !== exit) throw new Error(`\`${typed}\` ended with ${status}, not ${exit}`);
}

/** Both streams go to one file, so that their lines stand in the order in which they were printed. */
function start(program, args) {
  writeFileSync(log, '');
  const out = openSync(log, 'a');
  const isScript = process.platform === 'win32' && program === 'npm';
  const options = { cwd: project, env, stdio: ['ignore', out, out], shell: isScript };
  const { status, error } = spawnSync(program, args, options);
  closeSync(out);
  if (error !== undefined) throw new Error(`\`${program}\` does not start: ${error.message}`);
  return { status, printed: readFileSync(log, 'utf8') };
}

function quietly([program, ...args]) {
  const { status, printed } = start(program, args);
  if (status !== 0) throw new Error(`\`${[program, ...args].join(' ')}\`: ${printed.trim()}`);
}

/** A test runner says much; whether and what failed is enough here. */
function isVerdict(line) {
  return /^(?:> node --test|(?:not )?ok |[✔✖] |(?:#|ℹ) (?:pass|fail) )/.test(line);
}

/** The files of the session stand in one line, below their common folder. */
function tellFiles(before) {
  const after = listFiles();
  const changes = [
    ...[...after].flatMap(([path, hash]) => {
      if (before.get(path) === hash) return [];
      return [{ path, sign: before.has(path) ? green('~') : green('+') }];
    }),
    ...[...before.keys()].flatMap((path) => (after.has(path) ? [] : [{ path, sign: red('-') }])),
  ];
  const isOwn = ({ path }) => IN_SESSION.test(path);
  const own = changes.filter(isOwn);
  const names = own.map(({ path, sign }) => `${sign} ${path.replace(IN_SESSION, '')}`);
  if (own.length > 0) say(dim(`  ${IN_SESSION.exec(own[0].path)[0]}`));
  if (own.length > 0) say(`    ${names.join('  ')}`);
  for (const { path, sign } of changes.filter((change) => !isOwn(change))) say(`  ${sign} ${path}`);
}

/** Hash by path, of everything but git's own files. */
function listFiles() {
  const entries = readdirSync(project, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(project, join(parentPath, name)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('.git/'))
    .sort();
  const hashOf = (path) =>
    createHash('sha256')
      .update(readFileSync(join(project, path)))
      .digest('hex');
  return new Map(paths.map((path) => [path, hashOf(path)]));
}

function sessionId() {
  const [id] = readdirSync(join(project, '.chainlesschain', 'sessions'));
  if (id === undefined) throw new Error('no session was made');
  return id;
}

function title(name, about) {
  say(`\n\n${bold(name)}  ${dim(about)}`);
}

function tinted(line) {
  if (/^\s*(?:✓|✔)|^ok /.test(line)) return green(line);
  return /^\s*(?:✗|✖)|^not ok /.test(line) ? red(line) : line;
}

function quote(word) {
  return /^[\w./:=@-]+$/.test(word) ? word : `"${word}"`;
}

/** The person's own, without what would colour, redirect or sign, and with a home that is not theirs. */
function demoEnv() {
  const kept = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    CHAINLESSCHAIN_HOME: join(home, '.chainlesschain'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
  };
}

function wantsColour({ NO_COLOR, FORCE_COLOR, TERM }, isTerminal) {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return isTerminal && NO_COLOR === undefined && TERM !== 'dumb';
}
