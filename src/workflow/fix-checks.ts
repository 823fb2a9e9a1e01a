/** The fix loop without a model: what failed is shown, and exactly that is run again. */
import type { CheckRecord } from './evidence/verify-file.ts';
import { checksOf } from './evidence/checks.ts';
import { failureInWords, wholeOutputs } from './evidence/failure-words.ts';
import { runChecks } from './evidence/run-checks.ts';
import { printNow, type Run, type TaskOutcome } from './save-task.ts';
import type { Snapshot } from './session-dir.ts';

const TITLE = 'The checks that failed';

/** `undefined` when nothing failed. Literal actions are never repeated: a failing check is the person's. */
export async function fixChecks(run: Run): Promise<TaskOutcome | undefined> {
  const now = await run.session.read();
  const failing = now.mode.failing ?? [];
  const known = now.verify?.checks.filter(({ id }) => failing.includes(id)) ?? [];
  if (now.plan === undefined || known.length === 0) return undefined;

  const tree = await run.ports.trees.hash(run.signal);
  const isChanged =
    now.verify?.treeHash !== undefined && tree.hash !== (now.mode.shownTree ?? now.verify.treeHash);
  if (!run.request.done && !isChanged) {
    return shown(run, { known, tree: tree.hash, isAgain: now.mode.shownTree !== undefined });
  }

  const extra = known.filter(({ id }) => id.startsWith('extra-')).map(({ command }) => command);
  const checks = checksOf(now.plan, extra).filter(({ command }) =>
    known.some((one) => one.command === command),
  );
  const { folder, id: session } = run.session;
  const { lease: marker, signal, ports } = run;
  await run.noteStart();
  const { records } = await runChecks(ports, {
    session,
    folder,
    checks,
    marker,
    signal,
    fresh: true,
  });
  if (signal.aborted) return { kind: 'cancelled' };
  const failed = records.filter(({ status }) => status === 'failed');
  const after = await ports.trees.hash(signal);
  const saved = await run.session.transact({
    action: 'execute',
    lease: run.lease,
    change: (now) => ({
      files: failed.length === 0 ? fixedTasks(run, now) : {},
      mode: {
        failing: failed.length === 0 ? undefined : failed.map(({ id }) => id),
        shownTree: failed.length === 0 ? undefined : after.hash,
      },
      progress: records.map((record) =>
        record.status === 'passed'
          ? `[ralph] ${record.id} fixed`
          : `[ralph] ${record.id} still fails: ${failureInWords(record)}`,
      ),
    }),
  });
  if (!saved.allowed) return { kind: 'refused', decision: saved };
  if (failed.length === 0) return { kind: 'completed', title: TITLE };
  return { kind: 'failed', title: TITLE, message: inWords(failed), records, next: 'cc ralph' };
}

/** Steps that were shown are shown anew: the fix is no word about them. */
function fixedTasks(run: Run, now: Snapshot): Record<string, string> {
  const tasks = now.tasks?.tasks ?? [];
  if (tasks.every(({ shownTree }) => shownTree === undefined)) return {};
  return {
    'tasks.json': printNow(
      run,
      now,
      tasks.map(({ shownTree: _, ...task }) => task),
    ),
  };
}

interface Shown {
  readonly known: readonly CheckRecord[];
  readonly tree: string;
  readonly isAgain: boolean;
}

async function shown(run: Run, { known, tree, isAgain }: Shown): Promise<TaskOutcome> {
  const saved = await run.session.transact({
    action: 'execute',
    lease: run.lease,
    change: () => ({ mode: { shownTree: tree } }),
  });
  if (!saved.allowed) return { kind: 'refused', decision: saved };
  return {
    kind: 'waiting',
    title: TITLE,
    message: [
      inWords(known),
      ...wholeOutputs(run.session.id, known),
      `${isAgain ? 'Nothing changed since this was shown: fix it' : 'Fix this'}, then \`cc ralph\`; if it needs no change, \`cc ralph --done\``,
    ].join('\n'),
    checks: known.map(({ command }) => command),
    next: 'cc ralph',
  };
}

function inWords(records: readonly CheckRecord[]): string {
  return records.map((record) => `\`${record.command}\`: ${failureInWords(record)}`).join('\n');
}
