import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { appendFile, readFile, truncate } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, PLAN, PROJECT } from '../support/sessions.ts';
import { TempRepo } from '../support/temp-repo.ts';

const PROGRAM = resolve(import.meta.dirname, '../../dist/cc.cjs');
const CC = `"${process.execPath}" "${PROGRAM}"`;

/** A repository with a session whose plan waits for an approval. */
async function withSession(): Promise<TempRepo> {
  const repo = await TempRepo.create();
  for (const [path, text] of Object.entries(PROJECT)) await repo.write(path, text);
  await repo.write(`${FOLDER}/intent.md`, INTENT);
  await repo.write(`${FOLDER}/plan.md`, PLAN);
  return repo;
}

const shell = (repo: TempRepo, script: string, env: NodeJS.ProcessEnv = {}) =>
  repo.run('bash', ['--norc', '-o', 'pipefail', '-c', script], env);

test('two megabytes come whole out of a slow pipe, a file and an ordinary one', async () => {
  await using repo = await withSession();
  await repo.write(`${FOLDER}/progress.log`, `[x] [y] ${'é'.repeat(50)}\n`.repeat(18_000));
  const show = `${CC} session show ${ID} --json`;
  const lengths = [];
  for (const sink of [`| (sleep 1; cat) | wc -c`, `| wc -c`, `> out.json; wc -c < out.json`]) {
    const { exit, stdout } = await shell(repo, `${show} ${sink}`);
    expect(exit).toBe(0);
    lengths.push(Number(stdout));
  }
  const [whole = 0] = lengths;
  expect(whole).toBeGreaterThan(1_900_000);
  expect(lengths).toEqual([whole, whole, whole]);
  const text = await readFile(join(repo.root, 'out.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ sessionId: ID, stage: 'plan' });
});

test('an error is whole, too, and the status survives the pipe', async () => {
  await using repo = await withSession();
  const { exit, stdout } = await shell(repo, `${CC} ralph --json | (sleep 0.5; cat)`);
  expect(exit).toBe(7);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'PLAN_APPROVAL_REQUIRED' } });
});

test.each([
  ['head -1', 'session show s1', 'head -n 1'],
  ['a reader that never reads', 'session show s1 --json', 'true'],
  ['help', '--help', 'head -n 1'],
  ['a refusal', 'ralph', 'true'],
])('a closed pipe is no crash: %s', async (_title, argv, reader) => {
  await using repo = await withSession();
  await repo.write(`${FOLDER}/progress.log`, 'x\n'.repeat(500_000));
  const { stderr } = await shell(repo, `${CC} ${argv} 2>err | ${reader}; cat err >&2`);
  expect(stderr).not.toMatch(/EPIPE|at .*\.cjs|Error:/);
});

test('a full disk behind stdout is told and fails', async () => {
  await using repo = await withSession();
  const { exit, stderr } = await shell(repo, `${CC} status > /dev/full`);
  expect({ exit, stderr }).toEqual({
    exit: 1,
    stderr: expect.stringMatching(/^SESSION_PERSISTENCE_FAILED: stdout: ENOSPC/),
  });
});

/** Every command, in a form that would be happy to ask. */
const COMMANDS: readonly (readonly [line: string, exit: number])[] = [
  ['', 0],
  ['status', 0],
  ['log', 0],
  ['session list', 0],
  ['session show', 0],
  ['session workflow', 0],
  ['check', 0],
  ['doctor', 0],
  ['config list', 0],
  ['completion bash', 0],
  ['init', 0],
  ['cancel', 0],
  ['unlock', 0],
  ['repair', 0],
  ['--help', 0],
  ['--version', 0],
  ['next', 8],
  ['ralplan', 0],
  ['ralplan --edit', 8],
  ['ralplan --diff', 0],
  ['ralplan --approve', 8],
  ['reset --to intent', 8],
  ['reopen', 7],
  ['ralph', 7],
  ['verify', 7],
  ['verify --ci', 1],
  ['complete', 7],
  ['deep-interview', 7],
  ['deep-interview "something else"', 8],
];

test('no command waits for an open pipe that nobody writes to', async () => {
  await using repo = await withSession();
  const ends = [];
  for (const [line] of COMMANDS) ends.push(await withOpenPipe(repo, line));
  expect(ends).toEqual(COMMANDS.map(([line, exit]) => ({ line, exit })));
}, 60_000);

/** stdin stays open: who reads it to its end hangs, and is killed. */
function withOpenPipe(repo: TempRepo, line: string): Promise<object> {
  const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  return new Promise((done) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: repo.root,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: 10_000,
    });
    child.on('exit', (exit) => done({ line, exit }));
  });
}

test.each([
  ['/dev/null', '</dev/null'],
  ['a closed descriptor', '<&-'],
  ['all three closed', '<&- >&- 2>&-'],
  ['a folder', '<.'],
])('stdin is %s', async (_title, redirect) => {
  await using repo = await withSession();
  const { exit } = await shell(repo, `timeout 10 ${CC} status ${redirect}`);
  expect(exit).toBe(0);
  const refused = await shell(repo, `timeout 10 ${CC} ralplan --approve ${redirect}`);
  expect(refused.exit).toBe(8);
});

test('only --stdin reads, and gets what comes in pieces', async () => {
  await using repo = await withSession();
  const script = `(printf '{"answers":{"criterion":"sa'; sleep 0.3; printf 'ys \\xe4\\xba'; sleep 0.3; printf '\\x8c"}}') | ${CC} deep-interview "say it" --stdin --json`;
  const { stdout } = await shell(repo, script);
  const { session, goal } = JSON.parse(stdout);
  expect(goal).toBe('say it');
  expect(await repo.read(`.chainlesschain/sessions/${session}/intent.md`)).toContain('says 二');
});

test.each([
  ['nothing set', {}, false],
  ['FORCE_COLOR=1', { FORCE_COLOR: '1' }, true],
])('colours in pipes, with %s', async (_name, env, mayHold) => {
  await using repo = await withSession();
  const lines = [`ralplan --approve --session ${ID}`, 'ralph', 'verify', 'status', 'nonsense'];
  const script = lines.map((line) => `${CC} ${line}`).join('\n');
  const { stdout, stderr } = await shell(repo, `${script}\ntrue`, {
    TERM: 'xterm-256color',
    ...env,
  });
  expect(stdout).toContain('goal: Say 42');
  expect(stderr).toContain('sh check.sh');
  // The result is text in every environment; only what happens on the way has colours.
  expect(stdout).not.toContain('\u001b');
  expect(stderr.includes('\u001b')).toBe(mayHold);
});

test('half a gigabyte of log: less than a second, and flat memory', async () => {
  await using repo = await withSession();
  const log = join(repo.root, FOLDER, 'progress.log');
  await repo.write(`${FOLDER}/progress.log`, 'first\n');
  await truncate(log, 500 * 1024 * 1024);
  await appendFile(log, '\nlast\n');
  const probe = join(repo.root, 'probe.cjs');
  await repo.write(
    'probe.cjs',
    "process.on('exit', () => require('fs').writeFileSync(3, String(process.resourceUsage().maxRSS)));",
  );
  const memory = openSync(join(repo.root, 'memory'), 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--require', probe, PROGRAM, 'log'], {
    cwd: repo.root,
    stdio: ['ignore', 'ignore', 'inherit', memory],
  });
  expect(await new Promise((done) => child.on('exit', done))).toBe(0);
  closeSync(memory);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(Number(await repo.read('memory'))).toBeLessThan(120 * 1024);
});
