/** Checks that cannot fail. Pure, and only as clever as it can be sure. */
import { type Idle, isBareExit, unwrap, whyIdle } from './idle-commands.ts';
import {
  readSimple,
  type SimpleCommand,
  splitTopLevel,
  stripComment,
  type Word,
} from './shell-split.ts';

/** Bodies by name, from the package.json of the check's folder. */
export type Scripts = Readonly<Record<string, string>>;

/** Programs that only pass on what they read. */
const FILTER =
  /^(?:cat|tee|tail|head|sed|awk|tr|cut|sort|uniq|wc|nl|less|more|fold|column|ts|tap-[\w-]+|pino-pretty)\b/;
const PLACEHOLDER = /no test specified/i;
const RUN_SCRIPT =
  /^(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?(?<flags>(?:--silent\s+|-s\s+|--if-present\s+)*)(?<name>[\w:.-]+)(?<more>(?:\s+--if-present|\s+--silent|\s+-s)*)(?:\s+--(?<args>\s.*)?)?$/;
const SHORT_FORMS: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };
const MAX_DEPTH = 5;

/** Where a line is run. */
interface Place {
  readonly scripts: Scripts;
  /** The shell takes the result of a pipe from the part that failed, not from the last one. */
  readonly hasPipefail: boolean;
  /** The shell also ends at a command in the middle that fails, or at a name that means nothing. */
  readonly isStrict: boolean;
  readonly depth: number;
}

/**
 * Why a command proves nothing, or `undefined` when it may.
 *
 * @param command One line of shell, for a shell with `pipefail`.
 */
export function whyVacuous(command: string, scripts: Scripts): string | undefined {
  return whyLineVacuous(command, { scripts, hasPipefail: true, isStrict: false, depth: 0 });
}

/** For a shell without `pipefail`: which part of a pipe failed, nobody learns. */
export function hasPipe(command: string): boolean {
  return splitTopLevel(stripComment(command).replaceAll('||', '&&'), ['|']).length > 1;
}

function whyLineVacuous(command: string, outer: Place): string | undefined {
  const line = stripComment(command)
    .trim()
    .replace(/(?<!\\)[;\s]+$/, '');
  if (line === '') return 'it is empty';
  if (outer.depth > MAX_DEPTH || TRAP.test(line)) return undefined;
  const place = { ...outer, isStrict: outer.isStrict || STRICT.test(line) };
  const body = groupBody(line);
  if (body !== undefined) return whyLineVacuous(body, deeper(place));
  const swallowed = whySwallowed(line, place);
  if (swallowed !== undefined) return swallowed;

  const parts = splitTopLevel(line, ['&&', ';', '\n']).map((part) => part.trim());
  const [first = ''] = parts;
  if (parts.length > 1 && /^(?:exit|exec)\s/.test(first) && idleOf(first, place) !== undefined) {
    return `behind \`${first}\` nothing is run`;
  }
  const plain = parts.map((part) => part.replace(KEYWORD, ''));
  const commands = parts.length === 1 ? parts : plain.filter((part) => part !== '');
  const reasons = commands.map((part) => idleOf(part, place)?.reason);
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

/** What a shell does on its way out, or at a failure, may change the result. */
const TRAP = /(?:^|[;&|\n({])\s*trap\s/;
const STRICT = /(?:^|[;&|\n({])\s*set\s[^;&|\n]*(?:-\w*[eu]|errexit|nounset)/;
/** In front of the commands of an `if` or a loop. */
const KEYWORD =
  /^(?:(?:if|then|elif|else|while|until|do)\s+|for\s+\w+\s+in\s[\w\s.-]*$|(?:fi|done)$)/;
const DEFINITION = /^(?:function\s+[\w-]+\s*(?:\(\s*\))?|[\w-]+\s*\(\s*\))\s*(?<body>[({].*[)}])$/s;

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

const GROUP =
  /^(?:\((?!\()(?<sub>.*)\)|\{\s(?<group>.*);?\s*\})(?:\s*\d?(?:>>?|<)\s*\/dev\/null|\s*\d?>&\d)*$/s;
const ARITHMETIC = /^\(\(\s*(?:[1-9]\d*|(?<same>\d+)\s*==\s*\k<same>)\s*\)\)$/;

/** What stands in `(…)` or `{ …; }`. */
function groupBody(line: string): string | undefined {
  const { sub, group } = GROUP.exec(line)?.groups ?? {};
  const body = sub ?? group;
  return body === undefined || !isBalanced(body) ? undefined : body;
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

/** One part of a line that proves nothing; `undefined` when it may. */
function idleOf(part: string, place: Place): Idle | undefined {
  if (part === '') return { reason: 'it is empty', succeeds: true };
  if (ARITHMETIC.test(part)) return { reason: `\`${part}\` cannot fail`, succeeds: true };
  const definition = DEFINITION.exec(part)?.groups?.['body'];
  if (definition !== undefined && isBalanced(definition.slice(1, -1))) {
    return { reason: `\`${part}\` only defines a function`, succeeds: true };
  }
  const body = groupBody(part);
  if (body !== undefined) return asIdle(whyLineVacuous(body, deeper(place)));
  const pipe = splitTopLevel(part, ['||', '|']);
  if (pipe.length > 1) return part.includes('||') ? undefined : idlePipe(part, pipe, place);
  const command = readSimple(part);
  if (command === undefined || (place.isStrict && command.isExpanded)) return undefined;
  const inner = whyInnerVacuous(command, place) ?? whyScriptVacuous(command, place);
  return inner === undefined ? whyIdle(part, command) : asIdle(inner);
}

function asIdle(reason: string | undefined): Idle | undefined {
  return reason === undefined ? undefined : { reason, succeeds: false };
}

function idlePipe(part: string, pipe: readonly string[], place: Place): Idle | undefined {
  const isIdle = (one: string) => /^(?:cat|tee)$/.test(one) || idleOf(one, place) !== undefined;
  const [first = '', ...rest] = pipe.map((one) => one.trim());
  if (idleOf(first, place) === undefined || !rest.every(isIdle)) return undefined;
  return asIdle(`\`${part}\` cannot fail`);
}

const SHELL = /^(?:\S*\/)?(?:ba|da|z|k)?sh$/;

/** `sh -c '…'` and `eval …` are what stands in them. */
function whyInnerVacuous(command: SimpleCommand, place: Place): string | undefined {
  const { words } = unwrap(command.words);
  const [name, ...rest] = words;
  if (name?.text === 'eval' && rest.every(({ isLiteral }) => isLiteral)) {
    return whyLineVacuous(rest.map(({ text }) => text).join(' '), deeper(place));
  }
  if (name === undefined || !SHELL.test(name.text)) return undefined;
  const at = rest.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
  const body = rest[at + 1];
  const options = rest.slice(0, at + 1).map(({ text }) => text);
  if (at === -1 || body?.isLiteral !== true || !options.every(isOption)) return undefined;
  // A shell of its own begins without the options of the one around it.
  const hasPipefail = [...options, body.text].join(' ').includes('pipefail');
  const isStrict = options.some((text) => /^-[a-z]*[eu]|^(?:errexit|nounset)$/.test(text));
  return whyLineVacuous(body.text, { ...deeper(place), hasPipefail, isStrict });
}

function isOption(text: string): boolean {
  return /^(?:-[a-z]+|pipefail|errexit|nounset)$/.test(text);
}

function whyScriptVacuous(command: SimpleCommand, place: Place): string | undefined {
  const { scripts } = place;
  const { words } = unwrap(command.words);
  if (!words.every((word: Word) => word.isLiteral)) return undefined;
  const text = words.map((word) => word.text).join(' ');
  const { name: script, flags = '', more = '', args = '' } = RUN_SCRIPT.exec(text)?.groups ?? {};
  if (script === undefined) return undefined;
  const name = SHORT_FORMS[script] ?? script;
  const body = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (body === undefined) {
    const isOptional = `${flags} ${more}`.includes('--if-present');
    return isOptional ? `there is no script "${name}", and \`--if-present\` is content` : undefined;
  }
  if (PLACEHOLDER.test(body)) return `the script "${name}" is npm's placeholder`;
  const inside = { ...deeper(place), hasPipefail: false, isStrict: false };
  // Run along with it, and able to fail in its place.
  const besides = [`pre${name}`, `post${name}`].flatMap((other) => scripts[other] ?? []);
  if (besides.some((other) => whyLineVacuous(other, inside) === undefined)) return undefined;
  const inner = whyLineVacuous(`${body}${args}`, inside);
  return inner && `the script "${name}": ${inner}`;
}

/** `… || true` and `… ; true`: the exit status that counts is not the check's own. */
function whySwallowed(line: string, place: Place): string | undefined {
  const either = splitTopLevel(line, ['||']);
  const [first = ''] = either;
  const isOne = splitTopLevel(line, ['&&', ';', '\n']).length === 1;
  if (either.length > 1 && isOne && always(first.trim(), place)) {
    return `behind \`${first.trim()} ||\` nothing is run`;
  }
  const last = either.at(-1)?.trim() ?? '';
  if (either.length > 1 && always(last, place)) return `\`|| ${last}\` swallows its exit status`;
  const steps = splitTopLevel(line, [';', '\n']).map((part) => part.trim());
  const end = steps.filter((part) => part !== '').at(-1) ?? '';
  if (isInBackground(line)) return 'it runs in the background, so nobody waits for its result';
  if (steps.length > 1 && !place.isStrict && hides(end, place)) {
    return `\`; ${end}\` swallows its exit status`;
  }
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

/** The last of several commands: its own result is the one that counts, and it says nothing. */
function hides(end: string, place: Place): boolean {
  const parts = splitTopLevel(end, ['&&']).map((part) => part.trim());
  return parts.every((part) => !isBareExit(part) && idleOf(part, place) !== undefined);
}

/** A command or a group that cannot fail. */
function always(part: string, place: Place): boolean {
  if (place.depth > MAX_DEPTH) return false;
  const body = groupBody(part);
  if (body !== undefined) return always(body, deeper(place));
  const parts = splitTopLevel(part, ['&&', ';', '\n']).map((one) => one.trim());
  return parts.every((one) => one === '' || idleOf(one, place)?.succeeds === true);
}

/** A single `&` that no `wait` with a name comes back to. */
function isInBackground(line: string): boolean {
  const parts = splitTopLevel(line.replaceAll(/&&|[<>]&|&>/g, '  '), ['&']);
  return parts.length > 1 && !/\bwait\s+\S/.test(parts.at(-1) ?? '');
}
