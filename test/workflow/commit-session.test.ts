import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, literalFile, PLAN, planOf, sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const COMMIT = ['complete', '--commit', ...NAMED];
const DOCUMENTS = [
  'intent.md',
  'mode.json',
  'plan.md',
  'progress.log',
  'summary.md',
  'tasks.json',
  'verify.json',
];
const SHARED = ['.chainlesschain/.gitattributes', '.chainlesschain/.gitignore'];
const OWN = [...SHARED, ...DOCUMENTS.map((name) => `${FOLDER}/${name}`), 'answer.txt'];

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');

async function committed(project: TempProject): Promise<readonly string[]> {
  const names = await project.git('show', '--name-only', '--format=', '-z', 'HEAD');
  return names
    .split('\0')
    .filter((name) => name !== '')
    .sort();
}

async function hook(project: TempProject, name: string, script: string): Promise<string> {
  const path = join(project.root, '.git/hooks', name);
  await mkdir(join(project.root, '.git/hooks'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}`);
  await chmod(path, 0o755);
  return path;
}

async function run(project: TempProject, ...verbs: readonly string[]): Promise<void> {
  for (const verb of verbs) {
    const { exitCode, stderr } = await project.cc(...verb.split(' '), ...NAMED);
    if (exitCode !== 0) throw new Error(`cc ${verb} exited ${exitCode}: ${stderr}`);
  }
}

test("commits the session's own changes and documents, and nothing else", async () => {
  await using project = await sessionAt('approved', {
    files: { 'foreign.txt': 'a\n', 'gone.txt': 'x\n' },
  });
  await project.write('.env', 'SECRET=1\n');
  await project.write('foreign.txt', 'changed by hand\n');
  await project.write('staged.txt', 'staged\n');
  await project.git('add', 'staged.txt');
  await run(project, 'ralph', 'verify');
  const before = await project.git('rev-parse', 'HEAD');

  const { exitCode, value } = await project.ccJson(...COMMIT);
  expect(exitCode).toBe(0);
  expect(await committed(project)).toEqual([...OWN].sort());
  expect(await project.git('rev-parse', 'HEAD^')).toBe(before);
  expect(value['commit']).toBe((await project.git('rev-parse', 'HEAD')).trim());
  expect(await project.git('log', '-1', '--format=%an %s')).toBe('Ann Say 42\n');
  const status = await project.git('status', '--porcelain', '--untracked-files=all');
  expect(
    status
      .split('\n')
      .filter((line) => !line.includes('.chainlesschain'))
      .sort(),
  ).toEqual(['', ' M foreign.txt', '?? .env', 'A  staged.txt']);
});

test('artifacts, runs and locks stay out', async () => {
  await using project = await sessionAt('verified');
  await project.write(`${FOLDER}/runs/notes.jsonl`, '{}\n');
  await project.write(`${FOLDER}/ideas.md`, 'mine\n');
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
  const names = await committed(project);
  expect(names).toEqual([...OWN].sort());
  expect(Object.keys(await project.snapshot(FOLDER)).join()).toContain('artifacts/');
});

test("of a file that the person was editing, only the session's hunk goes in", async () => {
  const literal = LINES.replace('line 3\n', 'line 3, mine\n').replace('line 27\n', 'line 42\n');
  const plan = planOf(
    [
      {
        title: 'Change',
        lines: [
          '- scope: `list.txt`',
          '- criteria: AC1',
          ...literalFile('list.txt', literal.trimEnd()),
        ],
      },
    ],
    ['- `grep -qx "line 42" list.txt`'],
  ).replaceAll(/^(line .*)$/gm, '   $1');
  await using project = await sessionAt('plan', { plan, files: { 'list.txt': LINES } });
  await project.write('list.txt', LINES.replace('line 3\n', 'line 3, mine\n'));
  await run(project, 'ralplan --approve', 'ralph', 'verify');
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);

  const diff = await project.git('show', '--format=', 'HEAD', '--', 'list.txt');
  expect(diff.split('\n').filter((line) => /^[+-]line/.test(line))).toEqual([
    '-line 27',
    '+line 42',
  ]);
  const left = await project.git('diff', '--', 'list.txt');
  expect(left.split('\n').filter((line) => /^[+-]line/.test(line))).toEqual([
    '-line 3',
    '+line 3, mine',
  ]);
});

test('a hook that refuses is heard, and the commit can be tried again', async () => {
  await using project = await sessionAt('verified');
  const path = await hook(project, 'pre-commit', 'echo "no commits on Fridays" >&2\nexit 1\n');
  const head = await project.git('rev-parse', 'HEAD');
  const refused = await project.ccJson(...COMMIT);
  expect(refused).toMatchObject({
    exitCode: 1,
    value: {
      error: {
        code: 'TOOL_EXECUTION_FAILED',
        message: expect.stringContaining('no commits on Fridays'),
      },
    },
  });
  expect(await project.git('rev-parse', 'HEAD')).toBe(head);
  expect(await project.json(`${FOLDER}/mode.json`)).toMatchObject({ stage: 'complete' });
  expect(Object.keys(await project.snapshot('.git')).join()).not.toContain('cc-index');
  expect(await project.git('status', '--porcelain', 'answer.txt')).toBe(' M answer.txt\n');

  await rm(path);
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
  expect(await committed(project)).toEqual([...OWN].sort());
});

test("a hook sees the commit's own index, and no key of a model", async () => {
  await using project = await sessionAt('verified');
  const seen = join(project.home, 'seen');
  await hook(
    project,
    'pre-commit',
    `git diff --cached --name-only > ${seen}\necho "key: $CC_API_KEY $OPENAI_API_KEY" >> ${seen}\n`,
  );
  project.env = { CC_API_KEY: 'secret-one', OPENAI_API_KEY: 'secret-two' };
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(seen, 'utf8');
  expect(text).toContain('answer.txt\n');
  expect(text).not.toContain('secret');
});

test('a second commit of the same session says that it is done', async () => {
  await using project = await sessionAt('verified');
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
  const head = await project.git('rev-parse', 'HEAD');
  const again = await project.ccJson(...COMMIT);
  expect(again).toMatchObject({ exitCode: 0, value: { commit: head.trim() } });
  expect(await project.git('rev-parse', 'HEAD')).toBe(head);
});

test('signing is honoured: where it cannot be done, nothing is committed', async () => {
  await using project = await sessionAt('verified');
  await project.git('config', 'commit.gpgSign', 'true');
  await project.git('config', 'gpg.program', '/bin/false');
  const head = await project.git('rev-parse', 'HEAD');
  expect(await project.ccJson(...COMMIT)).toMatchObject({
    exitCode: 1,
    value: { error: { code: 'TOOL_EXECUTION_FAILED', message: /sign/ } },
  });
  expect(await project.git('rev-parse', 'HEAD')).toBe(head);
});

test('staged work in a file of the session is not mixed up', async () => {
  await using project = await sessionAt('verified');
  await project.git('add', 'answer.txt');
  const index = await project.git('ls-files', '--stage');
  const refused = await project.ccJson(...COMMIT);
  expect(refused).toMatchObject({
    exitCode: 7,
    value: { error: { code: 'STAGE_MISMATCH', message: expect.stringContaining('answer.txt') } },
  });
  expect(await project.git('ls-files', '--stage')).toBe(index);
  const { hint } = refused.value['error'] as { hint: string };
  expect(hint).toBe('git restore --staged -- answer.txt');
  await promisify(execFile)('git', hint.split(' ').slice(1), { cwd: project.root });
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
});

test.each([
  ['.gitignore', '.gitignore'],
  ['.git/info/exclude', '.git/info/exclude'],
])('documents that %s leaves out stay out', async (_title, file) => {
  await using project = await sessionAt('approved');
  await project.write(file, '.chainlesschain/\n');
  await run(project, 'ralph', 'verify');
  expect((await project.cc(...COMMIT)).exitCode).toBe(0);
  expect(await committed(project)).toEqual(['answer.txt']);
});

test('before the first commit of a repository there is nothing to commit on', async () => {
  await using project = await TempProject.create({
    'answer.txt': 'no\n',
    'check.sh': 'grep -qx 42 answer.txt\n',
    [`${FOLDER}/intent.md`]: INTENT,
    [`${FOLDER}/plan.md`]: PLAN,
  });
  await project.git('init', '--quiet');
  await run(project, 'ralplan --approve', 'ralph', 'verify');
  const refused = await project.ccJson(...COMMIT);
  expect(refused).toMatchObject({
    exitCode: 6,
    value: {
      error: { code: 'REQUEST_INVALID', message: expect.stringContaining('no commit yet') },
    },
  });
  // As it was before the session: what that changed has something to stand on then.
  await project.write('answer.txt', 'no\n');
  await project.git('config', 'user.name', 'Ann');
  await project.git('config', 'user.email', 'ann@example.invalid');
  await project.git('add', 'answer.txt', 'check.sh');
  await project.git('commit', '--quiet', '--message', 'begin');
  await project.write('answer.txt', '42\n');
  expect(await project.cc(...COMMIT)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await committed(project)).toEqual([...OWN].sort());
});

test('outside of a repository there is nowhere to commit', async () => {
  await using project = await TempProject.create({
    'answer.txt': 'no\n',
    'check.sh': 'grep -qx 42 answer.txt\n',
    [`${FOLDER}/intent.md`]: INTENT,
    [`${FOLDER}/plan.md`]: PLAN,
  });
  await run(project, 'ralplan --approve', 'ralph', 'verify');
  expect(await project.ccJson(...COMMIT)).toMatchObject({
    exitCode: 6,
    value: { error: { code: 'REQUEST_INVALID' } },
  });
  expect((await project.cc('complete', ...NAMED)).exitCode).toBe(7);
  expect(await project.json(`${FOLDER}/mode.json`)).toMatchObject({ stage: 'complete' });
});

test('a merge under way is not concluded by it', async () => {
  await using project = await sessionAt('verified', { files: { 'other.txt': 'a\n' } });
  const head = (await project.git('rev-parse', 'HEAD')).trim();
  await project.write('.git/MERGE_HEAD', `${head}\n`);
  expect(await project.ccJson(...COMMIT)).toMatchObject({
    exitCode: 7,
    value: { error: { code: 'STAGE_MISMATCH', message: /merge/, hint: 'git merge --continue' } },
  });
  expect((await project.git('rev-parse', 'HEAD')).trim()).toBe(head);
});

test('a project below the top of its repository', async () => {
  await using project = await TempProject.createRepository({
    'app/answer.txt': 'no\n',
    'app/check.sh': 'grep -qx 42 answer.txt\n',
    'outside.txt': 'a\n',
  });
  await project.write(`app/${FOLDER}/intent.md`, INTENT);
  await project.write(`app/${FOLDER}/plan.md`, PLAN);
  await project.write('outside.txt', 'changed by hand\n');
  const cwd = ['--cwd', join(project.root, 'app')];
  for (const verb of [['ralplan', '--approve'], ['ralph'], ['verify'], ['complete', '--commit']]) {
    const { exitCode, stderr } = await project.cc(...verb, ...cwd, ...NAMED);
    expect({ verb, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
      verb,
      exitCode: 0,
      stderr: '',
    });
  }
  expect(await committed(project)).toEqual(OWN.map((name) => `app/${name}`).sort());
  expect(await project.git('status', '--porcelain', 'outside.txt')).toBe(' M outside.txt\n');
});

test('a linked worktree', async () => {
  await using project = await TempProject.createRepository({
    'answer.txt': 'no\n',
    'check.sh': 'grep -qx 42 answer.txt\n',
  });
  const tree = join(project.home, 'tree');
  await project.git('worktree', 'add', '--quiet', '-b', 'side', tree);
  for (const [name, text] of [
    ['intent.md', INTENT],
    ['plan.md', PLAN],
  ] as const) {
    await mkdir(join(tree, FOLDER), { recursive: true });
    await writeFile(join(tree, FOLDER, name), text);
  }
  const main = await project.git('rev-parse', 'main');
  for (const verb of [['ralplan', '--approve'], ['ralph'], ['verify'], ['complete', '--commit']]) {
    const { exitCode, stderr } = await project.cc(...verb, '--cwd', tree, ...NAMED);
    expect({ verb, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
      verb,
      exitCode: 0,
      stderr: '',
    });
  }
  const names = (await project.git('show', '--name-only', '--format=', 'side'))
    .trim()
    .split('\n')
    .sort();
  expect(names).toEqual([...OWN].sort());
  expect(await project.git('rev-parse', 'main')).toBe(main);
});

test('a tree that changed after the completion is not committed', async () => {
  await using project = await sessionAt('complete');
  await project.write('answer.txt', '42\nand more\n');
  expect(await project.ccJson(...COMMIT)).toMatchObject({
    exitCode: 7,
    value: { error: { code: 'VERIFICATION_STALE', hint: 'cc reopen --session s1' } },
  });
});

test("--message is the commit's message", async () => {
  await using project = await sessionAt('verified');
  expect((await project.cc(...COMMIT, '--message', 'feat: say 42\n\nBecause.')).exitCode).toBe(0);
  expect(await project.git('log', '-1', '--format=%B')).toBe('feat: say 42\n\nBecause.\n\n');
});

test('work that was done after the approval and before the first run is committed', async () => {
  const plan = planOf([{ title: 'Say 42', lines: ['- scope: `answer.txt`'] }]);
  await using project = await sessionAt('approved', { plan });
  await project.write('answer.txt', '42\n');
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(8);
  await run(project, 'ralph --done', 'verify');
  expect((await project.ccJson(...COMMIT)).exitCode).toBe(0);
  expect(await committed(project)).toContain('answer.txt');
  expect(await project.read(`${FOLDER}/summary.md`)).toContain('- `~ answer.txt`');
});

test('a later approval moves no base', async () => {
  await using project = await sessionAt('approved');
  const baseOf = async () => (await project.json(`${FOLDER}/mode.json`))['baseTree'];
  const base = await baseOf();
  expect(base).toMatch(/^[0-9a-f]{40,}$/);
  await project.write('answer.txt', 'other\n');
  await run(project, 'ralplan --approve');
  expect(await baseOf()).toBe(base);
});

test('the lockfile of a manifest in scope is committed with it', async () => {
  const plan = planOf([
    {
      title: 'Write',
      lines: [
        '- scope: `package.json`, `answer.txt`',
        ...literalFile('package-lock.json', '{}'),
        ...literalFile('answer.txt', '42'),
      ],
    },
  ]);
  await using project = await sessionAt('executed', { plan, files: { 'package.json': '{}\n' } });
  await run(project, 'verify');
  expect((await project.ccJson(...COMMIT)).value['left']).toEqual([]);
  expect(await committed(project)).toContain('package-lock.json');
});
