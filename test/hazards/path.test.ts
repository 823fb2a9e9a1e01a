/** Links that a clone may bring in the place of a file of ours, and paths that lead to git's own files. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  FOLDER,
  ID,
  INTENT,
  literalFile,
  planOf,
  PROJECT,
  type Reached,
  sessionAt,
} from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];

/** A file or folder that a command writes, the stage at which it does, and the command. */
const WRITTEN: readonly (readonly [path: string, at: Reached, argv: readonly string[]])[] = [
  [`${FOLDER}/verify.json`, 'executed', ['verify', ...NAMED]],
  [`${FOLDER}/progress.log`, 'executed', ['verify', ...NAMED]],
  [`${FOLDER}/summary.md`, 'verified', ['complete', ...NAMED]],
  [`${FOLDER}/artifacts`, 'executed', ['verify', '--fresh', ...NAMED]],
  [`${FOLDER}/artifacts`, 'approved', ['ralplan', '--revise', ...NAMED]],
  [`${FOLDER}/runs`, 'plan', ['ralplan', '--reject', ...NAMED]],
  [`${FOLDER}/runs/notes.jsonl`, 'plan', ['ralplan', '--reject', ...NAMED]],
  ['.chainlesschain/current', 'plan', ['session', 'use', ID]],
  ['.chainlesschain/.gitignore', 'plan', ['init']],
  ['.chainlesschain/.gitattributes', 'plan', ['init']],
  ['.chainlesschain/hooks', 'plan', ['init']],
];

const TARGETS: Readonly<Record<string, (outside: string) => Promise<unknown>>> = {
  'a file': (outside) => writeFile(outside, 'theirs\n'),
  'a folder': async (outside) => {
    await mkdir(outside);
    await writeFile(join(outside, 'inner'), 'theirs\n');
  },
  nothing: async () => undefined,
};

/** Everything at and below a path, with its bytes. */
async function inside(path: string): Promise<readonly string[]> {
  const names = await readdir(path, { recursive: true }).catch(() => undefined);
  if (names === undefined) return [await readFile(path, 'utf8').catch(() => 'nothing')];
  const texts = names.map(async (name) => `${name} ${await readFile(join(path, name), 'utf8')}`);
  return (await Promise.all(texts)).sort();
}

const ROWS = WRITTEN.flatMap(([path, at, argv]) =>
  Object.keys(TARGETS).map((target) => ({ path, at, argv, target, line: argv.join(' ') })),
);

test.each(ROWS)('cc $line, where $path is a link to $target outside', async (row) => {
  await using project = await sessionAt(row.at);
  const outside = join(dirname(project.root), 'outside');
  await TARGETS[row.target]?.(outside);
  const link = join(project.root, row.path);
  await rm(link, { recursive: true, force: true });
  await mkdir(dirname(link), { recursive: true });
  await symlink(outside, link);
  const [before, theirs] = [await project.snapshot(), await inside(outside)];

  const { exitCode, value } = await project.ccJson(...row.argv);
  expect({ exitCode, value }).toMatchObject({
    exitCode: 7,
    value: {
      error: { code: 'PATH_OUTSIDE_WORKSPACE', message: expect.stringContaining(outside) },
    },
  });
  expect(await inside(outside)).toEqual(theirs);
  const after = await project.snapshot();
  expect(after[row.path]).toBe(`link ${outside}`);
  const changed = Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
  // Files that `init` makes before it comes to the link are its own business.
  expect(changed.filter((key) => !key.startsWith('.chainlesschain/.git'))).toEqual([]);
});

test.each(Object.keys(TARGETS))(
  'a lease that is a link to %s: nothing comes to be there',
  async (target) => {
    await using project = await sessionAt('approved');
    const outside = join(dirname(project.root), 'outside');
    await TARGETS[target]?.(outside);
    await symlink(outside, join(project.root, FOLDER, '.lease.json'));
    const theirs = await inside(outside);
    expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
    expect(await inside(outside)).toEqual(theirs);
  },
);

const patchOf = (path: string) => [
  '',
  '```diff apply',
  '--- /dev/null',
  `+++ b/${path}`,
  '@@ -0,0 +1,1 @@',
  '+evil',
  '```',
];

/** Paths in a linked worktree that lies beside its repository, and in a repository with a submodule. */
const OF_GIT = [
  '.git',
  '.git/hooks/pre-commit',
  '.GIT/config',
  'sub/.git/hooks/post-checkout',
  '.git/modules/lib/config',
  'lib/.git',
  '.chainlesschain/config.yaml',
  'meta/config',
  '../project/.git/config',
  '../project/.git/worktrees/tree/gitdir',
];

async function inWorktree(path: string, lines: readonly string[]) {
  const project = await TempProject.createRepository(PROJECT);
  const tree = join(dirname(project.root), 'tree');
  await project.git('worktree', 'add', '--quiet', '-b', 'side', tree);
  await symlink(join(project.root, '.git'), join(tree, 'meta'));
  await mkdir(join(tree, FOLDER), { recursive: true });
  await writeFile(join(tree, FOLDER, 'intent.md'), INTENT);
  await writeFile(join(tree, FOLDER, 'plan.md'), planOf([{ title: `Write ${path}`, lines }]));
  return { project, cwd: ['--cwd', tree] };
}

test.each(
  OF_GIT.flatMap((path) => [
    [path, 'a file', literalFile(path, 'evil')] as const,
    [path, 'a patch', patchOf(path)] as const,
  ]),
)('in a worktree, %s is written by no plan, as %s', async (path, _how, lines) => {
  const { project, cwd } = await inWorktree(path, lines);
  await using owned = project;
  const git = await owned.snapshot('.git');
  const pointer = await readFile(join(dirname(owned.root), 'tree/.git'), 'utf8');
  const codes: string[] = [];
  for (const argv of [['ralplan', '--approve'], ['ralph']]) {
    const { stdout } = await owned.cc(...argv, ...NAMED, ...cwd, '--json');
    codes.push(
      ...(/PLAN_INVALID|PATH_OUTSIDE_WORKSPACE|TOOL_PERMISSION_DENIED/.exec(stdout) ?? []),
    );
  }
  expect(codes.length, path).toBeGreaterThan(0);
  expect(await owned.snapshot('.git')).toEqual(git);
  expect(await readFile(join(dirname(owned.root), 'tree/.git'), 'utf8')).toBe(pointer);
});

test('a project that is reached through a link is the same project', async () => {
  await using project = await sessionAt('approved');
  const alias = join(dirname(project.root), 'alias');
  await symlink('project', alias);
  for (const verb of ['ralph', 'verify', 'complete']) {
    const { exitCode, stderr } = await project.cc(verb, ...NAMED, '--cwd', alias);
    expect({ verb, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
      verb,
      exitCode: 0,
      stderr: '',
    });
  }
  expect(await project.read('answer.txt')).toBe('42\n');
});
