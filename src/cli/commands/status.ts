import type { SessionId } from '../../kernel/protocol/vocabulary.ts';
import { openSessionIds } from '../../workflow/pick-session.ts';
import { readStatus } from '../../workflow/session-status.ts';
import { NEW_SESSION } from '../../workflow/transitions.ts';
import { type Call, defineCommand } from '../command.ts';
import { flag } from '../options.ts';
import type { Said } from '../output.ts';
import { type ReadableStatus, screenOf, valueOf } from '../status-screen.ts';

const MAX_OPEN = 10;

const options = { watch: flag('Show it again whenever a file of the session changes') };
type StatusCall = Call<typeof options>;

export const command = defineCommand({
  name: 'status',
  about: 'Where the session stands: its goal, plan, steps and checks, and the command that is due.',
  options,

  async run(call) {
    const { args, host, out } = call;
    const found = await host.findSession();
    if (found === undefined) return out.done(await withoutSession(call));
    await host.assertThere(found.id);
    if (args.watch) return watch(call, found.id);
    const shown = await read(call, found.id);
    return shown.ok ? out.done(shown.said) : out.fail(shown.problem, found.id);
  },
});

type Shown =
  | { readonly ok: true; readonly said: Said }
  | { readonly ok: false; readonly problem: Error };

async function read({ host }: StatusCall, id: SessionId): Promise<Shown> {
  const status = await readStatus(host.status, id);
  if (!status.ok) return status;
  const lines = [...screenOf(status), ...(await branchOf(status, host))];
  const next = await dueAfter(status, id, host);
  return { ok: true, said: { value: valueOf(status), text: lines.join('\n'), next } };
}

async function dueAfter({ next }: ReadableStatus, id: SessionId, host: StatusCall['host']) {
  if (next !== undefined) return host.propose(next, id);
  const { commandAfterEnd } = await import('../host/after-end.ts');
  return commandAfterEnd(host, id);
}

/** Its branch, when that is not the one that is checked out. */
async function branchOf(status: ReadableStatus, host: StatusCall['host']): Promise<string[]> {
  const { branch } = status.documents.mode;
  const { readHead } = await import('../../kernel/worktree/git.ts');
  const here = await readHead(host.root);
  const isElsewhere = typeof branch === 'string' && here.branch !== branch;
  const now = here.branch === undefined ? 'no branch is checked out now' : `this is ${here.branch}`;
  return isElsewhere ? [`branch: last worked on in ${branch}; ${now}`] : [];
}

async function withoutSession({ host }: StatusCall): Promise<Said> {
  const { root } = host;
  const open = await openSessionIds(root);
  const value = { session: undefined, project: root, open };
  if (open.length === 0) return { value, text: `No open session in ${root}`, next: NEW_SESSION };
  const rows: string[] = [];
  for (const id of open.slice(0, MAX_OPEN)) {
    const status = await readStatus(host.status, id);
    const goal = status.ok ? (status.documents.intent.goal.split('\n', 1)[0] ?? '') : '';
    rows.push(status.ok ? `  ${id}: ${status.facts.stage}  ${goal}`.trimEnd() : `  ${id}: damaged`);
  }
  const more = open.length > MAX_OPEN ? [`  … and ${open.length - MAX_OPEN} more`] : [];
  const head = `${open.length} sessions are open in ${root}, and none is chosen`;
  const text = [head, ...rows, ...more].join('\n');
  return { value, text, next: `cc session use ${open[0] ?? ''}` };
}

/** Looking must not end because a file is damaged for a moment: an editor may be writing it. */
async function watch(call: StatusCall, id: SessionId): Promise<number> {
  const { host, out } = call;
  const { refuseJson, watchSession } = await import('../watch-session.ts');
  refuseJson(host, 'cc status --json');
  let last = '';
  return watchSession(host, id, async () => {
    const shown = await read(call, id);
    const now = shown.ok ? `${shown.said.text}\n${shown.said.next ?? ''}` : shown.problem.message;
    if (now === last) return;
    if (last !== '') host.io.stdout(`\n`);
    last = now;
    if (shown.ok) out.done(shown.said);
    else out.fail(shown.problem, id);
  });
}
