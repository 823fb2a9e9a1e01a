import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TempProject } from '../support/temp-project.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cc-completion-'));
  for (const name of ['s1', 's2', '$(touch owned)']) {
    await mkdir(join(folder, '.chainlesschain/sessions', name), { recursive: true });
  }
  await mkdir(join(folder, 'below'));
  await using project = await TempProject.create();
  for (const shell of ['zsh', 'fish']) {
    await writeFile(join(folder, shell), (await project.cc('completion', shell)).stdout);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['commands', 'cc re', ['reset', 'reopen', 'repair']],
  ['options', 'cc ralph --max', ['--max-time']],
  ['words of a list', 'cc reset --to ', ['intent', 'plan', 'execute']],
  ['actions', 'cc session w', ['workflow']],
  ['keys of settings', 'cc config set ', ['retries.max', 'editor']],
  ['sessions as a value', 'cc ralph --session ', ['s1', 's2']],
  ['sessions of an action', 'cc session use ', ['s1', 's2']],
])('fish offers %s', (_what, line, expected) => {
  const script = `source '${join(folder, 'fish')}'; complete --do-complete '${line}'`;
  const output = execFileSync('fish', ['--no-config', '-c', script], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
    cwd: join(folder, 'below'),
  });
  const words = output.split('\n').map((row) => row.split('\t', 1)[0] ?? '');
  expect(words).toEqual(expect.arrayContaining(expected));
});

test.each([
  ['commands', ['cc', 're'], ['reset', 'reopen', 'repair']],
  ['options', ['cc', 'ralph', '--max'], ['--max-time']],
  ['words of a list', ['cc', 'reset', '--to', ''], ['intent', 'plan', 'execute']],
  ['actions', ['cc', 'session', 'w'], ['workflow']],
  ['keys of settings', ['cc', 'config', 'set', ''], ['retries.max', 'editor']],
  ['sessions as a value', ['cc', 'ralph', '--session', ''], ['s1', 's2']],
  ['sessions of an action', ['cc', 'session', 'use', ''], ['s1', 's2']],
])('zsh offers %s', (_what, words, expected) => {
  // The builtins of its completion system work only at a terminal: these tell what they are given.
  const script = [
    'compdef() { :; }',
    'compadd() { shift; print -rl -- "$@"; }',
    '_describe() { print -rl -- "${commands[@]%%:*}"; }',
    '_files() { :; }',
    `source '${join(folder, 'zsh')}'`,
    `words=(${words.map((word) => `'${word}'`).join(' ')})`,
    'CURRENT=$#words',
    '_chainlesschain',
  ].join('\n');
  const output = execFileSync('zsh', ['--no-rcs', '-c', script], {
    encoding: 'utf8',
    cwd: join(folder, 'below'),
  });
  expect(output.split('\n')).toEqual(expect.arrayContaining(expected));
});

test('nothing was run that a folder is called', async () => {
  expect(await readdir(join(folder, 'below'))).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(['.chainlesschain', 'below', 'fish', 'zsh']);
});
