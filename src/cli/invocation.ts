/** Which command a command line means. Pure. */
import { CcError } from '../kernel/base/errors.ts';
import { inBrief } from './in-brief.ts';
import { quoteLine, quoteWord } from './quote.ts';

export interface Invocation {
  readonly name: string;
  readonly argv: readonly string[];
}

const TAKES_VALUE = ['--cwd', '--session'];
const GLOBAL_FLAGS = ['--json', '--no-input', '--no-hooks'];
const HELP = ['help', '--help', '-h'];
/** Options that only `ralplan` has: `$ralplan --approve` reaches us as `--approve`. */
const RALPLAN_OPTIONS = ['--approve', '--reject', '--revise', '--edit', '--step', '--diff'];

/**
 * Options of every command may stand in front of its name. `$verb` works as far as the shell lets it:
 * unquoted, `$deep-interview "x"` arrives as `-interview x`.
 *
 * @throws {CcError} `REQUEST_INVALID` for a word that is no command, with the spelling that was meant.
 */
export function readInvocation(argv: readonly string[], names: readonly string[]): Invocation {
  const { front, rest } = splitFront(argv);
  const [word, ...more] = rest;
  if (word === undefined) return { name: 'status', argv: front };
  if (HELP.includes(word)) {
    const [first, ...actions] = more.filter((one) => !one.startsWith('-'));
    const about = first?.replace(/^\$/, '');
    if (about === undefined || about === 'help') return { name: 'help', argv: [] };
    if (names.includes(about)) return { name: about, argv: [...actions, '--help'] };
    throw unknownCommand(about, [], names);
  }
  if (word === '--version' || word === '-V') return { name: 'version', argv: [] };
  if (word === '-interview') return { name: 'deep-interview', argv: [...front, ...more] };
  if (RALPLAN_OPTIONS.includes(word.split('=', 1)[0] ?? '')) {
    return { name: 'ralplan', argv: [...front, ...rest] };
  }
  const name = word.replace(/^\$/, '');
  if (names.includes(name)) return { name, argv: [...front, ...more] };
  throw unknownCommand(word, more, names);
}

function splitFront(argv: readonly string[]) {
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    if (TAKES_VALUE.includes(word)) at += 2;
    else if (GLOBAL_FLAGS.includes(word) || TAKES_VALUE.some((one) => word.startsWith(`${one}=`)))
      at++;
    else break;
  }
  return { front: argv.slice(0, at), rest: argv.slice(at) };
}

/** Characters of a request that a remedy says again. */
const MOST_REPEATED = 2_000;

/** @param behind What stands behind it: the remedy says it again, but for the form of the answer. */
function unknownCommand(
  word: string,
  behind: readonly string[],
  names: readonly string[],
): CcError {
  const more = behind.filter((one) => one !== '--json');
  if (word.startsWith('-')) {
    return new CcError('REQUEST_INVALID', `Unknown option ${inBrief(word)}`, { hint: 'cc --help' });
  }
  const near = names.find((name) => isNear(word, name));
  if (near !== undefined) {
    return new CcError('REQUEST_INVALID', `There is no command "${word}"`, {
      hint: `cc ${quoteLine([near, ...more])}`,
    });
  }
  const end = more.findIndex((one) => one.startsWith('-'));
  const words = end < 0 ? more : more.slice(0, end);
  const options = more.slice(words.length).map((one) => ` ${quoteWord(one)}`);
  const request = [word, ...words].join(' ');
  const message = `"${inBrief(word)}" is no command; did the shell take a $verb away?`;
  if (request.length > MOST_REPEATED) {
    return new CcError('REQUEST_INVALID', message, { hint: 'cc deep-interview --help' });
  }
  return new CcError('REQUEST_INVALID', message, {
    hint: `cc deep-interview ${quoteWord(request)}${options.join('')}`,
  });
}

/** One letter more, less or other, or two swapped. */
function isNear(word: string, name: string): boolean {
  if (Math.abs(word.length - name.length) > 1 || word.length < 3) return false;
  let head = 0;
  while (head < word.length && word[head] === name[head]) head++;
  const [a, b] = [word.slice(head), name.slice(head)];
  const tails = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
    [a.slice(2), b.slice(2)],
  ] as const;
  return tails.some(([x, y]) => x === y);
}
