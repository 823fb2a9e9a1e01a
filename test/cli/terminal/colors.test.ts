import { expect, test } from 'vitest';
import { colorsFor } from '../../../src/cli/terminal/colors.ts';

test.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR, which says nothing', { NO_COLOR: '' }, true, true],
  ['TERM=dumb', { TERM: 'dumb' }, true, false],
  ['FORCE_COLOR=1 in a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0 in a pipe', { FORCE_COLOR: '0' }, false, false],
  ['FORCE_COLOR=false in a pipe', { FORCE_COLOR: 'false' }, false, false],
  ['FORCE_COLOR=1 and NO_COLOR=1', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ['CI=1 in a pipe', { CI: '1' }, false, false],
])('%s', (_title, env, isTerminal, hasColours) => {
  expect(colorsFor(env, isTerminal).red('x') !== 'x').toBe(hasColours);
});
