/** The built program between pipes: what others print, pieces of input, signals. */
import { spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/live-run.ts';
import { FOLDER, ID, PLAN, sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const PROGRAM = resolve(import.meta.dirname, '../../dist/cc.cjs');
const NAMED = ['--session', ID];
const TIMEOUT_MS = 60_000;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** So far. */
  stdout(): string;
}

/** @param input Pieces for its standard input, each a moment after the one before; then its end. */
function start(
  project: TempProject,
  argv: readonly string[],
  { env = {}, input = [] }: { env?: NodeJS.ProcessEnv; input?: readonly Uint8Array[] } = {},
): Started {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: project.root,
    env: { PATH: process.env['PATH'], HOME: project.home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
  void (async () => {
    for (const piece of input) {
      child.stdin.write(piece);
      await new Promise((done) => setTimeout(done, 50));
    }
    child.stdin.end();
  })();
  const text = (parts: readonly Buffer[]) => Buffer.concat(parts).toString('utf8');
  const ended = new Promise<Ended>((done) => {
    child.on('close', (status) => done({ status, stdout: text(out), stderr: text(err) }));
  });
  return { pid: child.pid ?? 0, ended, stdout: () => text(out) };
}

/** The path of a session, and lines that are refused. */
const LINES: readonly (readonly string[])[] = [
  ['status'],
  ['nonsense'],
  ['ralplan', '--approve'],
  ['ralph'],
  ['session', 'show'],
  ['check'],
  ['doctor'],
  ['config'],
  ['init'],
  ['ralplan', '--approve', ...NAMED],
  ['ralph', ...NAMED],
  ['verify', ...NAMED],
  ['complete', ...NAMED],
  ['log', ...NAMED],
];

test('warnings of Node and of loaded modules stay out of the document', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sessionAt('plan');
  await project.write(
    '../home/loud.cjs',
    "process.emitWarning('old', 'DeprecationWarning', 'DEP0001');\n" +
      "setTimeout(() => process.emitWarning('late'), 5).unref();\nBuffer(1);\n",
  );
  const loud = join(project.home, 'loud.cjs');
  const env = { NODE_OPTIONS: `--trace-deprecation --trace-warnings --require ${loud}` };
  for (const line of LINES) {
    const { status, stdout, stderr } = await start(project, [...line, '--json'], { env }).ended;
    expect(stderr, line.join(' ')).toContain('DeprecationWarning');
    const document = JSON.parse(stdout) as { readonly error?: object };
    // None of these lines fails without an error of its own.
    expect({ line, isError: document.error !== undefined }).toEqual({
      line,
      isError: status !== 0,
    });
  }
});

test('without --json, what goes on is on stderr and the result alone on stdout', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sessionAt('approved');
  const ran = await start(project, ['ralph', ...NAMED]).ended;
  expect(ran.stdout).toMatch(/^s1: /);
  expect(ran.stderr).toContain('Write the answer');
  expect(ran.stdout).not.toContain('▸');
});

const answers = (text: string) => Buffer.from(`{"answers":{"criterion":"${text}"}}`);
const split = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)];
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

test.each<[string, readonly Uint8Array[], string]>([
  ['without a line end', [answers('says hi')], 'says hi'],
  [
    'with CRLF and blank lines',
    [Buffer.from('\r\n\r\n'), answers('says hi'), Buffer.from('\r\n\r\n')],
    'says hi',
  ],
  ['with a mark', [MARK, answers('says hi')], 'says hi'],
  ['cut inside of a character', split(answers('says 语言 😀'), 32), 'says 语言 😀'],
  ['cut inside of an emoji', split(answers('😀 said'), 26), '😀 said'],
  ['byte by byte', [...answers('é')].map((byte) => Uint8Array.of(byte)), 'é'],
])('answers that come %s arrive whole', async (_title, input, criterion) => {
  await using project = await TempProject.createRepository({ 'a.txt': 'a\n' });
  const line = ['deep-interview', 'say it', '--stdin', '--json', '--session', 'n1'];
  const { stdout } = await start(project, line, { input }).ended;
  expect(JSON.parse(stdout)).toMatchObject({ session: 'n1', goal: 'say it' });
  const intent = await project.read('.chainlesschain/sessions/n1/intent.md');
  expect(intent).toContain(`- AC1: ${criterion}\n`);
  expect(intent).not.toContain('\uFFFD');
});

test.each<[string, Uint8Array]>([
  ['nothing', Buffer.of()],
  ['no JSON', Buffer.from('nonsense')],
  ['half of it', answers('x').subarray(0, 20)],
  ['two documents', Buffer.concat([answers('x'), answers('y')])],
  ['a list', Buffer.from('[]')],
  ['null', Buffer.from('null')],
  ['five megabytes', answers('x'.repeat(5_000_000))],
  ['an unknown key', Buffer.from('{"answers":{"__proto__":"x"}}')],
])('%s on standard input is one error, and makes no session', async (_title, bytes) => {
  await using project = await TempProject.createRepository({ 'a.txt': 'a\n' });
  const before = await project.snapshot();
  const line = ['deep-interview', 'say it', '--stdin', '--json', '--session', 'n1'];
  const { status, stdout } = await start(project, line, { input: [bytes] }).ended;
  expect(status).toBe(6);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
  expect(await project.snapshot()).toEqual(before);
});

test('a log that grows inside of a character is followed without a broken one', async () => {
  await using project = await sessionAt('approved');
  const log = join(project.root, FOLDER, 'progress.log');
  const run = start(project, ['log', '--follow', ...NAMED]);
  await until(async () => run.stdout().includes('approved by'));
  const bytes = Buffer.from('[x] [y] 语言 😀 end\r\n');
  for (const piece of [bytes.subarray(0, 9), bytes.subarray(9, 17), bytes.subarray(17)]) {
    await appendFile(log, piece);
    await new Promise((done) => setTimeout(done, 300));
  }
  await until(async () => run.stdout().includes('end'));
  process.kill(run.pid, 'SIGINT');
  const { status, stdout } = await run.ended;
  expect(status).toBe(0);
  expect(stdout).toContain('[x] [y] 语言 😀 end\n');
  expect(stdout).not.toContain('\uFFFD');
});

const SLEEPING = PLAN.replace(
  '`sh check.sh`',
  () => '`echo $$ > "$HOME/check.pid"; exec sleep 60`',
);

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 130],
] as const)('%s: one document, status %i, and no process is left', async (signal, status) => {
  await using project = await sessionAt('approved', { plan: SLEEPING });
  const run = start(project, ['ralph', ...NAMED, '--json']);
  const check = Number(await until(async () => (await project.read('../home/check.pid')).trim()));
  process.kill(run.pid, signal);
  const ended = await run.ended;
  expect(ended.status).toBe(status);
  expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'REQUEST_CANCELLED' } });
  expect(() => process.kill(check, 0)).toThrow('ESRCH');
  expect(Object.keys(await project.snapshot(FOLDER)).join()).not.toMatch(/\.lease|\.lock|\.tmp/);
});

test.each([
  ['log --follow', 'progress.log'],
  ['status --watch', 'intent.md'],
])('%s ends when nobody reads it any more', { timeout: TIMEOUT_MS }, async (line, file) => {
  await using project = await sessionAt('approved');
  const child = spawn(process.execPath, [PROGRAM, ...line.split(' '), ...NAMED], {
    cwd: project.root,
    env: { PATH: process.env['PATH'], HOME: project.home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  await new Promise((done) => child.stdout.once('data', done));
  child.stdout.destroy();
  let isOver = false;
  void ended.then(() => (isOver = true));
  // It is told when it writes the next time.
  await until(async () => {
    await appendFile(join(project.root, FOLDER, file), '[x] [y] z\n');
    return isOver;
  });
  expect(await ended).toBe(0);
});

test('what an editor prints is no part of the document', { timeout: TIMEOUT_MS }, async () => {
  await using project = await sessionAt('plan');
  const argv = ['ralplan', '--edit', '--json', ...NAMED];
  const env = { EDITOR: 'echo I am an editor:' };
  const { status, stdout, stderr } = await start(project, argv, { env }).ended;
  expect(status).toBe(0);
  expect(stderr).toContain('I am an editor');
  expect(JSON.parse(stdout)).toMatchObject({ next: expect.any(String) });
});

test('bytes of no encoding on standard input are refused', { timeout: TIMEOUT_MS }, async () => {
  await using project = await sessionAt('intent');
  const before = await project.snapshot();
  const input = [Buffer.from('{"goal":"'), Buffer.from([0xc4, 0xe3, 0x22, 0x7d])];
  const ended = start(project, ['deep-interview', '--stdin', ...NAMED], { input }).ended;
  expect(await ended).toMatchObject({
    status: 6,
    stderr: expect.stringContaining('REQUEST_INVALID: stdin is not UTF-8'),
  });
  expect(await project.snapshot()).toEqual(before);
});
