/** Which keys answer a yes-or-no question. Pure. */

export type KeyAnswer = 'yes' | 'no' | 'cancel';

export interface KeyReader {
  /**
   * What the keys say, so far; `undefined` when they say nothing. A later call may take a yes or no back.
   *
   * @param chunk What the terminal sent at once.
   * @param atMs Time of its arrival.
   */
  read(chunk: string, atMs: number): KeyAnswer | undefined;
}

const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const INTERRUPT = '\u0003';
/** A paste whose end never came is over after this much silence. */
const LOST_PASTE_MS = 500;
/** No finger is that fast: what follows within this time belongs to the same paste. */
export const BURST_MS = 60;

const ANSWERS: Readonly<Record<string, KeyAnswer>> = {
  y: 'yes',
  Y: 'yes',
  n: 'no',
  N: 'no',
  '\r': 'no',
  '\n': 'no',
  /** Ctrl-D. */
  '\u0004': 'no',
  /** Escape. */
  '\u001b': 'no',
};

/** Only a key that comes alone is an answer: pasted text is not, whether the terminal marks it or not. */
export function createKeyReader(): KeyReader {
  let isPasting = false;
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return {
    read(chunk, atMs) {
      const silenceMs = atMs - lastAtMs;
      lastAtMs = atMs;
      // Ctrl-C works whatever is going on, or a lost end mark would take the keyboard away.
      if (chunk.includes(INTERRUPT)) return 'cancel';
      if (isPasting && silenceMs < LOST_PASTE_MS) {
        isPasting = !chunk.includes(PASTE_END);
        return undefined;
      }
      isPasting = chunk.lastIndexOf(PASTE_BEGIN) > chunk.lastIndexOf(PASTE_END);
      if (silenceMs < BURST_MS) return undefined;
      return ANSWERS[chunk];
    },
  };
}
