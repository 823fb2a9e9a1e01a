/** What `cc --help` prints. Pure, and without loading a command. */
import type { CommandEntry } from './commands.ts';

const GROUPS = {
  path: 'The path of a change',
  look: 'Look',
  rescue: 'Ways out',
  setup: 'Set-up',
} as const;

export function renderHelp(commands: Readonly<Record<string, CommandEntry>>): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const sections = Object.entries(GROUPS).map(([group, title]) => {
    const rows = Object.entries(commands)
      .filter(([, entry]) => entry.group === group)
      .map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
    return [`${title}:`, ...rows].join('\n');
  });
  return [
    'Usage: cc <command> [options]',
    '',
    'clarify → plan → approve → execute → verify → complete',
    '',
    sections.join('\n\n'),
    '',
    'Every command takes --json --cwd <folder> --session <id> --no-input --no-hooks --help.',
    'A bare cc says where you stand. cc <command> --help says more.',
  ].join('\n');
}
