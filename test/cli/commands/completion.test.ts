import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { INTENT, sessionAt } from '../../support/sessions.ts';
import { TempProject } from '../../support/temp-project.ts';

let script = '';
beforeAll(async () => {
  await using project = await TempProject.create();
  script = (await project.cc('completion', 'bash')).stdout;
});

/** What bash offers behind these words. */
function offered(...words: readonly string[]): readonly string[] {
  return offeredIn('.', words);
}

function offeredIn(cwd: string, words: readonly string[]): readonly string[] {
  const program = [
    script,
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    'COMP_CWORD=$((${#COMP_WORDS[@]} - 1))',
    '_chainlesschain',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const output = execFileSync('bash', ['--norc', '-u', '-c', program], { encoding: 'utf8', cwd });
  return output.split('\n').filter((word) => word !== '');
}

test.each([
  ['commands', ['cc', 're'], ['reset', 'reopen', 'repair']],
  ['options', ['cc', 'ralph', '--max'], ['--max-time']],
  ['options of every command', ['cc', 'log', '--no'], ['--no-input', '--no-hooks']],
  ['words of a list', ['cc', 'reset', '--to', ''], ['intent', 'plan', 'execute']],
  ['actions', ['cc', 'session', 'w'], ['workflow']],
  ['keys of settings', ['cc', 'config', 'get', ''], ['retries.max', 'session.private', 'editor']],
  ['shells', ['cc', 'completion', ''], ['bash', 'zsh', 'fish']],
  ['options behind a $verb', ['cc', '$ralph', '--don'], ['--done']],
  ['nothing it does not know', ['cc', 'nonsense', '-'], []],
])('bash offers %s', (_what, words, expected) => {
  const found = offered(...words);
  expect(expected.length === 0 ? found : found.slice(0, expected.length)).toEqual(expected);
});

test.each([['.'], ['src/deep']])(
  'bash offers the sessions of the project from %s',
  async (folder) => {
    await using project = await sessionAt('plan', { files: { 'src/deep/a.txt': '' } });
    await project.write('.chainlesschain/sessions/20261130-other/intent.md', INTENT);
    // A clone may bring names that a shell would obey.
    await project.write('.chainlesschain/sessions/$(touch owned)/intent.md', INTENT);
    await project.write('.chainlesschain/sessions/a b/intent.md', INTENT);
    const cwd = join(project.root, folder);
    expect(offeredIn(cwd, ['cc', 'ralph', '--session', ''])).toEqual(['20261130-other', 's1']);
    expect(offeredIn(cwd, ['cc', 'session', 'use', '2'])).toEqual(['20261130-other']);
    expect(Object.keys(await project.snapshot())).not.toContain('owned');
    expect(Object.keys(await project.snapshot())).not.toContain('src/deep/owned');
  },
);

test('bash offers nothing where there is no session, and no file in its place', async () => {
  await using project = await TempProject.create({ 'a.txt': 'a\n' });
  expect(offeredIn(project.root, ['cc', 'status', '--session', ''])).toEqual([]);
  expect(script).toContain('compopt +o default');
});

test('bash completes for every name of the program', () => {
  const output = execFileSync(
    'bash',
    ['--norc', '-euc', `${script}\ncomplete -p cc chainlesschain clc`],
    {
      encoding: 'utf8',
    },
  );
  expect(output.match(/-F _chainlesschain (?:cc|chainlesschain|clc)$/gm)).toHaveLength(3);
});

test.each([['bash'], ['zsh'], ['fish']])('%s with --json is one document', async (shell) => {
  await using project = await TempProject.create();
  const { value } = await project.ccJson('completion', shell);
  expect(value).toEqual({ shell, script: expect.stringContaining('deep-interview') });
});
