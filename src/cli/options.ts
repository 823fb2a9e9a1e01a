/** What a command takes: one table from which parser, help, completion and the type of its arguments come. */
import { CcError } from '../kernel/base/errors.ts';
import { isFillIn } from '../kernel/base/fill-in.ts';
import { inBrief } from './in-brief.ts';

/** How one option is written, described and read. */
export interface Option<T> {
  /** Placeholder of its value, as in `<text>`; `undefined` for a switch. */
  readonly value: string | undefined;
  readonly describe: string;
  readonly repeats: boolean;
  /** The short form, as in `-f`. */
  readonly letter?: string;
  /** Words that are accepted, where only these are. */
  readonly choices?: readonly string[];
  /**
   * From what was typed, in order; nothing when it was not given.
   *
   * @throws {CcError} `REQUEST_INVALID` for a word that it does not take.
   */
  read(given: readonly string[], place: OptionPlace): T;
}

/** Where an option was typed, for the refusal of its word. */
export interface OptionPlace {
  readonly name: string;
  /** The command that explains it. */
  readonly help: string;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;
export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer T> ? T : never;
};

/** A switch, off by default. */
export function flag(describe: string, letter?: string): Option<boolean> {
  const short = letter === undefined ? {} : { letter };
  return {
    value: undefined,
    describe,
    repeats: false,
    ...short,
    read: (given) => given.length > 0,
  };
}

export function text(value: string, describe: string): Option<string | undefined> {
  return {
    value,
    describe,
    repeats: false,
    // What can be no id is refused as such.
    read: (given, place) => only(value === '<id>' ? given : inOwnWords(given, place), place),
  };
}

/** May stand several times; each adds one. */
export function list(value: string, describe: string): Option<readonly string[]> {
  return {
    value,
    describe,
    repeats: true,
    read: (given, place) => inOwnWords(given, place).map((word) => notEmpty(word, place)),
  };
}

export function choice<const Word extends string>(
  choices: readonly Word[],
  describe: string,
): Option<Word | undefined> {
  return {
    value: `<${choices.join('|')}>`,
    describe,
    repeats: false,
    choices,
    read(given, place) {
      const word = only(given, place);
      const found = choices.find((one) => one === word);
      if (word === undefined || found !== undefined) return found;
      throw invalid(place, word, `one of ${choices.join(', ')}`);
    },
  };
}

/** A time such as `90s`, `10m` or `1h`, read as milliseconds. */
export function duration(describe: string): Option<number | undefined> {
  return {
    value: '<time>',
    describe,
    repeats: false,
    read(given, place) {
      const word = only(given, place);
      if (word === undefined) return undefined;
      const { amount, unit } = /^(?<amount>\d+)(?<unit>s|m|h)$/.exec(word)?.groups ?? {};
      const factor = UNITS_MS[unit ?? ''];
      if (amount === undefined || factor === undefined)
        throw invalid(place, word, 'a time such as 90s or 10m');
      return Number(amount) * factor;
    },
  };
}

/** A whole number above zero. */
export function count(value: string, describe: string): Option<number | undefined> {
  return {
    value,
    describe,
    repeats: false,
    read(given, place) {
      const word = only(given, place);
      if (word === undefined) return undefined;
      if (!/^[1-9]\d{0,8}$/.test(word)) throw invalid(place, word, 'a whole number above zero');
      return Number(word);
    },
  };
}

/** `maxTime` is written `--max-time`. */
export function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Of two values nobody could tell which one was meant, and an empty one is mostly a variable that is not set. */
function only(given: readonly string[], place: OptionPlace): string | undefined {
  const [first, ...others] = new Set(given);
  if (first === undefined) return undefined;
  if (others.length === 0) return notEmpty(first, place);
  const message = `--${dashed(place.name)} is given more than once, with different values`;
  throw new CcError('REQUEST_INVALID', message, { hint: place.help });
}

function notEmpty(word: string, { name, help }: OptionPlace): string {
  if (word.trim() !== '') return word;
  throw new CcError('REQUEST_INVALID', `--${dashed(name)} is empty`, { hint: help });
}

/** A command that was copied from a screen still holds what only marks the place for words. */
function inOwnWords(given: readonly string[], { name, help }: OptionPlace): readonly string[] {
  const mark = given.find(isFillIn);
  if (mark === undefined) return given;
  const message = `--${dashed(name)}: replace ${mark.trim()} by your own words`;
  throw new CcError('REQUEST_INVALID', message, { hint: help });
}

/**
 * The same for words behind the command's name.
 *
 * @throws {CcError} `REQUEST_INVALID`.
 */
export function wordsOf(words: readonly string[], help: string): string | undefined {
  if (words.length === 0) return undefined;
  const text = words.join(' ');
  if (text.trim() === '') {
    throw new CcError('REQUEST_INVALID', 'The words behind the command are empty', { hint: help });
  }
  if (!isFillIn(text)) return text;
  throw new CcError('REQUEST_INVALID', `Replace ${text.trim()} by your own words`, { hint: help });
}

function invalid({ name, help }: OptionPlace, word: string, wanted: string): CcError {
  const message = `--${dashed(name)} takes ${wanted}, not "${inBrief(word)}"`;
  return new CcError('REQUEST_INVALID', message, { hint: help });
}
