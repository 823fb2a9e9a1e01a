/** What the parts of a run share, and how one of them writes what became of a task. */
import type { PlanStep } from './documents/plan-model.ts';
import type { CheckRecord } from './evidence/verify-file.ts';
import type { WorkflowPorts } from './ports.ts';
import type { RalphRequest } from './ralph.ts';
import type { ModeChange, SessionDir, Snapshot } from './session-dir.ts';
import { printTasks, type Task } from './tasks/tasks-file.ts';
import type { Decision } from './transitions.ts';

/** What every part of a run shares. */
export interface Run {
  readonly ports: WorkflowPorts;
  readonly session: SessionDir;
  /** Nonce of the lease; also marks every process of the run. */
  readonly lease: string;
  readonly signal: AbortSignal;
  readonly request: RalphRequest;
}

export type TaskOutcome =
  | { readonly kind: 'completed'; readonly title: string }
  /** The person's turn. */
  | {
      readonly kind: 'waiting';
      readonly taskId?: string;
      readonly title: string;
      readonly message: string;
      readonly step?: PlanStep;
      readonly checks: readonly string[];
      /** The command that goes on afterwards. */
      readonly next: string;
    }
  | {
      readonly kind: 'failed';
      readonly taskId?: string;
      readonly title: string;
      readonly message: string;
      readonly records: readonly CheckRecord[];
    }
  | { readonly kind: 'cancelled' }
  /** A gate closed while the run went on: somebody edited the plan. */
  | { readonly kind: 'refused'; readonly decision: Extract<Decision, { allowed: false }> };

/** New values for one task; `undefined` takes a key away. */
export type TaskChange = { readonly [Key in keyof Task]?: Task[Key] | undefined };

/** Writes one task. Refused when the plan is no longer approved as it stands. */
export function saveTask(
  run: Run,
  taskId: string,
  change: TaskChange,
  progress: readonly string[] = [],
): Promise<Decision> {
  return run.session.transact({
    action: 'execute',
    lease: run.lease,
    change(now) {
      const tasks = (now.tasks?.tasks ?? []).map((task) => {
        const isFreed = task.status === 'blocked' && change.status === 'completed';
        if (task.id !== taskId) return isFreed ? { ...task, status: 'pending' as const } : task;
        // A task keeps every key that it must have: no change takes one of those away.
        return { ...task, ...change } as Task;
      });
      return { files: { 'tasks.json': printNow(run, now, tasks) }, progress, mode: modeOf(change) };
    },
  });
}

/** V4 counts failures after an executor, not after the person. */
function modeOf(change: TaskChange): ModeChange {
  return change.actionsDone === undefined ? {} : { executorChanged: true };
}

/** `tasks.json` with these tasks, all else as it is. */
export function printNow(run: Run, now: Snapshot, tasks: readonly Task[]): string {
  const updatedAt = run.ports.clock.now().toISOString();
  const file = { version: 1 as const, targets: [], ...now.tasks, tasks: [...tasks] };
  const stamp = { sessionId: now.id, stage: 'execute' as const, updatedAt };
  return printTasks(file, stamp, now.texts['tasks.json']);
}
