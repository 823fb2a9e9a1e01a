/** Checks that cannot fail, or that checked nothing. Pure, and only as clever as it can be sure. */

/** Bodies by name, from the package.json of the check's folder. */
export type Scripts = Readonly<Record<string, string>>;

const SUCCEEDS =
  /^(?:true|:|exit(?:\s+0)?|\/bin\/true|\/usr\/bin\/true|echo\b[^`$<>|&;]*|printf\b[^`$<>|&;]*)$/;
const PLACEHOLDER = /no test specified/i;
const RUN_SCRIPT =
  /^(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?(?:--silent\s+|-s\s+)?([\w:.-]+)$/;
const SHORT_FORMS: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };
const MAX_SCRIPT_DEPTH = 5;

/**
 * Why a command proves nothing, or `undefined` when it may.
 *
 * @param command One line of shell.
 */
export function whyVacuous(command: string, scripts: Scripts, depth = 0): string | undefined {
  const line = stripComment(command)
    .trim()
    .replace(/(?<!\\)[;\s]+$/, '');
  if (line === '') return 'it is empty';
  const inner = whyShellVacuous(line, scripts, depth);
  if (inner !== undefined) return inner;
  const swallowed = whySwallowed(line);
  if (swallowed !== undefined) return swallowed;

  const parts = splitTopLevel(line, ['&&', ';', '\n']);
  const reasons = parts.map((part) => whyPartVacuous(part.trim(), scripts, depth));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

const GROUP = /^(?:\((?<sub>.*)\)|\{\s(?<group>.*);?\s*\})$/s;
const SHELL = /^(?:ba|da|z)?sh\s+-[a-z]*c\s+(?:'(?<plain>[^']*)'|"(?<quoted>[^"$`\\]*)")$/;

/** `(…)`, `{ …; }` and `sh -c '…'` are what stands in them. */
function whyShellVacuous(line: string, scripts: Scripts, depth: number): string | undefined {
  if (depth > MAX_SCRIPT_DEPTH) return undefined;
  const { sub, group } = GROUP.exec(line)?.groups ?? {};
  const { plain, quoted } = SHELL.exec(line)?.groups ?? {};
  const body = sub ?? group ?? plain ?? quoted;
  if (body === undefined || !isBalanced(body)) return undefined;
  return whyVacuous(body, scripts, depth + 1);
}

/** Whether the outer pair belongs together: `(a) && (b)` is no group. */
function isBalanced(body: string): boolean {
  let depth = 0;
  for (const char of body) {
    if (char === '(' || char === '{') depth++;
    if (char === ')' || char === '}') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** What a runner prints when it found no test at all, with a runner's name for the message. */
const NO_TESTS: readonly (readonly [string, RegExp])[] = [
  // Tests that a filter leaves out count as skipped: nothing passed, nothing failed.
  ['node', /^(?:# pass 0\r?\n# fail 0|ℹ pass 0\r?\nℹ fail 0)$/m],
  ['jest', /^No tests found, exiting with code 0/m],
  ['vitest', /^No test files found, exiting with code 0/m],
  ['mocha', /^\s*0 passing \(/m],
  ['pytest', /^=+ no tests ran in /m],
  ['unittest', /^(?:Ran 0 tests in |NO TESTS RAN)/m],
  ['cargo', /^running 0 tests$/m],
  ['go', /^\?\s+\S+\s+\[no test files\]$/m],
];

/** The runner that ran no test, judged by its own words at the end of its output. */
export function runnerWithoutTests(output: string): string | undefined {
  // Several runners may have spoken: one that ran something proves something.
  if (RAN_SOME.test(output)) return undefined;
  return NO_TESTS.find(([, pattern]) => pattern.test(output))?.[0];
}

const RAN_SOME =
  /^(?:(?:#|ℹ) (?:pass|fail) [1-9]|Ran [1-9]\d* tests?|running [1-9]\d* tests?|\s*[1-9]\d* passing|Tests:\s+.*[1-9]\d* passed|\s*Tests\s+[1-9]\d* passed|=+ .*[1-9]\d* passed|ok\s+\S+\s+\d)/m;

function whyPartVacuous(part: string, scripts: Scripts, depth: number): string | undefined {
  if (part === '') return 'it is empty';
  if (SUCCEEDS.test(part)) return `\`${part}\` cannot fail`;
  const script = RUN_SCRIPT.exec(part)?.[1];
  if (script === undefined || depth > MAX_SCRIPT_DEPTH) return undefined;
  const name = SHORT_FORMS[script] ?? script;
  const body = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (body === undefined) return undefined;
  if (PLACEHOLDER.test(body)) return `the script "${name}" is npm's placeholder`;
  const inner = whyVacuous(body, scripts, depth + 1);
  return inner && `the script "${name}": ${inner}`;
}

/** `… || true` and `… ; true`: the exit status that counts is not the check's own. */
function whySwallowed(line: string): string | undefined {
  const either = splitTopLevel(line, ['||']);
  const [first = ''] = either;
  const isOne = splitTopLevel(line, ['&&', ';', '\n']).length === 1;
  if (either.length > 1 && isOne && SUCCEEDS.test(first.trim())) {
    return `behind \`${first.trim()} ||\` nothing is run`;
  }
  const last = either.at(-1)?.trim() ?? '';
  if (either.length > 1 && SUCCEEDS.test(last)) return `\`|| ${last}\` swallows its exit status`;
  const steps = splitTopLevel(line, [';', '\n']).map((part) => part.trim());
  const end = steps.filter((part) => part !== '').at(-1) ?? '';
  if (steps.length > 1 && SUCCEEDS.test(end)) return `\`; ${end}\` swallows its exit status`;
  if (/(?:^|[^&])&\s*$/.test(line))
    return 'it runs in the background, so nobody waits for its result';
  return undefined;
}

/** Splits at operators that stand outside of quotes, parentheses and braces. */
function splitTopLevel(line: string, operators: readonly string[]): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '(' || char === '{') depth++;
    else if (char === ')' || char === '}') depth--;
    else if (depth === 0) {
      const operator = operators.find((one) => line.startsWith(one, at));
      if (operator === undefined) continue;
      parts.push(line.slice(start, at));
      start = at + operator.length;
      at = start - 1;
    }
  }
  return [...parts, line.slice(start)];
}

function stripComment(command: string): string {
  return command.replaceAll(/(^|\s)#[^\n'"`]*$/gm, '$1');
}
