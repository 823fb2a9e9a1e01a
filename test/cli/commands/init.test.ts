import { expect, test } from 'vitest';
import { TempProject } from '../../support/temp-project.ts';

const GITIGNORE = '.chainlesschain/.gitignore';

test('makes the folder once, and then nothing', async () => {
  await using project = await TempProject.createRepository({ 'a.txt': 'a\n' });
  expect((await project.cc('init')).stdout).toBe(
    [
      `Ready in ${project.root}`,
      'wrote .chainlesschain/.gitignore',
      'wrote .chainlesschain/.gitattributes',
      'wrote .chainlesschain/hooks/pre-execute.js.example',
      'Next: cc deep-interview "<what you want>"',
      '',
    ].join('\n'),
  );
  const made = await project.snapshot();
  expect(await project.ccJson('init')).toMatchObject({ exitCode: 0, value: { files: [] } });
  expect(await project.snapshot()).toEqual(made);
});

test('what is there stays as it is', async () => {
  await using project = await TempProject.createRepository({ [GITIGNORE]: 'mine\n' });
  await project.cc('init');
  expect(await project.read(GITIGNORE)).toBe('mine\n');
});

test('the example of a hook is no hook', async () => {
  await using project = await TempProject.createRepository();
  await project.cc('init');
  const { value } = await project.ccJson('doctor');
  expect(value['findings']).toContainEqual({ level: 'ok', what: 'hooks', found: 'none' });
});

test('git ignores what belongs to this machine, and nothing else', async () => {
  await using project = await TempProject.createRepository();
  await project.cc('init');
  const folder = '.chainlesschain/sessions/s1';
  const mine = ['artifacts/a', 'runs/a', '.lock', '.lease.json', '.transition.json', 'x.tmp'];
  const shared = ['intent.md', 'plan.md', 'tasks.json', 'verify.json', 'mode.json', 'progress.log'];
  for (const name of [...mine, ...shared]) await project.write(`${folder}/${name}`, '');
  const listed = await project.git('ls-files', '--others', '--exclude-standard', folder);
  expect(listed.trim().split('\n').sort()).toEqual(
    shared.map((name) => `${folder}/${name}`).sort(),
  );
});

test('--private keeps all of it out of git, in this clone', async () => {
  await using project = await TempProject.createRepository({ 'a.txt': 'a\n' });
  expect((await project.ccJson('init', '--private')).value).toMatchObject({ private: true });
  expect(await project.git('status', '--porcelain')).toBe('');
  const exclude = await project.read('.git/info/exclude');
  expect((await project.ccJson('init', '--private')).value).toMatchObject({ private: false });
  expect(await project.read('.git/info/exclude')).toBe(exclude);
});

test('--private outside of git is refused, and works once there is a repository', async () => {
  await using project = await TempProject.create({ 'a.txt': 'a\n' });
  expect(await project.ccJson('init', '--private')).toMatchObject({
    exitCode: 6,
    value: { error: { code: 'REQUEST_INVALID', hint: 'git init' } },
  });
  expect(Object.keys(await project.snapshot())).toEqual(['a.txt']);
  await project.git('init', '--quiet');
  expect((await project.ccJson('init', '--private')).value).toMatchObject({ private: true });
});

test('a setting that cannot be followed outside of git is told', async () => {
  await using project = await TempProject.create();
  await project.cc('config', 'set', 'session.private', 'true');
  const { exitCode, stdout } = await project.cc('init');
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('session.private is set, but this is no git repository'),
  });
});

test('--template copies files that are not there yet', async () => {
  await using project = await TempProject.createRepository();
  const { value } = await project.ccJson('init', '--template', 'coding-workflow');
  // What the command prints.
  const files = value['files'] as readonly string[];
  const copied = files.filter((path) => !/gitignore|gitattributes|example$/.test(path));
  expect(copied.length).toBeGreaterThan(0);
  const [first = ''] = copied;
  await project.write(first, 'mine\n');
  expect((await project.ccJson('init', '--template', 'coding-workflow')).value).toMatchObject({
    files: [],
  });
  expect(await project.read(first)).toBe('mine\n');
});

test('below the project it is the project that gets the folder', async () => {
  await using project = await TempProject.createRepository({ 'src/a.txt': 'a\n' });
  const { value } = await project.ccJson('init', '--cwd', 'src');
  expect(value['root']).toBe(project.root);
});
