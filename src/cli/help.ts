/** What `cc --help` prints. Pure, and without loading a command. */
import type { CommandEntry } from './commands.ts';
import { printRows } from './help-layout.ts';
import { wrapText } from './terminal/wrap.ts';

const GROUPS = {
  path: 'The path of a change',
  look: 'Look',
  rescue: 'Ways out',
  setup: 'Set-up',
} as const;

/** @param width Columns that no line goes beyond. */
export function renderHelp(
  commands: Readonly<Record<string, CommandEntry>>,
  width: number,
): string {
  const longest = Math.max(...Object.keys(commands).map((name) => name.length));
  const sections = Object.entries(GROUPS).flatMap(([group, title]) => {
    const rows = Object.entries(commands)
      .filter(([, entry]) => entry.group === group)
      .map(([name, { summary }]) => [name.padEnd(longest), summary] as const);
    return [`${title}:`, ...printRows(rows, width), ''];
  });
  const paragraph = (text: string) => wrapText(text, width);
  return [
    'Usage: cc <command> [options]',
    '',
    ...paragraph('clarify → plan → approve → execute → verify → complete'),
    '',
    ...sections,
    ...paragraph(
      'Every command takes --json --cwd <folder> --session <id> --no-input --no-hooks --help.',
    ),
    ...paragraph('A bare cc says where you stand. cc <command> --help says more.'),
  ].join('\n');
}
