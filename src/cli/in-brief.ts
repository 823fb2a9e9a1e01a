/** What a person typed, as a message repeats it. Pure. */

const MOST = 120;

/** A pasted file is told by its beginning. */
export function inBrief(word: string): string {
  return word.length <= MOST ? word : `${word.slice(0, MOST)}… (${word.length} characters)`;
}
