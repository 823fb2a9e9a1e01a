/** Words shared by events, files and commands. No behaviour, no I/O, browser-safe. */
import * as z from 'zod';
import { isForeignSessionId, whyNoSessionId } from '../base/ids.ts';

/** Where a session stands in the workflow. */
export const STAGES = [
  'none',
  'intent',
  'plan',
  'execute',
  'verify',
  'fix-loop',
  'complete',
  'failed',
] as const;
export const stageSchema = z.enum(STAGES);
export type Stage = (typeof STAGES)[number];

const LEGACY_STAGES: Readonly<Record<string, Stage>> = { done: 'complete', intake: 'none' };

/** `stage` as found in `mode.json`, where older writers left two words that we read and never write. */
export const storedStageSchema = z.preprocess(
  (word) => (typeof word === 'string' ? (LEGACY_STAGES[word] ?? word) : word),
  stageSchema,
);

/** Status of a task in `tasks.json`. */
export const TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'blocked'] as const;
export const taskStatusSchema = z.enum(TASK_STATUSES);
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** How a run ended, with the exit status of each ending. */
export const RUN_ENDINGS = {
  done: 0,
  failed: 1,
  limit: 3,
  budget: 4,
  'blocked-on-human': 8,
  stalled: 10,
  cancelled: 130,
} as const;
export type RunEnding = keyof typeof RUN_ENDINGS;

/** What a tool may do, from harmless to needing an approval of its own. */
export const accessSchema = z.enum(['read', 'write', 'execute', 'elevated']);
export type Access = z.output<typeof accessSchema>;

/** Doubles as a directory name on every system, and as an argument that must not look like an option. */
export const sessionIdSchema = z
  .string()
  .superRefine((id, context) => {
    const message = whyNoSessionId(id);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .brand<'SessionId'>();
export type SessionId = z.output<typeof sessionIdSchema>;

/** Ids that other programs made: good enough to list and to read, never to create. */
export const foreignSessionIdSchema = z.string().refine(isForeignSessionId);
