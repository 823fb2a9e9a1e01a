/** Which checks a plan asks for, and what each of them proves. Pure. */
import type { Command, Criterion, Plan } from '../documents/plan-model.ts';
import type { CheckRecord, CriterionRecord } from './verify-file.ts';

const DEFAULT_TIMEOUT_MS = 600_000;

/** One command to run, however often the plan names it. */
export interface Check {
  /** `check-1` for the whole plan, `AC1` or `AC1-2` for a criterion, `<task>-vc0` for a task, `extra-1`. */
  readonly id: string;
  readonly command: string;
  /** Relative to the project. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Left to a run with `--ci`. */
  readonly onlyInCi: boolean;
  /** Tasks whose own check it is. */
  readonly tasks: readonly string[];
  /** Criteria that a line under `## Verification` rests on it. */
  readonly criteria: readonly string[];
  /** Stands under `## Verification` for the whole plan. */
  readonly isPlanWide: boolean;
}

/** A person's yes to a criterion. */
export interface Acceptance {
  readonly criterion: string;
  readonly reason: string;
  readonly by: string;
}

/** Everything the approved plan lists, then what `--check` adds; each command once per folder. */
export function checksOf(plan: Plan, extra: readonly string[] = []): readonly Check[] {
  const found: Check[] = [];
  const add = (check: Omit<Check, 'timeoutMs'> & { readonly timeoutMs?: number | undefined }) => {
    const timeoutMs = check.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const at = found.findIndex((one) => one.command === check.command && one.cwd === check.cwd);
    const same = found[at];
    if (same === undefined) {
      found.push({ ...check, timeoutMs });
      return;
    }
    found[at] = {
      ...same,
      timeoutMs: Math.max(same.timeoutMs, timeoutMs),
      onlyInCi: same.onlyInCi && check.onlyInCi,
      tasks: [...same.tasks, ...check.tasks],
      criteria: [...new Set([...same.criteria, ...check.criteria])],
      isPlanWide: same.isPlanWide || check.isPlanWide,
    };
  };

  const plain = { cwd: '.', tasks: [], criteria: [], isPlanWide: false };
  for (const [index, { command, onlyInCi }] of plan.checks.entries()) {
    add({ ...plain, id: `check-${index + 1}`, command, onlyInCi, isPlanWide: true });
  }
  const counts = new Map<string, number>();
  for (const rule of plan.proofs) {
    if (rule.kind !== 'command') continue;
    const count = (counts.get(rule.criterion) ?? 0) + 1;
    counts.set(rule.criterion, count);
    const id = count === 1 ? rule.criterion : `${rule.criterion}-${count}`;
    const { command, onlyInCi } = rule.command;
    add({ ...plain, id, command, onlyInCi, criteria: [rule.criterion] });
  }
  for (const step of plan.steps) {
    for (const [index, { command, onlyInCi }] of step.verify.entries()) {
      const { cwd = '.', timeoutMs } = step;
      const id = `${step.id}-vc${index}`;
      add({ ...plain, id, command, onlyInCi, cwd, timeoutMs, tasks: [step.id] });
    }
  }
  for (const [index, command] of extra.entries()) {
    add({ ...plain, id: `extra-${index + 1}`, command, onlyInCi: false });
  }
  return found;
}

/** The checks of one task: its own, or the plan's where it has none. */
export function checksOfTask(plan: Plan, taskId: string): readonly Check[] {
  const all = checksOf(plan).filter(({ onlyInCi }) => !onlyInCi);
  const step = plan.steps.find(({ id }) => id === taskId);
  const isOwn = (step?.verify.length ?? 0) > 0;
  return all.filter(({ tasks, isPlanWide }) => (isOwn ? tasks.includes(taskId) : isPlanWide));
}

/** The criteria that each check was run for, by check id: the lines about it, and the steps that name it. */
export function proveCriteria(
  {
    plan,
    criteria,
    checks,
  }: {
    readonly plan: Plan;
    readonly criteria: readonly Criterion[];
    readonly checks: readonly Check[];
  },
  results: readonly CheckRecord[],
  accepted: readonly Acceptance[],
): readonly CriterionRecord[] {
  const isDeferred = (id: string) =>
    checks.some((check) => check.id === id && check.onlyInCi) &&
    !results.some((one) => one.id === id);
  return criteria.map(({ id, text }) => {
    const { ids: all, rule } = basisOf(id, plan, checks);
    // What is left to CI is neither passed nor failed: here the others decide.
    const ids = all.filter((check) => !isDeferred(check));
    const basis = { id, text, checks: [...ids] };
    const acceptance = accepted.find(({ criterion }) => criterion === id);
    if (acceptance !== undefined) {
      return { ...basis, proof: 'review', reason: acceptance.reason, by: acceptance.by };
    }
    if (rule?.kind === 'waived') return { ...basis, proof: 'waived', reason: rule.reason };
    const isProven =
      rule?.kind !== 'review' &&
      ids.length > 0 &&
      ids.every((check) => results.find((one) => one.id === check)?.status === 'passed');
    return isProven ? { ...basis, proof: 'checks' } : basis;
  });
}

/** A line of its own decides; without one, the plan's checks and those of the steps that name it do. */
function basisOf(criterion: string, plan: Plan, checks: readonly Check[]) {
  const rules = plan.proofs.filter((rule) => rule.criterion === criterion);
  const rule = rules.find(({ kind }) => kind !== 'command') ?? rules[0];
  if (rule !== undefined) {
    const own = checks.filter((check) => check.criteria.includes(criterion));
    return { rule, ids: own.map(({ id }) => id) };
  }
  const steps = plan.steps.filter((step) => step.criteria.includes(criterion)).map(({ id }) => id);
  const inherited = checks.filter(
    ({ isPlanWide, tasks }) => isPlanWide || tasks.some((task) => steps.includes(task)),
  );
  return { rule, ids: inherited.map(({ id }) => id) };
}

/** Text of a command as it stands in a plan. */
export function printCommand({ command, onlyInCi }: Pick<Command, 'command' | 'onlyInCi'>): string {
  return onlyInCi ? `${command} (ci)` : command;
}
