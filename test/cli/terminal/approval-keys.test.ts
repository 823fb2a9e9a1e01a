import { expect, test } from 'vitest';
import { createKeyReader } from '../../../src/cli/terminal/approval-keys.ts';

/** Chunks with the time of their arrival, and what each says. */
type Played = readonly (readonly [atMs: number, chunk: string, answer: string | undefined])[];

const PASTE = '\u001b[200~';
const END = '\u001b[201~';

test.each<[string, Played]>([
  ['y', [[0, 'y', 'yes']]],
  ['Y', [[0, 'Y', 'yes']]],
  ['n', [[0, 'n', 'no']]],
  ['Enter takes the safe answer', [[0, '\r', 'no']]],
  ['Escape', [[0, '\u001b', 'no']]],
  ['Ctrl-D', [[0, '\u0004', 'no']]],
  ['Ctrl-C', [[0, '\u0003', 'cancel']]],
  [
    'an arrow, then y',
    [
      [0, '\u001b[A', undefined],
      [200, 'y', 'yes'],
    ],
  ],
  [
    'another letter, then y',
    [
      [0, 'x', undefined],
      [200, 'y', 'yes'],
    ],
  ],
  ['y and Enter at once are no keys', [[0, 'y\r', undefined]]],
  ['pasted lines', [[0, 'y\ny\nrm x\n', undefined]]],
  [
    'the last piece of a paste',
    [
      [0, 'do this\n', undefined],
      [5, 'y', undefined],
    ],
  ],
  ['a marked paste', [[0, `${PASTE}y${END}`, undefined]]],
  [
    'a marked paste in pieces',
    [
      [0, PASTE, undefined],
      [100, 'y', undefined],
      [200, END, undefined],
    ],
  ],
  [
    'a key after a marked paste',
    [
      [0, `${PASTE}y${END}`, undefined],
      [200, 'y', 'yes'],
    ],
  ],
  [
    'Ctrl-C inside of a paste',
    [
      [0, PASTE, undefined],
      [10, 'ab\u0003', 'cancel'],
    ],
  ],
  [
    'a paste without an end',
    [
      [0, `${PASTE}abc`, undefined],
      [900, 'y', 'yes'],
    ],
  ],
])('%s', (_title, played) => {
  const keys = createKeyReader();
  const answers = played.map(([at, chunk]) => keys.read(chunk, at));
  expect(answers).toEqual(played.map(([, , answer]) => answer));
});
