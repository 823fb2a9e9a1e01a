/** The listed checks at any stage, without a session file: for a machine that only judges. */
import { CcError } from '../kernel/base/errors.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import type { CiReport } from './evidence/ci-report.ts';
import { checksOf, proveCriteria } from './evidence/checks.ts';
import { settleTree } from './evidence/settle-tree.ts';
import type { WorkflowPorts } from './ports.ts';
import { assertExists, openSession } from './session-dir.ts';

export interface CiRequest {
  readonly id: SessionId;
  readonly checks: readonly string[];
  readonly fresh: boolean;
  readonly signal: AbortSignal;
}

/**
 * Runs the deferred checks too. Typing `--ci` is consent to run what the plan lists, like `npm test`.
 *
 * @throws {CcError} `PLAN_REQUIRED` when there is no plan.
 */
export async function verifyInCi(ports: WorkflowPorts, request: CiRequest): Promise<CiReport> {
  const { id: session, signal } = request;
  const dir = openSession(ports, session);
  await assertExists(dir);
  const { plan, intent, planHash } = await dir.read();
  if (plan === undefined) {
    throw new CcError('PLAN_REQUIRED', 'There is no plan.md', {
      hint: `cc ralplan --session ${session}`,
    });
  }
  const checks = checksOf(plan, request.checks);
  const marker = ports.leases.locks.self().nonce;
  const run = { session, folder: undefined, checks, marker, signal, fresh: request.fresh };
  const settled = await settleTree(ports, run);
  signal.throwIfAborted();
  const { records, mutated } = settled;
  const criteria = proveCriteria({ plan, criteria: intent.criteria, checks }, records, []);
  const failed = records.some(({ status }) => status === 'failed');
  const reviews = plan.proofs.flatMap((rule) => (rule.kind === 'review' ? [rule.criterion] : []));
  const isProven = criteria.every(({ id, proof }) => proof !== undefined || reviews.includes(id));
  const passed = records.length > 0 && !failed && isProven && mutated.length === 0;
  return {
    session,
    planHash,
    treeHash: settled.tree.hash,
    passed,
    checks: records,
    criteria,
    reviews,
    mutated,
  };
}
