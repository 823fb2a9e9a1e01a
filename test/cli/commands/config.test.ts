import { execFile } from 'node:child_process';
import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { TempProject } from '../../support/temp-project.ts';

const execute = promisify(execFile);
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

test('set keeps CRLF, and a link to where the person keeps such files', async () => {
  await using project = await withUserFile('');
  const kept = join(project.home, 'dotfiles.yaml');
  await writeFile(kept, '# mine\r\neditor: vim\r\n');
  await rm(userFile(project));
  await symlink(kept, userFile(project));
  expect((await project.cc('config', 'set', 'retries.max', '7')).exitCode).toBe(0);
  expect(await readFile(kept, 'utf8')).toBe('# mine\r\neditor: vim\r\nretries.max: 7\r\n');
  expect((await lstat(userFile(project))).isSymbolicLink()).toBe(true);
});

test.each(['config', 'verify --ci', 'ralplan --approve'])(
  '%s: settings that are no text, or a link out of the project, are refused',
  async (line) => {
    await using project = await TempProject.createRepository();
    await project.write(PROJECT, Buffer.from([0x65, 0x3a, 0xe4, 0x0a]));
    expect(await project.ccJson('config')).toMatchObject({
      exitCode: 6,
      value: { error: { code: 'CONFIG_INVALID', message: expect.stringContaining('not UTF-8') } },
    });
    await rm(join(project.root, PROJECT));
    await execute('mkfifo', [join(project.home, 'pipe')]);
    await symlink(join(project.home, 'pipe'), join(project.root, PROJECT));
    const { exitCode, stderr } = await project.cc(...line.split(' '));
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).not.toContain('RUNTIME_INTERNAL_ERROR');
    await rm(join(project.root, PROJECT));
    await execute('mkfifo', [join(project.root, PROJECT)]);
    expect(await project.ccJson('config')).toMatchObject({
      value: { error: { code: 'CONFIG_INVALID', message: expect.stringContaining('not a file') } },
    });
  },
);

test('with --json a value has its type, as the list gives it', async () => {
  await using project = await withUserFile('');
  expect((await project.ccJson('config', 'set', 'retries.max', '5')).value).toMatchObject({
    key: 'retries.max',
    value: 5,
  });
  expect((await project.ccJson('config', 'set', 'session.private', 'true')).value).toMatchObject({
    value: true,
  });
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
  [
    'a value that does not fit',
    ['retries.max', 'many'],
    /^retries\.max takes a whole number from 0 to 100, not "many"$/,
  ],
  ['a number out of range', ['retries.max', '-1'], /^retries\.max takes a whole number/],
  ['what YAML cannot read', ['retries.max', '[5'], /^retries\.max takes .*, not "\[5"$/],
  [
    'no truth value',
    ['session.private', 'yes'],
    /^session\.private takes true or false, not "yes"/,
  ],
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
  ['a value that does not fit', 'retries.max: [1]\n', 1, 'retries.max takes a whole number from 0'],
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
