/** What `cc <command> --help` prints. Pure. */
import type { CommandPage } from './command.ts';
import { printExample, printRows } from './help-layout.ts';
import { dashed, type Option } from './options.ts';
import { wrapText } from './terminal/wrap.ts';

/** @param width Columns that no line of text goes beyond. */
export function renderCommandHelp(page: CommandPage, width: number): string {
  const { name, positionals, about, examples, options } = page;
  const usage = ['Usage: cc', name, '[options]', positionals].filter(Boolean).join(' ');
  const rows = Object.entries(options).map(
    ([key, option]) => [termOf(key, option), option.describe] as const,
  );
  return [
    ...wrapText(usage, width),
    '',
    ...wrapText(about, width),
    '',
    'Options:',
    ...printRows([...rows, ['-h, --help', 'Show this help']], width),
    ...(examples.length === 0
      ? []
      : ['', 'Examples:', ...examples.flatMap((one) => printExample(one, width))]),
  ].join('\n');
}

function termOf(key: string, { letter, value }: Option<unknown>): string {
  const short = letter === undefined ? '' : `-${letter}, `;
  return `${short}--${dashed(key)}${value === undefined ? '' : ` ${value}`}`;
}
