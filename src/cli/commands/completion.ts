import { CcError } from '../../kernel/base/errors.ts';
import { configNames } from '../../workflow/config.ts';
import { type Command, defineCommand } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { type CompletionRow, forBash, forFish, forZsh } from '../completion-scripts.ts';
import { dashed } from '../options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export const command = defineCommand({
  name: 'completion',
  positionals: '<shell>',
  about: 'Prints the completion script for bash, zsh or fish.',
  examples: ['source <(cc completion bash)', 'cc completion fish | source'],
  options: {},

  async run({ words, out }) {
    const shell = SHELLS.find((one) => one === words[0]);
    if (shell === undefined) {
      throw new CcError('REQUEST_INVALID', `Say which shell: ${SHELLS.join(', ')}`, {
        hint: 'cc completion bash',
      });
    }
    const script = printScript(shell, await readTable());
    if (out.json) return out.done({ value: { shell, script }, text: '' });
    out.raw(script);
    return 0;
  },
});

const WORDS: Readonly<Record<string, readonly string[]>> = {
  session: ['list', 'show', 'use', 'workflow'],
  config: ['list', 'get', 'set'],
  completion: SHELLS,
};

/** What may stand behind those words. */
const BEHIND: Readonly<Record<string, CompletionRow['behind']>> = {
  session: [{ words: ['show', 'use', 'workflow'], choices: 'sessions' }],
  config: [{ words: ['get', 'set'], choices: configNames() }],
};

async function readTable(): Promise<readonly CompletionRow[]> {
  const rows: CompletionRow[] = [];
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const loaded: { readonly command: Command } = await load();
    const entries = Object.entries(loaded.command.options);
    const options = entries.map(([option]) => `--${dashed(option)}`);
    const values = entries.flatMap(([option, { choices }]) =>
      choices === undefined ? [] : [{ option: `--${dashed(option)}`, choices }],
    );
    const [words, behind] = [WORDS[name] ?? [], BEHIND[name] ?? []];
    rows.push({ name, summary, options, values, words, behind });
  }
  return rows;
}

function printScript(shell: Shell, rows: readonly CompletionRow[]): string {
  switch (shell) {
    case 'bash':
      return forBash(rows);
    case 'zsh':
      return forZsh(rows);
    case 'fish':
      return forFish(rows);
  }
}
