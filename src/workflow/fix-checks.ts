/** The fix loop without a model: what failed is shown, and exactly that is run again. */
import type { CheckRecord } from './evidence/verify-file.ts';
import { checksOf } from './evidence/checks.ts';
import { runChecks } from './evidence/run-checks.ts';
import type { Run, TaskOutcome } from './save-task.ts';

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
  if (!run.request.done && !isChanged) return shown(run, known, tree.hash);

  const extra = known.filter(({ id }) => id.startsWith('extra-')).map(({ command }) => command);
  const checks = checksOf(now.plan, extra).filter(({ command }) =>
    known.some((one) => one.command === command),
  );
  const { folder, id: session } = run.session;
  const { lease: marker, signal, ports } = run;
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
    change: () => ({
      mode: {
        failing: failed.length === 0 ? undefined : failed.map(({ id }) => id),
        shownTree: failed.length === 0 ? undefined : after.hash,
      },
      progress: records.map(({ id, status, summary }) =>
        status === 'passed' ? `[ralph] ${id} fixed` : `[ralph] ${id} still fails: ${summary}`,
      ),
    }),
  });
  if (!saved.allowed) return { kind: 'refused', decision: saved };
  if (failed.length === 0) return { kind: 'completed', title: TITLE };
  return { kind: 'failed', title: TITLE, message: inWords(run, failed), records };
}

async function shown(run: Run, known: readonly CheckRecord[], tree: string): Promise<TaskOutcome> {
  const saved = await run.session.transact({
    action: 'execute',
    lease: run.lease,
    change: () => ({ mode: { shownTree: tree } }),
  });
  if (!saved.allowed) return { kind: 'refused', decision: saved };
  return {
    kind: 'waiting',
    title: TITLE,
    message: `${inWords(run, known)}\nFix this, then \`cc ralph\``,
    checks: known.map(({ command }) => command),
    next: 'cc ralph',
  };
}

function inWords({ session }: Run, records: readonly CheckRecord[]): string {
  const folder = `.chainlesschain/sessions/${session.id}`;
  return records
    .map(({ command, summary, outputFile }) => {
      const where = outputFile === undefined ? '' : `\n  whole output: ${folder}/${outputFile}`;
      return `\`${command}\` failed: ${summary}${where}`;
    })
    .join('\n');
}
