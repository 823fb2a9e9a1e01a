import { expect, test } from 'vitest';
import { runnerWithoutTests, whyVacuous } from '../../../src/workflow/evidence/vacuity.ts';

const SCRIPTS = {
  test: 'echo "Error: no test specified" && exit 1',
  quiet: 'true',
  swallow: 'vitest run || true',
  again: 'npm run quiet',
  unit: 'vitest run',
  loop: 'npm run loop',
};

test.each([
  ['', 'it is empty'],
  ['   # only a remark', 'it is empty'],
  ['true', '`true` cannot fail'],
  [':', '`:` cannot fail'],
  ['/bin/true', '`/bin/true` cannot fail'],
  ['exit 0', '`exit 0` cannot fail'],
  ['echo done', '`echo done` cannot fail'],
  ['true && true', '`true` cannot fail'],
  ['echo a; echo b', '`; echo b` swallows its exit status'],
  ['npm test || true', '`|| true` swallows its exit status'],
  ['npm test || :', '`|| :` swallows its exit status'],
  ['npm test || exit 0', '`|| exit 0` swallows its exit status'],
  ['npm test || echo failed', '`|| echo failed` swallows its exit status'],
  ['npm test || true;', '`|| true` swallows its exit status'],
  ['npm test; true', '`; true` swallows its exit status'],
  ['npm test ; exit 0', '`; exit 0` swallows its exit status'],
  ['(npm run unit || true)', '`|| true` swallows its exit status'],
  ['{ npm run unit || true; }', '`|| true` swallows its exit status'],
  ["sh -c 'true'", '`true` cannot fail'],
  ['bash -c "npm test || true"', '`|| true` swallows its exit status'],
  ['true || npm run unit', 'behind `true ||` nothing is run'],
  ['npm run unit &', 'it runs in the background, so nobody waits for its result'],
  ['npm test', 'the script "test" is npm\'s placeholder'],
  ['npm t', 'the script "test" is npm\'s placeholder'],
  ['yarn test', 'the script "test" is npm\'s placeholder'],
  ['npm run quiet', 'the script "quiet": `true` cannot fail'],
  ['npm run swallow', 'the script "swallow": `|| true` swallows its exit status'],
  ['pnpm run again', 'the script "again": the script "quiet": `true` cannot fail'],
])('%j proves nothing', (command, reason) => {
  expect(whyVacuous(command, SCRIPTS)).toBe(reason);
});

test.each([
  ['npm run unit'],
  ['npm run loop'],
  ['npm run nobody-knows'],
  ['node --test'],
  ['node --test && true'],
  ['true && node --test'],
  ['echo start && node --test'],
  ['echo start; node --test'],
  ['echo start || exit 1; node --test'],
  ['node --test | tee log.txt'],
  ['node --test || node --test --retry'],
  ['node --test || { cat log.txt; exit 1; }'],
  ['node --test || exit 1'],
  ['true || false && node --test'],
  ['! grep -r debugger src'],
  ['test -z "$(git status --porcelain)"'],
  ['grep -q "|| true" install.sh'],
  ["grep -q '; true' install.sh"],
  ['[ -f dist/cc.cjs ]'],
  ['(cd packages/a && npm run unit)'],
  ['(true) && (node --test)'],
  ['sh check.sh'],
  ["sh -c 'node --test'"],
  ['bash -ec "npm run unit"'],
  ['make check'],
  ['python3 -m unittest discover -s tests'],
  ['cargo test --all'],
  ['go test ./...'],
  ['tsc --noEmit # types only'],
  ['diff <(node a.mjs) expected.txt'],
  ['node -e "process.exit(require(\'./a.js\') === 42 ? 0 : 1)"'],
  ['curl -sf http://127.0.0.1:3000/health && echo up'],
  ['printf x | node filter.mjs | cmp - expected'],
])('%j may prove something', (command) => {
  expect(whyVacuous(command, SCRIPTS)).toBeUndefined();
});

test.each([
  ['node', '# tests 0\n# suites 0\n# pass 0\n# fail 0\n'],
  ['node', '# tests 4\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 4\n'],
  ['node', 'ℹ tests 2\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ skipped 2\n'],
  ['jest', 'No tests found, exiting with code 0\n'],
  ['vitest', 'No test files found, exiting with code 0\n'],
  ['mocha', '\n  0 passing (2ms)\n'],
  ['pytest', '=================== no tests ran in 0.01s ===================\n'],
  ['unittest', 'Ran 0 tests in 0.000s\n\nOK\n'],
  ['unittest', 'NO TESTS RAN\n'],
  ['cargo', 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n'],
  ['go', '?   \texample.org/a\t[no test files]\n'],
])('%s ran no test: %j', (runner, output) => {
  expect(runnerWithoutTests(output)).toBe(runner);
});

test.each([
  ['node', '# tests 3\n# suites 0\n# pass 3\n# fail 0\n'],
  ['node, one of two runs', '# pass 0\n# fail 0\n# tests 1\n# pass 1\n# fail 0\n'],
  ['mocha', '  12 passing (2ms)\n'],
  ['pytest', '======== 3 passed in 0.12s ========\n'],
  ['unittest', 'Ran 1 test in 0.001s\n\nOK\n'],
  ['cargo, with an empty crate', 'running 2 tests\nrunning 0 tests\n'],
  ['go, with a package without tests', 'ok  \ta\t0.01s\n?   \tb\t[no test files]\n'],
  ['vitest', ' Test Files  1 passed (1)\n      Tests  2 passed (2)\n'],
  ['a check that talks about tests', 'There are 0 tests of the old kind\n'],
  ['silence', ''],
])('%s ran some', (_runner, output) => {
  expect(runnerWithoutTests(output)).toBeUndefined();
});
