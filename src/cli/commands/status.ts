import type { SessionId } from '../../kernel/protocol/vocabulary.ts';
import { readStatus, type SessionStatus } from '../../workflow/session-status.ts';
import { type Call, defineCommand } from '../command.ts';
import { flag } from '../options.ts';

const options = { watch: flag('Show it again whenever a file of the session changes') };
type StatusCall = Call<typeof options>;

export const command = defineCommand({
  name: 'status',
  about: 'Where the session stands: its goal, plan, steps and checks, and the command that is due.',
  options,

  async run(call) {
    const { args, host, out } = call;
    const found = await host.findSession();
    if (found === undefined) return withoutSession(call);
    if (args.watch) {
      const { watchSession } = await import('../watch-session.ts');
      return watchSession(host, found.id, async () => void (await show(call, found.id)));
    }
    return show(call, found.id);
  },
});

async function show({ host, out }: StatusCall, id: SessionId): Promise<number> {
  const status = await readStatus(host.status, id);
  if (!status.ok) return out.fail(status.problem);
  const { branch } = status.documents.mode;
  const { readHead } = await import('../../kernel/worktree/git.ts');
  const here = await readHead(host.root);
  const isElsewhere =
    branch !== undefined && branch !== null && here.branch !== undefined && branch !== here.branch;
  const place = isElsewhere
    ? [`last worked on in branch ${branch}; this is ${here.branch ?? ''}`]
    : [];
  const root = host.root === host.io.cwd ? [] : [`project: ${host.root}`];
  const next = await host.propose(status.next, id);
  const text = [...screenOf(status), ...place, ...root].join('\n');
  return out.done({ value: valueOf(status), text, next });
}

async function withoutSession({ host, out }: StatusCall): Promise<number> {
  const { listSessionIds } = await import('../../workflow/pick-session.ts');
  const ids = await listSessionIds(host.root);
  const value = { session: undefined, sessions: ids.length };
  if (ids.length === 0) {
    const next = 'cc deep-interview "<what you want>"';
    return out.done({ value, text: `No session in ${host.root}`, next });
  }
  const text = `${ids.length} sessions in ${host.root}, and none is chosen`;
  return out.done({ value, text, next: 'cc session list' });
}

type Readable = Extract<SessionStatus, { ok: true }>;

function valueOf({ id, facts, documents, running, next }: Readable): object {
  const { stage, plan, evidence, openTasks, retries, maxRetries } = facts;
  const tasks =
    documents.tasks?.tasks.map(({ id: task, title, status }) => ({ id: task, title, status })) ??
    [];
  const holder = running && { pid: running.pid, host: running.host, command: running.command };
  return {
    session: id,
    stage,
    goal: documents.intent.goal,
    plan: { state: plan.state, steps: documents.plan?.steps.length ?? 0, errors: facts.planErrors },
    tasks,
    openTasks: openTasks.length,
    verify: evidence.status,
    retries,
    maxRetries,
    running: holder,
    routingHint: documents.mode.routingHint ?? undefined,
    due: next,
  };
}

const MARKS = { pending: '·', running: '▸', completed: '✓', failed: '✗', blocked: '–' } as const;
const MAX_TASKS = 20;

function screenOf({ id, facts, documents, running, isPending }: Readable): string[] {
  const { stage, plan, evidence, retries, maxRetries } = facts;
  const tasks = documents.tasks?.tasks ?? [];
  const hint = documents.mode.routingHint;
  const goal = documents.intent.goal.split('\n', 1)[0] ?? '';
  return [
    `${id}: ${stage}`,
    ...(goal === '' ? [] : [`goal: ${goal}`]),
    ...(plan.state === 'absent'
      ? []
      : [`plan: ${plan.state}${plan.detail === undefined ? '' : ` (${plan.detail})`}`]),
    ...facts.planErrors.map((error) => `  ✗ ${error}`),
    ...tasks.slice(0, MAX_TASKS).map(({ title, status }) => `  ${MARKS[status]} ${title}`),
    ...(tasks.length > MAX_TASKS ? [`  … and ${tasks.length - MAX_TASKS} more`] : []),
    ...(documents.intent.openQuestions.length === 0
      ? []
      : [`open questions: ${documents.intent.openQuestions.length}`]),
    ...(evidence.status === 'absent' ? [] : [`checks: ${evidence.status}`]),
    ...(retries === 0 ? [] : [`failed after a change: ${retries} of ${maxRetries}`]),
    ...(running === undefined
      ? []
      : [`running: ${running.command}, process ${running.pid} on ${running.host}`]),
    ...(isPending ? ['a write was interrupted; the next command ends it'] : []),
    ...(typeof hint?.['reason'] === 'string' && stage !== 'complete'
      ? [`hint: ${String(hint['decision'])}: ${hint['reason']}`]
      : []),
  ];
}
