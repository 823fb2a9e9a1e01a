/** Runs a list of checks on one tree: receipts reused, every start with its end, the tree watched. */
import { childEnv } from '../../kernel/base/child-env.ts';
import type { TreeId } from '../../kernel/worktree/private-store.ts';
import type { WorkflowPorts } from '../ports.ts';
import { type CheckPorts, runCheck } from './check-runner.ts';
import type { Check } from './checks.ts';
import { receiptKey } from './receipts.ts';
import type { CheckRecord } from './verify-file.ts';

export interface CheckRun {
  readonly session: string;
  /** The session's folder; `undefined` keeps no output in a file. */
  readonly folder: string | undefined;
  readonly checks: readonly Check[];
  readonly marker: string;
  readonly signal: AbortSignal;
  /** Run even what passed on this very tree. */
  readonly fresh: boolean;
}

export interface CheckedTree {
  readonly records: readonly CheckRecord[];
  readonly before: TreeId;
  readonly after: TreeId;
}

/** In order, one at a time. Stops early only when the signal says so. */
export async function runChecks(ports: WorkflowPorts, run: CheckRun): Promise<CheckedTree> {
  const before = await ports.trees.hash(run.signal);
  let tree = before;
  const records: CheckRecord[] = [];
  for (const check of run.checks) {
    run.signal.throwIfAborted();
    const { id: checkId, command } = check;
    ports.emit({ type: 'workflow.check.started', payload: { checkId, command } });
    const known = run.fresh ? undefined : await findReceipt(ports, run, { check, tree });
    const record = known ?? (await runCheck(check, checkPorts(ports, run)));
    emitCompleted(ports, record, known !== undefined);
    records.push(record);
    if (known !== undefined) continue;
    const then = await ports.trees.hash(run.signal);
    // Only a check that left its tree alone says something about that tree.
    if (record.status === 'passed' && then.hash === tree.hash) {
      await saveReceipt(ports, run, { check, tree, record });
    }
    tree = then;
  }
  return { records, before, after: tree };
}

function emitCompleted(ports: WorkflowPorts, record: CheckRecord, reused: boolean): void {
  const { id: checkId, command, status, reason, exitCode, durationMs, summary } = record;
  const { outputFile } = record;
  ports.emit({
    type: 'workflow.check.completed',
    payload: {
      checkId,
      command,
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(exitCode === undefined ? {} : { exitCode }),
      durationMs,
      summary,
      ...(outputFile === undefined ? {} : { outputFile }),
      reused,
    },
  });
}

function checkPorts(ports: WorkflowPorts, run: CheckRun): CheckPorts {
  const { root, files, clock, env } = ports;
  return { root, files, clock, env, folder: run.folder, marker: run.marker, signal: run.signal };
}

interface OnTree {
  readonly check: Check;
  readonly tree: TreeId;
}

async function findReceipt(
  ports: WorkflowPorts,
  run: CheckRun,
  { check, tree }: OnTree,
): Promise<CheckRecord | undefined> {
  const receipt = await ports.receipts.find(run.session, keyOf(ports, check, tree));
  if (receipt === undefined) return undefined;
  const { durationMs, summary, outputFile, at } = receipt;
  const { id, command } = check;
  return {
    id,
    command,
    status: 'passed',
    durationMs,
    summary,
    ...(outputFile === undefined ? {} : { outputFile }),
    exitCode: 0,
    reused: true,
    ranAt: at,
  };
}

async function saveReceipt(
  ports: WorkflowPorts,
  run: CheckRun,
  { check, tree, record }: OnTree & { readonly record: CheckRecord },
): Promise<void> {
  const { durationMs, summary, outputFile } = record;
  const key = keyOf(ports, check, tree);
  const at = ports.clock.now().toISOString();
  await ports.receipts.save(run.session, {
    key,
    at,
    durationMs,
    summary,
    ...(outputFile === undefined ? {} : { outputFile }),
  });
}

function keyOf(ports: WorkflowPorts, { command, cwd }: Check, { hash: treeHash }: TreeId): string {
  // The marker differs from run to run and is left out of the key, so any will do.
  return receiptKey({ command, cwd, env: childEnv(ports.env, { marker: '' }), treeHash });
}
