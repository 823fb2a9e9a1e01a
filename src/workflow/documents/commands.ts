/** Commands in backticks, as a value of `verify` and `allow` and as a line under `## Verification`. */
import { piecesOf, textOfPieces } from './inline.ts';
import type { Command } from './plan-model.ts';

export interface CommandLine {
  readonly commands: readonly Command[];
  /** Words that are no command stand behind them. */
  readonly hasRemark: boolean;
  readonly looksLikeCommand: boolean;
}

const RUN_WORD = /^(?:run|execute|运行|执行)?[ :：]*$/i;
const ONLY_IN_CI = /^ *[(（] *ci *[)）]/i;
const SEPARATOR = /^[ ,;，；、&.。]*(?:and|then|和|并|以及)?[ ,;，；、]*$/i;
const PROGRAMS =
  /^(?:\.{1,2}\/\S+|(?:npm|npx|pnpm|yarn|bun|node|deno|make|cmake|ctest|cargo|go|python3?|pytest|pip|uv|tox|poetry|mvn|gradle|dotnet|ruby|bundle|rake|rspec|php|composer|phpunit|git|docker|bash|sh|tsc|eslint|vitest|jest)(?: |$))/;

/** Reads a line that begins with a command in backticks; further ones count as long as only commas stand between. */
export function commandsOf(raw: string, line: number): CommandLine {
  const pieces = piecesOf(raw).filter(({ kind }) => kind !== 'comment');
  const commands: Command[] = [];
  let hasRemark = false;
  for (const [index, { kind, value }] of pieces.entries()) {
    if (kind === 'code') {
      if (value.trim() === '') continue;
      const next = pieces[index + 1];
      const onlyInCi = next?.kind === 'text' && ONLY_IN_CI.test(next.value);
      commands.push({ command: value.trim(), onlyInCi, line });
      continue;
    }
    const words = index > 0 ? value.replace(ONLY_IN_CI, '') : value;
    const isGlue = commands.length === 0 ? RUN_WORD.test(words.trim()) : SEPARATOR.test(words);
    if (isGlue) continue;
    hasRemark = true;
    break;
  }
  const text = textOfPieces(pieces);
  const looksLikeCommand =
    commands.length === 0 && (PROGRAMS.test(text) || pieces.some(({ kind }) => kind === 'code'));
  return { commands, hasRemark, looksLikeCommand };
}
