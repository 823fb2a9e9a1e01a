/** Programs that a plan or a repository starts: what they leave behind, wait for or print. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FOLDER, ID, literalFile, planOf, sessionAt } from '../support/sessions.ts';

const run = promisify(execFile);
const NAMED = ['--session', ID];

const scriptPlan = (...script: readonly string[]) =>
  planOf([{ title: 'Run', lines: ['- id: run', '', '```sh run', ...script, '```'] }]);

test('bytes of no encoding: every file stays readable, and a repeated run adds none', async () => {
  const script = "printf '\\304\\343\\272\\303\\n'; head -c 65536 /dev/urandom; exit 3";
  await using project = await sessionAt('approved', { plan: scriptPlan(script) });
  const names: string[][] = [];
  for (let count = 0; count < 3; count++) {
    const { exitCode, value } = await project.ccJson('ralph', ...NAMED);
    expect({ exitCode, value }).toMatchObject({ exitCode: 1, value: { ending: 'failed' } });
    names.push(Object.keys(await project.snapshot(FOLDER)));
  }
  expect(names[1]).toEqual(names[0]);
  expect(names[2]).toEqual(names[0]);
  for (const name of ['tasks.json', 'mode.json']) await project.json(`${FOLDER}/${name}`);
  const log = (await project.read(`${FOLDER}/progress.log`)).trimEnd().split('\n');
  for (const line of log) {
    expect(line).toMatch(/^\[\d{4}-[^\]]+Z\] \[\w+\] [^\u0000-\u0008\u000b-\u001f]*$/);
    expect(line.length).toBeLessThan(20_000);
  }
});

test.each([
  ['leaves a child that holds its output', 'sleep 300 & echo $! > "$HOME/child.pid"\n'],
  ['reads its input', 'cat > /dev/null; read answer; true\n'],
  ['asks at the terminal', '(read answer < /dev/tty) 2> /dev/null; true\n'],
  ['opens an editor and a pager', '"${EDITOR:-vi}" x; git log -1 | ${PAGER:-less}; true\n'],
])('a hook of the repository that %s does not hold the commit', async (_title, script) => {
  await using project = await sessionAt('verified');
  const hook = join(project.root, '.git/hooks/pre-commit');
  await mkdir(join(project.root, '.git/hooks'), { recursive: true });
  await writeFile(hook, `#!/bin/sh\necho $$ > "$HOME/hook.pid"\n${script}`);
  await chmod(hook, 0o755);
  const startedAt = performance.now();
  const { exitCode, stderr } = await project.cc('complete', '--commit', ...NAMED);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(await readFile(join(project.home, 'hook.pid'), 'utf8')).toMatch(/^\d+\n$/);
  expect(await project.git('log', '-1', '--format=%s')).toBe('Say 42\n');
  // What a hook leaves running is its own business, but not this test's.
  const child = await readFile(join(project.home, 'child.pid'), 'utf8').catch(() => '');
  if (child !== '') process.kill(Number(child), 'SIGKILL');
});

test.each([
  ['is in the background', 'sleep 300 & echo hi'],
  ['holds the output in the background', 'exec > >(tee log.txt) && echo hi'],
  ['wants input', 'read x || echo hi'],
])('a script whose child %s ends with its shell', async (_title, script) => {
  await using project = await sessionAt('approved', { plan: scriptPlan(script) });
  const startedAt = performance.now();
  await project.cc('ralph', ...NAMED);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(await project.json(`${FOLDER}/tasks.json`)).toMatchObject({ tasks: [{ actionsDone: 1 }] });
});

test('what a script changes beside its scope is held for the person, and undone by nobody', async () => {
  const lines = ['- id: run', '- scope: `answer.txt`', '', '```sh run'];
  const script = ['echo 42 > answer.txt; echo theirs > beside.txt; rm gone.txt', '```'];
  const plan = planOf([{ title: 'Run', lines: [...lines, ...script] }]);
  const files = { 'beside.txt': 'mine\n', 'gone.txt': 'x\n' };
  await using project = await sessionAt('approved', { plan, files });
  await project.write('beside.txt', 'mine, edited\n');
  const { exitCode, value } = await project.ccJson('ralph', ...NAMED);
  expect({ exitCode, value }).toMatchObject({
    exitCode: 8,
    value: { stop: { message: expect.stringMatching(/beside\.txt, gone\.txt\. They are held/) } },
  });
  expect(await project.read('beside.txt')).toBe('theirs\n');
  expect(Object.keys(await project.snapshot())).not.toContain('gone.txt');

  const names = Object.keys(await project.snapshot(`${FOLDER}/artifacts`));
  const [patch = ''] = names.filter((name) => name.endsWith('.patch'));
  await project.git('apply', '--reverse', patch);
  expect(await project.read('beside.txt')).toBe('mine, edited\n');
  expect(await project.read('gone.txt')).toBe('x\n');
  expect(await project.read('answer.txt')).toBe('42\n');
  expect((await project.cc('ralph', '--done', ...NAMED)).exitCode).toBe(0);
});

test('a hook of the repository that floods takes little memory', async () => {
  await using project = await sessionAt('verified');
  const hook = join(project.root, '.git/hooks/pre-commit');
  await mkdir(join(project.root, '.git/hooks'), { recursive: true });
  await writeFile(hook, '#!/bin/sh\nyes | head -c 300000000 >&2\n');
  await chmod(hook, 0o755);
  const before = process.memoryUsage().arrayBuffers;
  const watch = { most: 0 };
  const timer = setInterval(() => {
    watch.most = Math.max(watch.most, process.memoryUsage().arrayBuffers - before);
  }, 20);
  const { exitCode, stderr } = await project.cc('complete', '--commit', ...NAMED);
  clearInterval(timer);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(watch.most).toBeLessThan(100_000_000);
});

test('a plan that writes to a named pipe is shown, and nobody waits for the pipe', async () => {
  const lines = ['- id: write', ...literalFile('pipe', 'x')];
  await using project = await sessionAt('plan', { plan: planOf([{ title: 'Write', lines }]) });
  await run('mkfifo', [join(project.root, 'pipe')]);
  const { exitCode } = await project.cc('ralplan', '--approve', ...NAMED);
  expect(exitCode).toBe(0);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(1);
});
