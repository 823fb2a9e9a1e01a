/** What test runners print when they ran no test at all. Pure; each judged by its own words. */
import { stripVTControlCharacters } from 'node:util';

interface Runner {
  readonly name: string;
  /** Found nothing, or left out everything that it found. */
  readonly none: RegExp;
  /** Passed or failed something. */
  readonly ran: RegExp;
}

const RUNNERS: readonly Runner[] = [
  {
    // The brackets keep a word of TAP from being taken for unfinished work.
    name: 'node',
    none: /^(?:# pass 0\r?\n# fail 0|ℹ pass 0\r?\nℹ fail 0|1\.\.0(?:\s|$))/m,
    ran: /^(?:(?:#|ℹ) (?:pass|fail) [1-9]|(?:not )?ok \d+\b(?!.*# (?:SKIP|[T]ODO)))/im,
  },
  {
    name: 'vitest',
    none: /^(?:No test files found, exiting with code 0|\s*Tests\s+(?:no tests|(?:\d+ (?:skipped|todo)[ |]*)+\(\d+\)))/m,
    ran: /^\s*Tests\s+.*[1-9]\d* (?:passed|failed)/m,
  },
  {
    name: 'jest',
    none: /^(?:No tests found, exiting with code 0|Tests:\s+(?:\d+ (?:skipped|todo), )*\d+ total)$/m,
    ran: /^Tests:\s+.*[1-9]\d* (?:passed|failed)/m,
  },
  { name: 'mocha', none: /^\s*0 passing \(/m, ran: /^\s*[1-9]\d* (?:passing \(|failing$)/m },
  {
    name: 'pytest',
    none: /^(?:=+ )?(?:no tests ran|(?:\d+ (?:skipped|deselected|xfailed|warnings?)(?:, )?)+) in \d/m,
    ran: /^(?:=+ )?.*[1-9]\d* (?:passed|failed|xpassed|errors?)\b.* in \d/m,
  },
  {
    name: 'unittest',
    none: /^(?:Ran 0 tests in |NO TESTS RAN|Ran (?<all>\d+) tests? in .*\r?\n\r?\nOK \(skipped=\k<all>\))/m,
    ran: /^Ran (?<all>[1-9]\d*) tests? in (?!.*\r?\n\r?\nOK \(skipped=\k<all>\))/m,
  },
  {
    name: 'cargo',
    none: /^(?:running 0 tests$|test result: ok\. 0 passed; 0 failed)/m,
    ran: /^(?:test result: .*[1-9]\d* (?:passed|failed)|test \S+ \.\.\. (?:ok|FAILED)|running [1-9]\d* tests?$(?![\s\S]*^test result:))/m,
  },
  {
    name: 'go',
    none: /^(?:\?\s+\S+\s+\[no test files\]|ok\s+\S+\s.*\[no tests to run\])/m,
    ran: /^(?:ok\s+[^\s|]+\s+(?:\d|\(cached\))(?!.*\[no tests to run\])|FAIL\s+\S+\s+\d|--- (?:PASS|FAIL))/m,
  },
  {
    name: 'rspec',
    none: /^(?:No examples found\.|0 examples, 0 failures|(?<all>\d+) examples?, 0 failures, \k<all> pending)/m,
    ran: /^(?<all>[1-9]\d*) examples?, \d+ failures?\b(?!, \k<all> pending)/m,
  },
  {
    name: 'phpunit',
    none: /^(?:No tests executed!|Tests: (?<all>\d+), Assertions: 0, (?:.*, )?Skipped: \k<all>\.)/m,
    ran: /^(?:OK \([1-9]\d* tests?,|Tests: \d+, Assertions: [1-9])/m,
  },
  {
    name: 'minitest',
    none: /^(?:0 (?:runs|tests), 0 assertions|(?<all>\d+) (?:runs|tests), 0 assertions, 0 failures, 0 errors, \k<all> skips)/m,
    ran: /^[1-9]\d* (?:runs|tests), [1-9]\d* assertions/m,
  },
  {
    name: 'dotnet',
    none: /^(?:No test is available in |No test matches the given testcase filter|.*Failed:\s+0, Passed:\s+0,)/m,
    ran: /(?:Failed:\s+[1-9]|Passed:\s+[1-9])/m,
  },
  {
    name: 'ctest',
    none: /^No tests were found!!!/m,
    ran: /^\d+% tests passed, \d+ tests? failed/m,
  },
  {
    name: 'deno',
    none: /^ok \| 0 passed(?: \(\d+ steps?\))? \| 0 failed/m,
    ran: /^(?:ok|FAILED) \| (?:[1-9]\d* passed|0 passed.* \| [1-9]\d* failed)/m,
  },
  {
    name: 'bun',
    none: /^\s*0 pass\r?\n(?:\s*\d+ (?:skip|todo|filtered out)\r?\n)*\s*0 fail$/m,
    ran: /^\s*[1-9]\d* (?:pass|fail)$/m,
  },
];

/** The runner that ran no test, by what a check printed; `undefined` when one ran some, or none spoke. */
export function runnerWithoutTests(output: string): string | undefined {
  const text = stripVTControlCharacters(output);
  // Several runners may have spoken: one that ran something proves something.
  if (RUNNERS.some(({ ran }) => ran.test(text))) return undefined;
  return RUNNERS.find(({ none }) => none.test(text))?.name;
}
