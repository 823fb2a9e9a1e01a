/** Command lines as a person can type them again. Pure. */

const PLAIN_WORD = /^[\w@%+:,./=-]+$/;

/** One word for the shells of this world: in single quotes nothing is expanded. */
export function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function quoteLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}
