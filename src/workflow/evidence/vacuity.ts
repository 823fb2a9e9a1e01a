/** Checks that cannot fail. Pure, and only as clever as it can be sure. */

/** Bodies by name, from the package.json of the check's folder. */
export type Scripts = Readonly<Record<string, string>>;

const SUCCEEDS =
  /^(?:true|:|exit(?:\s+0)?|wait|\/bin\/true|\/usr\/bin\/true|(?:echo|printf)\b(?:[^`$<>|&;]|\$(?!\())*)$/;
/** Programs that only pass on what they read. */
const FILTER =
  /^(?:cat|tee|tail|head|sed|awk|tr|cut|sort|uniq|wc|nl|less|more|fold|column|ts|tap-[\w-]+|pino-pretty)\b/;
const PLACEHOLDER = /no test specified/i;
const RUN_SCRIPT =
  /^(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?(?<flags>(?:--silent\s+|-s\s+|--if-present\s+)*)(?<name>[\w:.-]+)(?<more>(?:\s+--if-present|\s+--silent|\s+-s)*)$/;
const SHORT_FORMS: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };
const MAX_SCRIPT_DEPTH = 5;

/** Where a line is run. */
interface Place {
  readonly scripts: Scripts;
  /** The shell takes the result of a pipe from the part that failed, not from the last one. */
  readonly hasPipefail: boolean;
  readonly depth: number;
}

/**
 * Why a command proves nothing, or `undefined` when it may.
 *
 * @param command One line of shell, for a shell with `pipefail`.
 */
export function whyVacuous(command: string, scripts: Scripts): string | undefined {
  return whyLineVacuous(command, { scripts, hasPipefail: true, depth: 0 });
}

/** For a shell without `pipefail`: which part of a pipe failed, nobody learns. */
export function hasPipe(command: string): boolean {
  return splitTopLevel(stripComment(command).replaceAll('||', '&&'), ['|']).length > 1;
}

function whyLineVacuous(command: string, place: Place): string | undefined {
  const line = stripComment(command)
    .trim()
    .replace(/(?<!\\)[;\s]+$/, '');
  if (line === '') return 'it is empty';
  const inner = whyShellVacuous(line, place);
  if (inner !== undefined) return inner;
  const swallowed = whySwallowed(line, place);
  if (swallowed !== undefined) return swallowed;

  const parts = splitTopLevel(line, ['&&', ';', '\n']);
  const reasons = parts.map((part) => whyPartVacuous(part.trim(), place));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

const GROUP = /^(?:\((?<sub>.*)\)|\{\s(?<group>.*);?\s*\})$/s;
const SHELL = /^(?:ba|da|z)?sh\s+-[a-z]*c\s+(?:'(?<plain>[^']*)'|"(?<quoted>[^"$`\\]*)")$/;

/** `(…)`, `{ …; }` and `sh -c '…'` are what stands in them. */
function whyShellVacuous(line: string, place: Place): string | undefined {
  if (place.depth > MAX_SCRIPT_DEPTH) return undefined;
  const { sub, group } = GROUP.exec(line)?.groups ?? {};
  const { plain, quoted } = SHELL.exec(line)?.groups ?? {};
  const own = sub ?? group;
  const body = own ?? plain ?? quoted;
  if (body === undefined || !isBalanced(body)) return undefined;
  // A shell of its own begins without the option.
  const hasPipefail = own === undefined ? body.includes('pipefail') : place.hasPipefail;
  return whyLineVacuous(body, { ...place, hasPipefail, depth: place.depth + 1 });
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

function whyPartVacuous(part: string, place: Place): string | undefined {
  const { scripts, depth } = place;
  if (part === '') return 'it is empty';
  if (SUCCEEDS.test(part)) return `\`${part}\` cannot fail`;
  const { name: script, flags = '', more = '' } = RUN_SCRIPT.exec(part)?.groups ?? {};
  if (script === undefined || depth > MAX_SCRIPT_DEPTH) return undefined;
  const name = SHORT_FORMS[script] ?? script;
  const body = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (body === undefined) {
    const isOptional = `${flags} ${more}`.includes('--if-present');
    return isOptional ? `there is no script "${name}", and \`--if-present\` is content` : undefined;
  }
  if (PLACEHOLDER.test(body)) return `the script "${name}" is npm's placeholder`;
  const inner = whyLineVacuous(body, { scripts, hasPipefail: false, depth: depth + 1 });
  return inner && `the script "${name}": ${inner}`;
}

/** `… || true` and `… ; true`: the exit status that counts is not the check's own. */
function whySwallowed(line: string, place: Place): string | undefined {
  const either = splitTopLevel(line, ['||']);
  const [first = ''] = either;
  const isOne = splitTopLevel(line, ['&&', ';', '\n']).length === 1;
  if (either.length > 1 && isOne && SUCCEEDS.test(first.trim())) {
    return `behind \`${first.trim()} ||\` nothing is run`;
  }
  const last = either.at(-1)?.trim() ?? '';
  if (either.length > 1 && always(last, place)) return `\`|| ${last}\` swallows its exit status`;
  const steps = splitTopLevel(line, [';', '\n']).map((part) => part.trim());
  const end = steps.filter((part) => part !== '').at(-1) ?? '';
  if (isInBackground(line)) return 'it runs in the background, so nobody waits for its result';
  if (steps.length > 1 && SUCCEEDS.test(end)) return `\`; ${end}\` swallows its exit status`;
  if (/^if\s/.test(line) && end === 'fi' && !/\b(?:else|elif)\b/.test(line)) {
    return 'an `if` without `else` succeeds where its condition fails';
  }
  const pipe = splitTopLevel(line.replaceAll('||', '&&'), ['|']).map((part) => part.trim());
  const filter = pipe.at(-1) ?? '';
  if (pipe.length > 1 && !place.hasPipefail && FILTER.test(filter)) {
    return `\`| ${filter}\` hides the result of what stands before it`;
  }
  return undefined;
}

/** A command or a group that cannot fail. */
function always(part: string, place: Place): boolean {
  return SUCCEEDS.test(part) || whyShellVacuous(part, place) !== undefined;
}

/** A single `&` that no `wait` with a name comes back to. */
function isInBackground(line: string): boolean {
  const parts = splitTopLevel(line.replaceAll(/&&|[<>]&|&>/g, '  '), ['&']);
  return parts.length > 1 && !/\bwait\s+\S/.test(parts.at(-1) ?? '');
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
