/** Values of a step's keys. Each reader gives what it understood and reports the rest. */
import { commandsOf } from './commands.ts';
import { criterionIdsOf } from './criterion-ids.ts';
import { parseBudget, parseDuration } from './durations.ts';
import type { Findings } from './findings.ts';
import { piecesOf, plainText } from './inline.ts';
import {
  type Budget,
  type Command,
  type Network,
  STEP_KINDS,
  type StepKind,
} from './plan-model.ts';
import { relativePathOf } from './relative-path.ts';

/** One value of a key, as typed, without the key. */
export interface RawValue {
  readonly raw: string;
  readonly line: number;
}

const KIND_WORDS: Readonly<Record<string, StepKind>> = {
  feat: 'feature',
  bug: 'fix',
  bugfix: 'fix',
  doc: 'docs',
  功能: 'feature',
  修复: 'fix',
  重构: 'refactor',
  文档: 'docs',
  杂项: 'chore',
};
const ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;
const ROLE = /^[a-z][a-z0-9-]{0,31}(?:\/[a-z0-9][a-z0-9-]{0,31})?$/i;
const HOST = /^(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}(?::\d{1,5})?$/i;
/** Not the empty list, which is the whole project: what cannot be understood allows nothing. */
const NOWHERE: readonly string[] = ['!**'];
const NO = new Set(['no', 'none', 'false', 'off', '否', '无']);
const YES = new Set(['yes', 'true', 'on', '是']);

/** The value as plain words; backticks around it do not count. */
export function wordsOf(raw: string): string {
  const words = piecesOf(raw).map(({ value }) => value);
  return words.join('').replace(/^ +| +$/g, '');
}

export function readId({ raw, line }: RawValue, findings: Findings): string | undefined {
  const id = wordsOf(raw);
  if (ID.test(id) && !id.includes('..')) return id;
  findings.error('bad-value', line, `'${id}' is no id; use letters, digits, dot, dash, underscore`);
  return undefined;
}

export function readKind({ raw, line }: RawValue, findings: Findings): StepKind | undefined {
  const word = wordsOf(raw).toLowerCase();
  const kind = STEP_KINDS.find((known) => known === word) ?? KIND_WORDS[word];
  if (kind !== undefined) return kind;
  const known = STEP_KINDS.join(', ');
  findings.error('bad-value', line, `'${word}' is no kind of step; the kinds are ${known}`);
  return undefined;
}

/** With its lane. */
export function readRole({ raw, line }: RawValue, findings: Findings): string | undefined {
  const role = wordsOf(raw);
  if (ROLE.test(role)) return role.includes('/') ? role : `${role}/main`;
  findings.error('bad-value', line, `'${role}' is no role; write one like executor/main`);
  return undefined;
}

export function readScope({ raw, line }: RawValue, findings: Findings): readonly string[] {
  const entries = piecesOf(raw).flatMap(({ kind, value }) =>
    kind === 'code' ? [value.trim()] : splitPaths(value, line, findings),
  );
  const named = entries.filter((entry) => entry !== '');
  const understood = named.flatMap((entry) => {
    if (entry === '.' || entry === './') return ['**'];
    const path = relativePathOf(entry);
    if (path.ok) return [path.path];
    findings.error('bad-value', line, `The scope '${entry}' ${path.problem}; it names nothing`);
    return [];
  });
  if (understood.length > 0) return understood;
  if (named.length === 0)
    findings.error('bad-value', line, 'The scope names nothing; write paths or globs');
  return NOWHERE;
}

export function readCwd({ raw, line }: RawValue, findings: Findings): string | undefined {
  const folder = wordsOf(raw);
  if (folder === '.' || folder === './') return undefined;
  const path = relativePathOf(folder);
  if (path.ok) return path.path.replace(/\/$/, '');
  findings.error('bad-value', line, `The folder '${folder}' ${path.problem}`);
  return undefined;
}

/** `undefined` when there is no command, or words that are none as well: then the line also stays prose. */
export function readCommands(
  { raw, line }: RawValue,
  findings: Findings,
): { readonly commands: readonly Command[]; readonly isWhole: boolean } {
  const { commands, hasRemark } = commandsOf(raw, line);
  if (commands.length === 0) {
    const message = `'${plainText(raw).slice(0, 60)}' is not read as a command; put it in backticks`;
    findings.warn('not-a-command', line, message);
  }
  return { commands, isWhole: commands.length > 0 && !hasRemark };
}

/** `undefined` when these are words and no ids. */
export function readCriteria({ raw, line }: RawValue, findings: Findings) {
  const ids = criterionIdsOf(wordsOf(raw));
  if (ids !== undefined) return ids;
  const message = `'${plainText(raw).slice(0, 60)}' names no criterion (AC1, AC2); read as 'done when'`;
  findings.warn('not-a-criterion', line, message);
  return undefined;
}

export function readNetwork({ raw, line }: RawValue, findings: Findings): Network | undefined {
  const words = wordsOf(raw).toLowerCase();
  if (NO.has(words)) return false;
  if (YES.has(words)) return true;
  const hosts = words.split(/[,，、;； ]+/).filter((host) => host !== '');
  const isHost = (host: string) => HOST.test(host) && (/[.:]/.test(host) || host === 'localhost');
  if (hosts.length > 0 && hosts.every(isHost)) return hosts;
  findings.error('bad-value', line, `'${words}' is no network; write no, yes, or names of hosts`);
  return undefined;
}

export function readTimeout({ raw, line }: RawValue, findings: Findings): number | undefined {
  const words = wordsOf(raw);
  const timeoutMs = parseDuration(words);
  if (timeoutMs !== undefined) return timeoutMs;
  findings.error('bad-value', line, `'${words}' is no length of time; write one like 90s, 10m, 1h`);
  return undefined;
}

export function readBudget({ raw, line }: RawValue, findings: Findings): Budget | undefined {
  const words = wordsOf(raw);
  const budget = parseBudget(words);
  if (budget !== undefined) return budget;
  const example = 'turns 40, cost $2, time 30m';
  findings.error('bad-value', line, `'${words}' is no budget; write one like ${example}`);
  return undefined;
}

function splitPaths(text: string, line: number, findings: Findings): readonly string[] {
  const entries = splitOutsideBraces(text).map((entry) => entry.trim());
  for (const entry of entries.filter((path) => path.includes(' '))) {
    const message = `'${entry}' is read as one path; separate paths with commas, or put it in backticks`;
    findings.warn('ambiguous-scope', line, message);
  }
  return entries;
}

/** At commas, but not at those of `{a,b}`. */
function splitOutsideBraces(text: string): readonly string[] {
  const entries: string[] = [];
  let depth = 0;
  let entry = '';
  for (const sign of text) {
    if (sign === '{') depth++;
    if (sign === '}') depth = Math.max(0, depth - 1);
    if (depth === 0 && /[,，、;；]/.test(sign)) {
      entries.push(entry);
      entry = '';
    } else entry += sign;
  }
  return [...entries, entry];
}
