import { readFile, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TempProject } from '../../support/temp-project.ts';

const PROJECT = '.chainlesschain/config.yaml';
const userFile = (project: TempProject) => join(project.home, '.chainlesschain/config.yaml');

async function withUserFile(text: string): Promise<TempProject> {
  const project = await TempProject.createRepository();
  await mkdir(join(project.home, '.chainlesschain'));
  await writeFile(userFile(project), text);
  return project;
}

test('list: every key with its value, where it is from, and what it means', async () => {
  await using project = await withUserFile('retries.max: 5\n');
  const { stdout } = await project.cc('config');
  expect(stdout).toContain('retries.max: 5 (user)\n  Failed verifications');
  expect(stdout).toContain('editor: none (default)\n  The editor of');
  expect(stdout).toMatch(/\nNext: cc config set <key> <value>\n$/);
});

test('get prints the value alone', async () => {
  await using project = await withUserFile('retries.max: 5\n');
  expect((await project.cc('config', 'get', 'retries.max')).stdout).toBe('5\n');
});

test('the file of the project goes before that of the person', async () => {
  await using project = await withUserFile('retries.max: 5\n');
  await project.write(PROJECT, 'retries.max: 2\n');
  expect((await project.ccJson('config', 'get', 'retries.max')).value).toMatchObject({
    value: 2,
    from: 'project',
  });
});

test('set changes one line and keeps comments and order', async () => {
  await using project = await withUserFile(
    '# mine\neditor: vim # short\n\n# how often\nretries.max: 5\n',
  );
  expect((await project.cc('config', 'set', 'retries.max', '7')).exitCode).toBe(0);
  expect(await readFile(userFile(project), 'utf8')).toBe(
    '# mine\neditor: vim # short\n\n# how often\nretries.max: 7\n',
  );
});

test('set --project makes the file', async () => {
  await using project = await TempProject.createRepository();
  const { stdout } = await project.cc('config', 'set', 'retries.max', '4', '--project');
  expect(stdout).toBe(
    `retries.max: 4\nwrote ${join(project.root, PROJECT)}\nNext: cc config list\n`,
  );
  expect(await project.read(PROJECT)).toBe('retries.max: 4\n');
});

test.each([
  ['an unknown key', ['a.b', '1'], /There is no setting "a\.b"; there are retries\.max/],
  ['a value that does not fit', ['retries.max', 'many'], /^retries\.max: /],
  ['a number out of range', ['retries.max', '-1'], /^retries\.max: /],
  ["what is the person's, for the project", ['editor', 'vim', '--project'], /editor is yours/],
])('set refuses %s', async (_title, argv, message) => {
  await using project = await TempProject.createRepository();
  const before = await project.snapshot();
  expect(await project.ccJson('config', 'set', ...argv)).toMatchObject({
    exitCode: 6,
    value: { error: { code: 'REQUEST_INVALID', message: expect.stringMatching(message) } },
  });
  expect(await project.snapshot()).toEqual(before);
});

test.each([
  ['an unknown key', 'retries.max: 1\nretry.max: 2\n', 2, 'there is no setting "retry.max"'],
  ["what is the person's", '\neditor: evil\n', 2, 'a project may not set "editor"'],
  ['a value that does not fit', 'retries.max: [1]\n', 1, 'retries.max: '],
  ['what is not YAML', 'a: [\n', undefined, ''],
])('a project file with %s is named with its line', async (_title, text, line, problem) => {
  await using project = await TempProject.createRepository();
  await project.write(PROJECT, text);
  const { exitCode, value } = await project.ccJson('config');
  const at = `${join(project.root, PROJECT)}:${line ?? ''}`;
  expect({ exitCode, value }).toMatchObject({
    exitCode: 6,
    value: {
      error: {
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(line === undefined ? at : `${at}: ${problem}`),
        hint: expect.stringMatching(/^\$\{EDITOR:-vi\} \+\d+ '.*config\.yaml'$/),
      },
    },
  });
});
