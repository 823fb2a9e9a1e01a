import { expect, test } from 'vitest';
import { runnerWithoutTests } from '../../../src/workflow/evidence/no-tests.ts';

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
  ['go', 'ok  \texample.org/a\t0.002s [no tests to run]\n'],
  ['node', 'TAP version 13\n1..0\n'],
  ['node', 'TAP version 13\nok 1 - later # SKIP\n1..1\n# pass 0\n# fail 0\n'],
  ['vitest', ' Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n'],
  [
    'vitest',
    '\u001b[2m      Tests \u001b[22m \u001b[33m2 skipped\u001b[39m\u001b[90m (2)\u001b[39m\n',
  ],
  ['jest', 'Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total\n'],
  ['pytest', '=================== 3 skipped in 0.01s ===================\n'],
  ['pytest', '=================== 4 deselected in 0.01s ===================\n'],
  ['unittest', 'sss\n---\nRan 3 tests in 0.000s\n\nOK (skipped=3)\n'],
  ['cargo', 'running 3 tests\n\ntest result: ok. 0 passed; 0 failed; 3 ignored; 0 measured\n'],
  ['rspec', '3 examples, 0 failures, 3 pending\n'],
  ['rspec', 'No examples found.\n\n0 examples, 0 failures\n'],
  ['phpunit', 'No tests executed!\n'],
  ['phpunit', 'Tests: 2, Assertions: 0, Skipped: 2.\n'],
  ['minitest', '2 runs, 0 assertions, 0 failures, 0 errors, 2 skips\n'],
  ['dotnet', 'No test is available in /a/b.dll.\n'],
  ['dotnet', 'Skipped! - Failed:     0, Passed:     0, Skipped:     3, Total:     3\n'],
  ['ctest', 'No tests were found!!!\n'],
  ['deno', 'ok | 0 passed | 0 failed | 3 ignored (2ms)\n'],
  ['bun', ' 0 pass\n 3 skip\n 0 fail\n'],
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
  ['vitest, some skipped', '      Tests  1 passed | 2 skipped (3)\n'],
  ['vitest, in colour', '\u001b[2m      Tests \u001b[22m \u001b[32m2 passed\u001b[39m (2)\n'],
  ['jest, some skipped', 'Tests:       1 skipped, 2 passed, 3 total\n'],
  ['pytest, some skipped', '======== 1 passed, 2 skipped in 0.12s ========\n'],
  ['unittest, some skipped', 'Ran 3 tests in 0.001s\n\nOK (skipped=1)\n'],
  ['cargo, some ignored', 'running 3 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored\n'],
  ['go, cached', 'ok  \ta\t(cached)\n'],
  ['rspec, some pending', '3 examples, 0 failures, 1 pending\n'],
  ['minitest', '2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n'],
  ['dotnet', 'Passed! - Failed:     0, Passed:     2, Skipped:     0, Total:     2\n'],
  ['deno', 'ok | 2 passed | 0 failed (2ms)\n'],
  ['bun', ' 2 pass\n 0 fail\n'],
  ['tap', 'TAP version 13\nok 1 - a\n1..1\n'],
  ['a check that talks about tests', 'There are 0 tests of the old kind\n'],
  ['silence', ''],
])('%s ran some', (_runner, output) => {
  expect(runnerWithoutTests(output)).toBeUndefined();
});
