/** `summary.md`: what a reviewer wants to know first, what is not proven before what is. Pure. */
import type { TreeChange } from '../kernel/worktree/tree-diff.ts';
import type { CriterionRecord } from './evidence/verify-file.ts';
import type { Snapshot } from './session-dir.ts';

const MAX_FILES = 200;
/** A session without them is closed by its checks alone, and whoever reads the summary should know. */
const NO_CRITERIA = 'no criteria were given; only the checks below speak for this change';
const SIGNS = { added: '+', modified: '~', deleted: '-', 'mode-changed': 'x' } as const;

export interface Closing {
  readonly changed: readonly TreeChange[];
  readonly at: string;
}

export function printSummary(
  {
    id,
    intent,
    plan,
    verify,
    tasks,
  }: Pick<Snapshot, 'id' | 'intent' | 'plan' | 'verify' | 'tasks'>,
  { changed, at }: Closing,
): string {
  const criteria = verify?.criteria ?? [];
  const waived = criteria.filter(({ proof }) => proof === 'waived' || proof === undefined);
  const proven = criteria.filter((criterion) => !waived.includes(criterion));
  const commands = new Map((verify?.checks ?? []).map((check) => [check.id, check.command]));
  const lineOf = (criterion: CriterionRecord) => criterionLine(criterion, commands);
  const shown = changed
    .slice(0, MAX_FILES)
    .map(({ path, status }) => `\`${SIGNS[status]} ${path}\``);
  const more = changed.length - shown.length;
  const checks = (verify?.checks ?? []).map(
    ({ command, status, durationMs }) => `\`${command}\` ${status} (${seconds(durationMs)})`,
  );
  return [
    `# Summary: ${id}`,
    '',
    `**Completed:** ${at}`,
    `**Tree:** ${verify?.treeHash ?? 'unknown'}`,
    '',
    ...section('Goal', [intent.goal]),
    ...section(
      'Not Proven',
      bullets(
        waived.map(lineOf),
        criteria.length === 0 ? NO_CRITERIA : 'every criterion is proven',
      ),
    ),
    ...section('Proven', criteria.length === 0 ? [] : bullets(proven.map(lineOf), 'nothing')),
    ...section('Checks', bullets(checks, 'none')),
    ...section(
      'Left to CI',
      bullets((verify?.deferred ?? []).map(({ command }) => `\`${command}\``)),
    ),
    ...section(
      'Steps',
      bullets((tasks?.tasks ?? []).map(({ title, status }) => `${title}: ${status}`)),
    ),
    ...section('Changed Files', [
      ...bullets(shown, 'none since the first run of this session'),
      ...(more > 0 ? [`- and ${more} more`] : []),
    ]),
    ...section('Changed Outside of the Scope', bullets((verify?.outside ?? []).map(code))),
    ...section('Left Behind by Checks', bullets(verify?.produced ?? [])),
    ...section('Assumptions', bullets(intent.assumptions.map((text) => checked(text, verify)))),
    ...section('Risks', bullets(plan?.risks ?? [])),
    ...section('Open Questions', bullets(intent.openQuestions)),
  ].join('\n');
}

/** @param commands By the id of their check. */
function criterionLine(
  { id, text, proof, reason, by, checks }: CriterionRecord,
  commands: ReadonlyMap<string, string>,
): string {
  const name = text === '' ? id : `${id} ${text}`;
  switch (proof) {
    case 'checks':
      return `${name}: ${checks.map((check) => `\`${commands.get(check) ?? check}\``).join(', ')}`;
    case 'review':
      return `${name}: reviewed by ${by ?? 'a person'}: ${reason ?? ''}`;
    case 'waived':
      return `${name}: waived: ${reason ?? ''}`;
    case undefined:
      return `${name}: not proven`;
  }
}

/** What was assumed of the scope is not repeated as if it had come true. */
function checked(assumption: string, verify: Snapshot['verify']): string {
  const outside = verify?.outside ?? [];
  if (outside.length === 0 || !ABOUT_SCOPE.test(assumption)) return assumption;
  return `${assumption} (not so: ${outside.slice(0, MAX_NAMES).map(code).join(', ')})`;
}

const MAX_NAMES = 5;
const ABOUT_SCOPE = /nothing outside of the scope|范围之外/i;

function code(path: string): string {
  return `\`${path}\``;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

/** @param none Said where there is nothing; without it the section is left out. */
function bullets(items: readonly string[], none?: string): string[] {
  if (items.length === 0) return none === undefined ? [] : [`_(${none})_`];
  return items.map((item) => `- ${item.replaceAll(/\s*\n\s*/g, ' ')}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
