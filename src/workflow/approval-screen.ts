/** What a person reads before they say yes. Pure, and rendered from what the hash covers. */
import type { Finding, LiteralAction, Plan, PlanStep } from './documents/plan-model.ts';
import { checksOf, printCommand } from './evidence/checks.ts';
import { findingsOf, inWords } from './session-facts.ts';
import type { Snapshot } from './session-dir.ts';
import { pathsOf } from './tasks/targets.ts';
import { compileTasks } from './tasks/task-graph.ts';
import type { Target } from './tasks/tasks-file.ts';

const SHORT_HASH = 19;
const WHOLE_PROJECT = 'the whole project, except .git and .chainlesschain';

export interface Surroundings {
  readonly targets: readonly Target[];
  /** What each step may write besides its scope, by its id. */
  readonly implied: ReadonlyMap<string, readonly string[]>;
  /** What the plan could never do. */
  readonly doomed: readonly Finding[];
  /** What this very approval adds to the text; empty for nothing. */
  readonly added: string;
  /** What the interview asked, and nobody answered. */
  readonly open: string | undefined;
}

/** Steps with scope, checks, commands and literal targets; what is proven and how; budget and warnings. */
export function renderApproval(
  shown: Pick<Snapshot, 'intent' | 'id'>,
  plan: Plan,
  { targets, implied, doomed, added, open }: Surroundings,
): string {
  const dependencies = new Map(compileTasks(plan).map(({ id, dependsOn }) => [id, dependsOn]));
  const findings = [...findingsOf(plan, shown.intent), ...doomed];
  const warnings = findings.filter(({ level }) => level === 'warning');
  return [
    `Plan of ${shown.id}: ${plan.title === '' ? firstLine(shown.intent.goal) : plan.title}`,
    `Goal: ${firstLine(shown.intent.goal)}`,
    ...(added === '' ? [] : [added]),
    '',
    ...plan.steps.flatMap((step, index) => [
      ...renderStep(step, index + 1, {
        after: dependencies.get(step.id) ?? [],
        also: implied.get(step.id) ?? [],
        inherited: plan.checks.length > 0 ? "the plan's checks" : 'NOTHING CHECKS THIS',
      }),
      ...step.actions.flatMap((action, at) => {
        const own = targets.filter((target) => target.task === step.id && target.action === at);
        return renderAction(action, own);
      }),
    ]),
    '',
    ...renderProofs(plan, shown.intent.criteria),
    ...section('Budget', budgetWords(plan.budget)),
    ...section('Warnings', [...(open === undefined ? [] : [open]), ...warnings.map(inWords)]),
  ].join('\n');
}

interface AroundStep {
  readonly after: readonly string[];
  readonly also: readonly string[];
  /** Said where the step has no check of its own. */
  readonly inherited: string;
}

function renderStep(step: PlanStep, number: number, around: AroundStep): string[] {
  const scope = step.scope.length === 0 ? WHOLE_PROJECT : step.scope.join(', ');
  const checks = step.verify.map(printCommand);
  const rest: readonly (readonly [string, readonly string[]])[] = [
    ['scope', [scope]],
    ['also', around.also],
    ['after', around.after],
    ['checks', checks.length === 0 ? [around.inherited] : checks],
    ['done when', step.doneWhen],
    ['criteria', step.criteria],
    ['may run', step.allow],
    ['network', networkWords(step)],
    ['folder', step.cwd === undefined ? [] : [step.cwd]],
    ['budget', budgetWords(step.budget)],
  ];
  const shown = rest.filter(([, values]) => values.length > 0);
  return [
    `  ${number}. ${step.title} [${step.id}]`,
    ...shown.map(([name, values]) => `     ${name.padEnd(9)} ${values.join(' · ')}`),
    ...indent(step.prose, '     | '),
  ];
}

function renderAction(action: LiteralAction, targets: readonly Target[]): string[] {
  if (action.kind === 'run')
    return ['     runs      literally:', ...indent(action.script, '       $ ')];
  const verb = action.kind === 'file' ? 'writes' : 'patches';
  const lines = targets.map(({ path, hash }) => {
    const state = hash === 'absent' ? 'new' : `now ${hash.slice(0, SHORT_HASH)}`;
    return `     ${verb.padEnd(9)} ${path} (${state})`;
  });
  const body = action.kind === 'file' ? action.content : action.patch;
  const unreadable = action.kind === 'diff' && pathsOf(action).length === 0;
  return [
    ...lines,
    ...(unreadable
      ? [`     patches   nothing: the diff in line ${action.line} cannot be read`]
      : []),
    ...indent(body, '       | '),
  ];
}

function renderProofs(plan: Plan, criteria: Snapshot['intent']['criteria']): string[] {
  const checks = checksOf(plan);
  const planWide = checks.filter(({ isPlanWide }) => isPlanWide).map(printCommand);
  const proofs = criteria.map(({ id, text }) => {
    const rules = plan.proofs.filter(({ criterion }) => criterion === id);
    const steps = plan.steps.filter((step) => step.criteria.includes(id));
    const inherited = planWide.length + steps.flatMap(({ verify }) => verify).length;
    const own = rules.map((rule) => {
      if (rule.kind === 'command') return printCommand(rule.command);
      return rule.kind === 'waived' ? `waived: ${rule.reason}` : 'a review of yours';
    });
    const basis = inherited > 0 ? 'the checks above' : 'NOTHING PROVES THIS';
    return `${id} ${text}: ${own.length > 0 ? own.join(' · ') : basis}`;
  });
  return [
    ...section('Checks of the whole plan', planWide.length > 0 ? planWide : ['none']),
    ...section('Criteria', proofs),
  ];
}

function networkWords({ network }: PlanStep): string[] {
  if (network === false) return [];
  return network === true ? ['every host'] : [...network];
}

function budgetWords({ turns, costUsd, timeMs }: Plan['budget']): string[] {
  return [
    ...(turns === undefined ? [] : [`${turns} turns`]),
    ...(costUsd === undefined ? [] : [`$${costUsd}`]),
    ...(timeMs === undefined ? [] : [`${Math.round(timeMs / 1000)} s`]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`), ''];
}

function indent(text: string, mark: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${mark}${line}`.trimEnd());
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
