/** Words behind `cc ralplan`: what a plan should aim at, or an option whose dashes were forgotten. Pure. */
import { CcError } from '../kernel/base/errors.ts';
import { quoteWord } from './quote.ts';
import { wordsOf } from './options.ts';

const HELP = 'cc ralplan --help';
const OPTIONS = ['approve', 'reject', 'revise', 'edit', 'diff', 'step'];

export interface Direction {
  readonly text: string;
  /** Drafts the plan that is there anew, aimed at this. */
  readonly command: string;
}

interface Modes {
  readonly approve: boolean;
  readonly reject: boolean;
  readonly edit: boolean;
  readonly diff: boolean;
  readonly step: readonly string[];
}

/** @throws {CcError} `REQUEST_INVALID` where the words were meant as something else, with the right spelling. */
export function directionOf(words: readonly string[], modes: Modes): Direction | undefined {
  const text = wordsOf(words, HELP);
  if (text === undefined) return undefined;
  const [first = '', ...more] = words;
  const option = OPTIONS.find((name) => name === first.toLowerCase());
  const rest = more.join(' ');
  if (option !== undefined && more.length === 0) {
    const hint = option === 'step' ? HELP : `cc ralplan --${option}`;
    throw invalid(`"${first}" is an option: write --${option}`, hint);
  }
  if (modes.reject) {
    const hint = `cc ralplan --reject --reason ${quoteWord(text)}`;
    throw invalid('A reason stands behind --reason', hint);
  }
  const title = modes.step.at(-1);
  if (title !== undefined) {
    const hint = `cc ralplan --step ${quoteWord(`${title} ${text}`)}`;
    throw invalid(`Quote the title of a step; ${quoteWord(text)} stands outside of it`, hint);
  }
  const mode = (['approve', 'edit', 'diff'] as const).find((name) => modes[name]);
  if (mode !== undefined) throw invalid(`--${mode} takes no words`, `cc ralplan --${mode}`);
  return { text, command: commandOf(option, { rest, text }) };
}

/** `step Write the docs` was meant as `--step`, `revise keep it small` as `--revise`. */
function commandOf(
  option: string | undefined,
  { rest, text }: { readonly rest: string; readonly text: string },
): string {
  if (option === 'step') return `cc ralplan --step ${quoteWord(rest)}`;
  if (option === 'reject') return `cc ralplan --reject --reason ${quoteWord(rest)}`;
  return `cc ralplan --revise ${quoteWord(option === 'revise' ? rest : text)}`;
}

function invalid(message: string, hint: string): CcError {
  return new CcError('REQUEST_INVALID', message, { hint });
}
