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
  /** Called before the first thing that runs: whoever only looks leaves no line. */
  noteStart(): Promise<void>;
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
      /** Of the step's own; without any, the plan's speak. */
      readonly checks: readonly string[];
      /** False when neither the step nor the plan has one. */
      readonly hasChecks?: boolean;
      /** The command that goes on afterwards. */
      readonly next: string;
    }
  | {
      readonly kind: 'failed';
      readonly taskId?: string;
      readonly title: string;
      readonly message: string;
      readonly records: readonly CheckRecord[];
      readonly next: string;
    }
  | { readonly kind: 'cancelled' }
  /** A gate closed while the run went on: somebody edited the plan. */
  | { readonly kind: 'refused'; readonly decision: Extract<Decision, { allowed: false }> };

/** The command that goes on with a task once the person did their part. */
export function goOn({ request }: Run, taskId: string): string {
  return request.task === undefined ? 'cc ralph' : `cc ralph --task ${taskId}`;
}

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
      const others = change.status === 'completed' ? afterChange : (task: Task) => task;
      const tasks = (now.tasks?.tasks ?? []).map((task) => {
        // A task keeps every key that it must have: no change takes one of those away.
        return task.id === taskId ? ({ ...task, ...change } as Task) : others(task);
      });
      return { files: { 'tasks.json': printNow(run, now, tasks) }, progress, mode: modeOf(change) };
    },
  });
}

/**
 * A task once another one was completed: it may be tried again, and what changed the tree until now is no
 * word of the person about this one.
 */
function afterChange({ shownTree: _, ...task }: Task): Task {
  return task.status === 'blocked' ? { ...task, status: 'pending' } : task;
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
