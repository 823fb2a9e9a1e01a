/** The section that says how a plan is proven. */
import type { Block, ListItem } from './block-model.ts';
import { commandsOf } from './commands.ts';
import { namedCriterion } from './criterion-ids.ts';
import type { Findings } from './findings.ts';
import { plainText } from './inline.ts';
import { isList, leadOf } from './markdown.ts';
import type { Command, ProofRule } from './plan-model.ts';
import type { SourceText } from './source-text.ts';

export interface Verification {
  readonly checks: readonly Command[];
  readonly proofs: readonly ProofRule[];
}

interface Reading {
  readonly source: SourceText;
  readonly findings: Findings;
  readonly checks: Command[];
  readonly proofs: ProofRule[];
}

const REVIEW = /^(?:review|reviewed|manual review|评审|人工评审)\.?$/i;
const WAIVED = /^(?:waived|豁免)[ ]*(?:[:：—–-][ ]*|$)(?<reason>.*)$/i;

/** Bullets that begin with a command are checks; behind `AC1:` they are that criterion's. The rest is prose. */
export function readVerification(
  blocks: readonly Block[],
  source: SourceText,
  findings: Findings,
): Verification {
  const reading: Reading = { source, findings, checks: [], proofs: [] };
  for (const block of blocks) {
    const line = source.lineOf(block.start);
    if (isList(block)) {
      for (const item of block.children) readItem(item, [], reading);
    } else if (block.type === 'code') {
      findings.warn(
        'not-a-command',
        line,
        'A block of code is no check; write `- ` and the command in backticks',
      );
    } else if (block.type === 'paragraph') {
      const { commands, looksLikeCommand } = commandsOf(block.raw, line);
      if (commands.length > 0 || looksLikeCommand) warnNotRun(block.raw, line, findings);
    }
  }
  return { checks: reading.checks, proofs: reading.proofs };
}

function readItem(item: ListItem, above: readonly string[], reading: Reading): void {
  const { source, findings } = reading;
  const line = source.lineOf(item.start);
  const { raw, rest: below } = leadOf(item);
  const { ids, text } = criteriaOf(raw, above);
  const words = plainText(text);
  const { commands, looksLikeCommand } = commandsOf(text, line);

  if (commands.length > 0) addCommands(ids, commands, reading);
  else if (ids.length === 0) {
    if (looksLikeCommand) warnNotRun(text, line, findings);
  } else if (REVIEW.test(words)) {
    reading.proofs.push(...ids.map((criterion) => ({ kind: 'review' as const, criterion, line })));
  } else if (WAIVED.test(words)) addWaiver({ ids, words, line }, reading);
  else if (words !== '') warnNotRun(text, line, findings);

  for (const block of below) {
    if (!isList(block)) continue;
    for (const nested of block.children) readItem(nested, words === '' ? ids : [], reading);
  }
}

/** `AC1, AC2: …` is for both. */
function criteriaOf(raw: string, above: readonly string[]) {
  const ids: string[] = [];
  let text = raw;
  for (;;) {
    const listed = /^AC[-_ ]?0*(\d{1,6})[ \t]*[,，、&][ \t]*(?=AC)/i.exec(text);
    if (listed === null) break;
    ids.push(`AC${listed[1]}`);
    text = text.slice(listed[0].length);
  }
  const named = namedCriterion(text);
  if (named === undefined) return { ids: above, text: raw };
  return { ids: [...ids, named.id], text: named.rest };
}

function addCommands(
  ids: readonly string[],
  commands: readonly Command[],
  { checks, proofs }: Reading,
): void {
  if (ids.length === 0) checks.push(...commands);
  for (const criterion of ids) {
    for (const command of commands) proofs.push({ kind: 'command', criterion, command });
  }
}

function addWaiver(
  line: { readonly ids: readonly string[]; readonly words: string; readonly line: number },
  { proofs, findings }: Reading,
): void {
  const reason = WAIVED.exec(line.words)?.groups?.['reason'] ?? '';
  for (const criterion of line.ids) {
    if (reason === '') {
      const message = `${criterion} is waived without a reason; write '${criterion}: waived: why'`;
      findings.error('waiver-without-reason', line.line, message);
    } else proofs.push({ kind: 'waived', criterion, reason, line: line.line });
  }
}

function warnNotRun(raw: string, line: number, findings: Findings): void {
  const message = `'${plainText(raw).slice(0, 60)}' is not run; begin the line with '- ' and put the command in backticks`;
  findings.warn('not-a-command', line, message);
}
