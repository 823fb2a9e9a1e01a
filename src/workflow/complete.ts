/** Closes a session whose evidence holds for the tree as it is now. */
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { whyStale } from './evidence/verified-tree.ts';
import { takeLease } from './lease.ts';
import type { WorkflowPorts } from './ports.ts';
import { assertExists, openSession, type Snapshot } from './session-dir.ts';
import { printSummary } from './summary.ts';
import { type Decision, decide, refuse } from './transitions.ts';

export interface CompleteRequest {
  readonly id: SessionId;
  readonly signal: AbortSignal;
}

/** Recomputes the tree, under the lease and again under the lock. A refusal or a veto writes nothing. */
export async function complete(ports: WorkflowPorts, request: CompleteRequest): Promise<Decision> {
  const { id, signal } = request;
  const session = openSession(ports, id);
  await assertExists(session);
  const shown = await session.read({ withTree: true });
  const decision = decide(shown.facts, 'complete');
  if (!decision.allowed) return inDetail(ports, decision, shown);

  await using lease = await takeLease(session.folder, ports.leases, 'cc complete');
  const summary = await summarise(ports, shown);
  const before = await ports.hooks.before('complete', id, { summary });
  if (!before.ok) return refuse(before.code, before.message, before.remedy);
  const done = await ports.hooks.before('done', id, { summary });
  if (!done.ok) return refuse(done.code, done.message, done.remedy);
  signal.throwIfAborted();

  const written = await session.transact({
    action: 'complete',
    lease: lease.nonce,
    planHash: shown.planHash,
    withTree: true,
    change: () => ({
      files: { 'summary.md': summary },
      progress: [...(before.notes ?? []), ...(done.notes ?? []), `[complete] ${id}`],
    }),
  });
  if (!written.allowed) return inDetail(ports, written, shown);

  const { stage: from } = shown.facts;
  const stage = { from, to: written.to, action: 'complete' };
  ports.emit({ type: 'workflow.stage.changed', payload: stage });
  ports.emit({ type: 'workflow.session.closed', payload: { ending: 'done' } });
  await ports.hooks.after('complete', id, { summaryFile: 'summary.md' });
  await ports.hooks.after('done', id, { summaryFile: 'summary.md' });
  return written;
}

/** A stale result names what changed. */
async function inDetail(
  ports: WorkflowPorts,
  refused: Extract<Decision, { allowed: false }>,
  { verify }: Snapshot,
): Promise<Decision> {
  const { refusal } = refused;
  if (refusal.code !== 'VERIFICATION_STALE') return refused;
  return refuse(refusal.code, await whyStale(ports, verify), refusal.remedy);
}

async function summarise(ports: WorkflowPorts, shown: Snapshot): Promise<string> {
  const { tree } = await ports.trees.hash();
  const base = shown.mode.baseTree;
  // The base may be gone with the home it was kept in; the rest of the summary is no worse for it.
  const changed = base === undefined ? [] : await ports.trees.diff(base, tree).catch(() => []);
  return printSummary(shown, { changed, at: ports.clock.now().toISOString() });
}
