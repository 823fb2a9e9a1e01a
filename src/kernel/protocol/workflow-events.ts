/** Payloads of the workflow's own events. A payload is pinned with its first emitter. */
import * as z from 'zod';
import { RUN_ENDINGS, stageSchema, taskStatusSchema } from './vocabulary.ts';

const durationMs = z.int().nonnegative();
const code = z.string();
const message = z.string();
const files = z
  .array(z.string())
  .describe('Names of the files written, relative to the session folder');
const task = { taskId: z.string(), title: z.string() };
const check = { checkId: z.string(), command: z.string() };

/** What the executor or the check runner has to say about a task. */
const taskEnded = z.object({ ...task, message });

const checkCompleted = z.object({
  ...check,
  status: z.enum(['passed', 'failed', 'deferred']),
  reason: z.string().exactOptional(),
  exitCode: z.int().exactOptional(),
  durationMs,
  summary: z.string(),
  /** Relative to the session folder. */
  outputFile: z.string().exactOptional(),
  /** The result stands from an earlier run on the same tree. */
  reused: z.boolean(),
});

/** Reserved until its first emitter pins it. */
const reserved = z.looseObject({});

export const WORKFLOW_PAYLOADS = {
  'workflow.session.created': z.object({ goal: z.string(), folder: z.string() }),
  'workflow.session.closed': z.object({
    ending: z.enum(Object.keys(RUN_ENDINGS) as [keyof typeof RUN_ENDINGS]),
  }),
  'workflow.stage.changed': z.object({ from: stageSchema, to: stageSchema, action: z.string() }),
  'workflow.intent.written': z.object({ files, openQuestions: z.int() }),
  'workflow.plan.written': z.object({ files, steps: z.int(), backup: z.string().exactOptional() }),
  'workflow.plan.approved': z.object({ planHash: z.string(), approvedBy: z.string(), files }),
  'workflow.plan.rejected': z.object({ planHash: z.string(), reason: z.string() }),
  'workflow.plan.amended': z.object({ planHash: z.string(), approvedBy: z.string(), files }),
  'workflow.task.started': z.object({ ...task, executor: z.enum(['model', 'offline', 'me']) }),
  'workflow.task.completed': z.object({ ...task, status: taskStatusSchema }),
  'workflow.task.failed': taskEnded,
  'workflow.task.blocked': taskEnded,
  'workflow.check.started': z.object(check),
  'workflow.check.completed': checkCompleted,
  'workflow.verify.completed': z.object({
    status: z.enum(['passed', 'failed', 'partial']),
    passed: z.int(),
    failed: z.int(),
    unproven: z.array(z.string()),
    treeHash: z.string(),
    produced: z.array(z.string()),
  }),
  'workflow.hook.completed': z.object({ hook: z.string(), durationMs }),
  'workflow.hook.vetoed': z.object({ hook: z.string(), message }),
  'workflow.hook.failed': z.object({ hook: z.string(), code, message }),
  'workflow.member.started': reserved,
  'workflow.member.progress': reserved,
  'workflow.member.completed': reserved,
  'workflow.member.failed': reserved,
} as const satisfies Record<string, z.ZodType>;
