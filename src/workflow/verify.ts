/** Runs what the approved plan lists, binds the result to the tree, and says what it proves. */
import { CcError } from '../kernel/base/errors.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import type { Plan } from './documents/plan-model.ts';
import { type Acceptance, type Check, checksOf, proveCriteria } from './evidence/checks.ts';
import { failureInWords } from './evidence/failure-words.ts';
import { outsideScope } from './evidence/outside-scope.ts';
import type { CheckRun } from './evidence/run-checks.ts';
import { type SettledTree, settleTree } from './evidence/settle-tree.ts';
import { keepVerified } from './evidence/verified-tree.ts';
import {
  type CheckRecord,
  type CriterionRecord,
  printVerify,
  type VerifyFile,
} from './evidence/verify-file.ts';
import { takeLease } from './lease.ts';
import type { AskConsent, WorkflowPorts } from './ports.ts';
import {
  assertExists,
  type Change,
  openSession,
  sealVerification,
  type Snapshot,
} from './session-dir.ts';
import { afterVerify, type Decision, decide, refuse } from './transitions.ts';

export interface VerifyRequest {
  readonly id: SessionId;
  /** Commands besides the approved ones. */
  readonly checks: readonly string[];
  /** Only what failed the last time; what passed then and whose tree is the same stands. */
  readonly onlyFailed: boolean;
  /** Run even what passed on this very tree. */
  readonly fresh: boolean;
  /** A person's yes to criteria, given with this call. */
  readonly accept: readonly Acceptance[];
  /** Asked once, when somebody else approved the plan: its commands are about to run here. */
  readonly ask: AskConsent;
  readonly signal: AbortSignal;
}

export type Verification =
  | Extract<Decision, { allowed: false }>
  | {
      readonly allowed: true;
      readonly to: Extract<Decision, { allowed: true }>['to'];
      readonly verify: VerifyFile;
      /** Files that the checks changed although they are tracked, after one rerun. */
      readonly mutated: readonly string[];
    };

/** Passes only when every check passed, every criterion is proven and every task is completed. */
export async function verify(ports: WorkflowPorts, request: VerifyRequest): Promise<Verification> {
  const session = openSession(ports, request.id);
  await assertExists(session);
  const shown = await session.read();
  const decision = decide(shown.facts, 'verify');
  if (!decision.allowed) return decision;
  if (!hasPlan(shown)) return refuse('PLAN_REQUIRED', 'There is no plan.md', 'cc ralplan');
  assertCriteria(shown, request.accept);

  const checks = checksOf(shown.plan, request.checks);
  if (shown.facts.plan.state === 'foreign') {
    const consent = await request.ask(foreignChecks(shown, checks));
    if (!consent.given) return { allowed: false, refusal: consent.refusal };
  }
  const listed = checks.map(({ id, command }) => ({ id, command }));
  const verdict = await ports.hooks.before('verify', request.id, {
    checks: listed,
    source: 'plan',
  });
  if (!verdict.ok) return refuse(verdict.code, verdict.message, verdict.remedy);

  await using lease = await takeLease(session.folder, ports.leases, 'cc verify');
  const signal = AbortSignal.any([request.signal, lease.lost]);
  const run = { session: request.id, folder: session.folder, marker: lease.nonce, signal };
  const local = checks.filter(({ onlyInCi }) => !onlyInCi);
  const standing = request.onlyFailed ? await standingRecords(ports, shown, local) : [];
  const wanted = { ...run, checks: local, fresh: request.fresh };
  const settled = await settleBeside(ports, { standing, on: shown.verify?.treeHash }, wanted);
  signal.throwIfAborted();
  const outside = await changedOutside(ports, shown, settled);
  await keepVerified(ports, settled.tree.tree, request.id);

  let result: VerifyFile | undefined;
  const written = await session.transact({
    action: 'verify',
    lease: lease.nonce,
    planHash: shown.planHash,
    change(now) {
      const at = ports.clock.now().toISOString();
      result = sealVerification(now, compose(now, { request, checks, settled, outside, at }));
      return outcome(now, result, verdict.notes);
    },
  });
  if (!written.allowed || result === undefined)
    return written as Extract<typeof written, { allowed: false }>;

  emitOutcome(ports, result, { from: shown.facts.stage, to: written.to });
  const { status, nextAction } = result;
  const fixLoopState = { stage: written.to };
  const payload = { status, checks: result.checks, source: 'plan', nextAction, fixLoopState };
  await ports.hooks.after('verify', request.id, payload);
  return { allowed: true, to: written.to, verify: result, mutated: settled.mutated };
}

type Planned = Snapshot & { readonly plan: Plan };

function hasPlan(shown: Snapshot): shown is Planned {
  return shown.plan !== undefined;
}

/** What passed the last time and still says something: this person's own evidence, of the tree as it is. */
async function standingRecords(
  ports: WorkflowPorts,
  shown: Snapshot,
  checks: readonly Check[],
): Promise<readonly CheckRecord[]> {
  const last = shown.verify;
  if (last === undefined || !isOwn(shown)) return [];
  if ((await ports.trees.hash()).hash !== last.treeHash) return [];
  return last.checks.filter(
    ({ id, command, status }) =>
      status === 'passed' && checks.some((check) => check.id === id && check.command === command),
  );
}

/** Runs what does not stand. On another tree than theirs the others do not stand either, and everything runs. */
async function settleBeside(
  ports: WorkflowPorts,
  { standing, on }: { readonly standing: readonly CheckRecord[]; readonly on: string | undefined },
  run: CheckRun,
): Promise<SettledTree> {
  const isStanding = ({ id }: Check) => standing.some((record) => record.id === id);
  const left = run.checks.filter((check) => !isStanding(check));
  // Nothing to rerun: the person wants to see it all again.
  if (standing.length === 0 || left.length === 0) return settleTree(ports, run);
  const settled = await settleTree(ports, { ...run, checks: left });
  if (settled.tree.hash !== on) return settleTree(ports, run);
  const known = [...standing, ...settled.records];
  const records = run.checks.flatMap(({ id }) => known.filter((record) => record.id === id));
  return { ...settled, records };
}

/** @throws {CcError} `REQUEST_INVALID` when a criterion is accepted that the intent does not have. */
function assertCriteria({ intent }: Snapshot, accept: readonly Acceptance[]): void {
  const known = intent.criteria.map(({ id }) => id);
  const unknown = accept.find(({ criterion }) => !known.includes(criterion));
  if (unknown === undefined) return;
  const list = known.length === 0 ? 'none' : known.join(', ');
  const message = `There is no criterion ${unknown.criterion}; intent.md has ${list}`;
  throw new CcError('REQUEST_INVALID', message, { hint: 'cc session show' });
}

function foreignChecks({ planHash, facts }: Snapshot, checks: readonly Check[]) {
  const by = facts.plan.detail ?? 'somebody else';
  const lines = checks.map(({ command }) => `  ${command}`);
  return { text: [`${by} approved this plan. It runs here:`, ...lines].join('\n'), hash: planHash };
}

/** What checks left behind is told as such. */
async function changedOutside(
  { trees, root }: WorkflowPorts,
  { plan, mode }: Snapshot,
  { tree, produced }: SettledTree,
): Promise<readonly string[]> {
  // The base may be gone with the home it was kept in; the checks are no worse for it.
  const base = mode.baseTree;
  const changes = base === undefined ? [] : await trees.diff(base, tree.tree).catch(() => []);
  const paths = changes.map(({ path }) => path).filter((path) => !produced.includes(path));
  return outsideScope(root, plan, paths);
}

interface Findings {
  readonly request: VerifyRequest;
  readonly checks: readonly Check[];
  readonly settled: SettledTree;
  readonly outside: readonly string[];
  readonly at: string;
}

function compose(now: Snapshot, { request, checks, settled, outside, at }: Findings): VerifyFile {
  const { plan, intent, tasks, planHash, verify: last } = now;
  const { hash: treeHash } = settled.tree;
  const { records } = settled;
  const earlier = isOwn(now) && last?.treeHash === treeHash ? acceptancesOf(last) : [];
  const accepted = [...request.accept, ...earlier];
  const criteria =
    plan === undefined
      ? []
      : proveCriteria({ plan, criteria: intent.criteria, checks }, records, accepted);
  const statuses = Object.fromEntries((tasks?.tasks ?? []).map(({ id, status }) => [id, status]));
  const status = statusOf({
    records,
    criteria,
    mutated: settled.mutated,
    openTasks: now.facts.openTasks,
  });
  return {
    sessionId: now.id,
    status,
    checks: [...records],
    criteria: [...criteria],
    deferred: checks.filter(({ onlyInCi }) => onlyInCi).map(({ id, command }) => ({ id, command })),
    tasks: statuses,
    planHash,
    treeHash,
    tree: settled.tree.tree,
    produced: [...settled.produced],
    outside: [...outside],
    nextAction: status === 'passed' ? 'complete' : 'fix-loop',
    updatedAt: at,
  };
}

/** Evidence that this person's `cc` wrote: only that may be built upon. */
function isOwn({ facts }: Snapshot): boolean {
  return facts.evidence.status !== 'absent' && facts.evidence.sealed;
}

function acceptancesOf({ criteria }: VerifyFile): readonly Acceptance[] {
  return criteria
    .filter(({ proof }) => proof === 'review')
    .map(({ id, reason, by }) => ({ criterion: id, reason: reason ?? '', by: by ?? '' }));
}

/** Zero failures is not a pass: something must have been proven, and nothing may be open. */
function statusOf(seen: {
  readonly records: readonly CheckRecord[];
  readonly criteria: readonly CriterionRecord[];
  readonly mutated: readonly string[];
  readonly openTasks: readonly string[];
}): VerifyFile['status'] {
  const passed = seen.records.filter(({ status }) => status === 'passed').length;
  const failed = seen.records.length - passed;
  const reviewed = seen.criteria.some(({ proof }) => proof === 'review');
  const isProven = seen.criteria.every(({ proof }) => proof !== undefined);
  const proofs = passed + (reviewed ? 1 : 0);
  if (failed > 0 || seen.mutated.length > 0) return 'failed';
  return proofs > 0 && isProven && seen.openTasks.length === 0 ? 'passed' : 'partial';
}

/** Stage, counter and lines that follow from a result. */
function outcome(now: Snapshot, result: VerifyFile, notes: readonly string[] = []): Change {
  const failed = result.checks.filter(({ status }) => status === 'failed');
  const passed = result.status === 'passed';
  const counts =
    now.mode.executorChanged === true && failed.some(({ reason }) => !EXCUSED.has(reason ?? ''));
  const { stage, retries } = afterVerify(now.facts, { passed, counts });
  const { maxRetries } = now.facts;
  const failureReason =
    stage === 'failed' ? `fix-loop exceeded maxRetries=${maxRetries}` : undefined;
  return {
    stage,
    files: { 'verify.json': printVerify(result) },
    mode: {
      retries,
      failureReason,
      failing: failed.map(({ id }) => id),
      shownTree: undefined,
      executorChanged: false,
    },
    progress: [
      ...notes,
      ...result.checks.map((check) =>
        check.status === 'passed'
          ? `[verify] ${check.id} passed`
          : `[verify] ${check.id} failed: ${failureInWords(check)}`,
      ),
    ],
  };
}

/** Not the executor's doing: the machine was slow, or a program is missing. */
const EXCUSED = new Set(['timeout', 'not-found', 'not-executable', 'cancelled', 'vacuous']);

function emitOutcome(
  ports: WorkflowPorts,
  result: VerifyFile,
  {
    from,
    to,
  }: { readonly from: Snapshot['facts']['stage']; readonly to: Snapshot['facts']['stage'] },
): void {
  const { status, checks, criteria, treeHash = '', produced } = result;
  const passed = checks.filter((check) => check.status === 'passed').length;
  const unproven = criteria.filter(({ proof }) => proof === undefined).map(({ id }) => id);
  const counts = { passed, failed: checks.length - passed };
  ports.emit({
    type: 'workflow.verify.completed',
    payload: { status, ...counts, unproven, treeHash, produced },
  });
  if (from !== to) {
    ports.emit({ type: 'workflow.stage.changed', payload: { from, to, action: 'verify' } });
  }
}
