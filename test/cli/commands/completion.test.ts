import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { TempProject } from '../../support/temp-project.ts';

let script = '';
beforeAll(async () => {
  await using project = await TempProject.create();
  script = (await project.cc('completion', 'bash')).stdout;
});

/** What bash offers behind these words. */
function offered(...words: readonly string[]): readonly string[] {
  const program = [
    script,
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    'COMP_CWORD=$((${#COMP_WORDS[@]} - 1))',
    '_chainlesschain',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const output = execFileSync('bash', ['--norc', '-u', '-c', program], { encoding: 'utf8' });
  return output.split('\n').filter((word) => word !== '');
}

test.each([
  ['commands', ['cc', 're'], ['reset', 'reopen', 'repair']],
  ['options', ['cc', 'ralph', '--max'], ['--max-time']],
  ['options of every command', ['cc', 'log', '--no'], ['--no-input', '--no-hooks']],
  ['words of a list', ['cc', 'reset', '--to', ''], ['intent', 'plan', 'execute']],
  ['actions', ['cc', 'session', 'w'], ['workflow']],
  ['shells', ['cc', 'completion', ''], ['bash', 'zsh', 'fish']],
  ['options behind a $verb', ['cc', '$ralph', '--don'], ['--done']],
  ['nothing it does not know', ['cc', 'nonsense', '-'], []],
])('bash offers %s', (_what, words, expected) => {
  const found = offered(...words);
  expect(expected.length === 0 ? found : found.slice(0, expected.length)).toEqual(expected);
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
