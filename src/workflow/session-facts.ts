/** From what the files say to facts. Pure. */
import type { FrontMatter } from './documents/front-matter.ts';
import { hasGoal } from './documents/goal.ts';
import { lintPlan } from './documents/lint.ts';
import type { Finding, Intent, Plan } from './documents/plan-model.ts';
import { openSlots } from './intake/open-questions.ts';
import type { VerifyFile } from './evidence/verify-file.ts';
import type { Mode } from './mode-file.ts';
import { isSeal, sealOf } from './seal.ts';
import { differenceFrom, nextReady } from './tasks/task-graph.ts';
import type { TasksFile } from './tasks/tasks-file.ts';
import type { Evidence, PlanFacts, SessionFacts } from './transitions.ts';

/** The documents of a session, read and parsed. */
export interface Documents {
  readonly id: string;
  readonly mode: Mode;
  readonly intent: Intent;
  readonly head: FrontMatter | undefined;
  readonly plan: Plan | undefined;
  readonly planHash: string;
  readonly tasks: TasksFile | undefined;
  readonly verify: VerifyFile | undefined;
}

export interface Bindings {
  /** `undefined` while this person has no key: then nothing is theirs. */
  readonly sealKey: Uint8Array | undefined;
  /** Seals of approvals that were given here and hold; see `approval-record.ts`. */
  readonly standing: readonly string[] | 'any';
  /** `undefined` while nobody has looked at the tree. */
  readonly treeHash: string | undefined;
}

export function factsOf(docs: Documents, bindings: Bindings): SessionFacts {
  const { mode, tasks } = docs;
  const findings = docs.plan === undefined ? [] : findingsOf(docs.plan, docs.intent);
  const open = tasks?.tasks.filter(({ status }) => status !== 'completed') ?? [];
  const untold = docs.plan?.steps.length ?? 0;
  const noTasks = tasks === undefined && untold > 0 ? [`${untold} steps without tasks.json`] : [];
  return {
    stage: mode.stage,
    hasGoal: hasGoal(docs.intent),
    openQuestions: openSlots(docs.intent.openQuestions).length,
    plan: planFacts(docs, bindings),
    planErrors: findings.filter(({ level }) => level === 'error').map(inWords),
    evidence: evidenceOf(docs, bindings),
    failing: mode.failing ?? [],
    hasTasks: tasks !== undefined,
    needsPlan: nextReady(tasks?.tasks ?? [])?.needsPlan === true,
    openTasks: [...noTasks, ...open.map(({ title }) => title)],
    retries: mode.retries,
    maxRetries: mode.maxRetries,
  };
}

/** Everything a person should know about a plan, errors first. */
export function findingsOf(plan: Plan, intent: Intent): readonly Finding[] {
  const all = [...plan.findings, ...lintPlan(plan, intent.criteria)];
  return all.toSorted((a, b) => a.level.localeCompare(b.level) || a.line - b.line);
}

/** `plan.md:14: …`, as editors and terminals make clickable. */
export function inWords({ file, line, message }: Finding): string {
  return `${file}:${line}: ${message}`;
}

/** The seal that a plan says it has; whether it is one is another question. */
export function claimedSeal({ head }: Pick<Documents, 'head'>): string | undefined {
  const seal = head?.ok === true ? head.data['seal'] : undefined;
  return typeof seal === 'string' ? seal : undefined;
}

/** What the seal of an approval covers. A copied plan has another id, an older approval another serial. */
export function approvalFacts(
  docs: Pick<Documents, 'id' | 'planHash'>,
  rest: { readonly serial: number; readonly targets: TasksFile['targets'] },
): object {
  return { session: docs.id, planHash: docs.planHash, ...rest };
}

export function verificationFacts(
  docs: Pick<Documents, 'id' | 'planHash' | 'mode'>,
  verify: VerifyFile,
): object {
  const { seal: _, ...content } = verify;
  return {
    session: docs.id,
    planHash: docs.planHash,
    serial: docs.mode.approvalSerial,
    content,
  };
}

/** Only a YAML `true` is a flag, and only a seal makes a flag an approval. */
function planFacts(docs: Documents, { sealKey: key, standing }: Bindings): PlanFacts {
  const { head, plan, planHash, tasks, mode } = docs;
  if (head === undefined || plan === undefined) return { state: 'absent' };
  if (!head.ok) {
    return { state: 'unreadable', detail: `plan.md:${head.line}: ${head.problem}` };
  }
  const { data } = head;
  const at = (name: string) => `plan.md:${head.lineOf(name) ?? 1}`;
  if (data['approved'] !== true) return { state: 'draft', ...flagDetail(data, at) };
  if (typeof data['planHash'] !== 'string' || typeof data['seal'] !== 'string') {
    return { state: 'unrecorded', detail: at('approved') };
  }
  if (data['planHash'] !== planHash) return { state: 'changed', detail: 'plan.md' };
  if (tasks === undefined) return { state: 'changed', detail: 'tasks.json is gone' };
  const difference = differenceFrom(plan, tasks);
  if (difference !== undefined) return { state: 'changed', detail: difference };

  const facts = approvalFacts(docs, { serial: mode.approvalSerial, targets: tasks.targets });
  const isHere = standing === 'any' || standing.includes(data['seal']);
  if (isHere && key !== undefined && isSeal(data['seal'], sealOf(key, 'approval', facts))) {
    return { state: 'approved' };
  }
  const by = typeof data['approvedBy'] === 'string' ? data['approvedBy'] : 'somebody else';
  return { state: 'foreign', detail: by };
}

/** A word that was meant as a yes is named, so that nobody wonders why it does not count. */
function flagDetail(
  data: Readonly<Record<string, unknown>>,
  at: (name: string) => string,
): { detail?: string } {
  const name = Object.keys(data).find((key) => key.toLowerCase() === 'approved');
  if (name === undefined || data[name] === false) return {};
  return {
    detail: `${at(name)}: "${name}: ${String(data[name])}" is no approval, only cc ralplan --approve gives one`,
  };
}

function evidenceOf(docs: Documents, { sealKey, treeHash }: Bindings): Evidence {
  const { verify, tasks } = docs;
  if (verify === undefined) return { status: 'absent' };
  const seal = sealKey && sealOf(sealKey, 'verification', verificationFacts(docs, verify));
  const passed = verify.checks.filter(({ status }) => status === 'passed').length;
  const reviewed = verify.criteria.filter(({ proof }) => proof === 'review').length;
  return {
    status: verify.status,
    unproven: verify.criteria.filter(({ proof }) => proof === undefined).map(({ id }) => id),
    proofs: passed + reviewed,
    failed: verify.checks.length - passed,
    sealed: seal !== undefined && isSeal(verify.seal, seal),
    fresh:
      verify.treeHash !== undefined &&
      verify.treeHash === treeHash &&
      verify.planHash === docs.planHash &&
      sameTasks(verify.tasks, tasks),
  };
}

function sameTasks(seen: VerifyFile['tasks'], now: TasksFile | undefined): boolean {
  const tasks = now?.tasks ?? [];
  if (Object.keys(seen).length !== tasks.length) return false;
  return tasks.every(({ id, status }) => seen[id] === status);
}
