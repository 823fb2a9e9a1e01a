/** How help is laid out in lines that fit. Pure. */
import { widthOf, wrapText } from './terminal/wrap.ts';

/** A text beside its term that is narrower than this is better read below it. */
const MIN_TEXT = 28;

/** Terms with their texts: in two columns where there is room, else each text below its term. */
export function printRows(
  rows: readonly (readonly [term: string, text: string])[],
  width: number,
): readonly string[] {
  const column = Math.max(...rows.map(([term]) => widthOf(term))) + 4;
  if (width - column >= MIN_TEXT) {
    return rows.flatMap(([term, text]) => {
      const [first = '', ...rest] = wrapText(text, width - column);
      const indent = ' '.repeat(column);
      const head = `  ${term}${' '.repeat(column - 2 - widthOf(term))}${first}`;
      return [head, ...rest.map((line) => `${indent}${line}`)];
    });
  }
  return rows.flatMap(([term, text]) => [
    `  ${term}`,
    ...wrapText(text, width - 6).map((line) => `      ${line}`),
  ]);
}

/** A command that is too long goes on in the next line, as a shell takes it. */
export function printExample(command: string, width: number): readonly string[] {
  const words = command.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  const lines: string[] = [];
  let line = '  $';
  for (const word of words) {
    const joined = `${line} ${word}`;
    if (line.trim() === '$' || widthOf(joined) <= width - 2) {
      line = joined;
      continue;
    }
    lines.push(`${line} \\`);
    line = `      ${word}`;
  }
  return [...lines, line];
}
