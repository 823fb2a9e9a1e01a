/** Ways back that no gate, hook or child can block: `reset` and `reopen`. */
import type { SessionId, Stage } from '../kernel/protocol/vocabulary.ts';
import { endApproval } from './approve-plan.ts';
import { setKeys } from './documents/front-matter.ts';
import type { AskConsent, WorkflowPorts } from './ports.ts';
import { assertExists, type Change, openSession, type Snapshot } from './session-dir.ts';
import { forgetFailures } from './tasks/attempts.ts';
import { printTasks } from './tasks/tasks-file.ts';
import { type Action, type Decision, decide, TRANSITIONS } from './transitions.ts';

export type WayBack = 'reopen' | 'resetToIntent' | 'resetToPlan' | 'resetToExecute';

export interface ResetRequest {
  readonly id: SessionId;
  readonly action: WayBack;
  readonly ask: AskConsent;
}

/** A person's act. The documents stay; only the stage, the counters and, to plan or intent, the approval go. */
export async function goBack(ports: WorkflowPorts, request: ResetRequest): Promise<Decision> {
  const { id, action, ask } = request;
  const session = openSession(ports, id);
  await assertExists(session);
  const shown = await session.read();
  const decision = decide(shown.facts, action);
  if (!decision.allowed) return decision;

  const text = `${TRANSITIONS[action].command}: ${shown.facts.stage} → ${decision.to}, session ${id}`;
  const consent = await ask({ text, hash: shown.planHash });
  if (!consent.given) return { allowed: false, refusal: consent.refusal };
  const written = await session.transact({
    action,
    change: (now) =>
      changeFor(now, action, { at: ports.clock.now().toISOString(), to: decision.to }),
  });
  if (!written.allowed) return written;
  const payload = { from: shown.facts.stage, to: written.to, action };
  if (payload.from !== payload.to) ports.emit({ type: 'workflow.stage.changed', payload });
  return written;
}

interface Moment {
  readonly at: string;
  readonly to: Stage;
}

function changeFor(now: Snapshot, action: Action, { at, to }: Moment): Change {
  const plan = now.texts['plan.md'];
  const dropsApproval = action === 'resetToIntent' || action === 'resetToPlan';
  const isFlagged = now.head?.ok === true && now.head.data['approved'] === true;
  const files =
    dropsApproval && isFlagged && plan !== undefined
      ? { 'plan.md': setKeys(plan, { approved: false, updated: at }) }
      : {};
  return {
    files: { ...files, ...triedAnew(now, { at, to }) },
    mode: {
      retries: 0,
      failureReason: undefined,
      failing: undefined,
      shownTree: undefined,
      ...(dropsApproval ? endApproval(now) : {}),
    },
    progress: [`[${action === 'reopen' ? 'reopen' : 'reset'}] from ${now.facts.stage}`],
  };
}

/** A step that failed too often may be tried again. */
function triedAnew({ id, tasks, texts }: Snapshot, { at, to }: Moment): Record<string, string> {
  const anew = tasks === undefined ? undefined : forgetFailures(tasks.tasks);
  if (tasks === undefined || anew === undefined) return {};
  const stamp = { sessionId: id, stage: to, updatedAt: at };
  return { 'tasks.json': printTasks({ ...tasks, tasks: anew }, stamp, texts['tasks.json']) };
}
