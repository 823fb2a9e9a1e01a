/** Words shared by events, files and commands. No behaviour, no I/O, browser-safe. */
import * as z from 'zod';

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

/** Ids that `cc` makes up. A member adds `.m<idx>-<role>`, hence the room up to `MAX_SESSION_ID`. */
export const MAX_OWN_SESSION_ID = 80;
export const MAX_SESSION_ID = 100;

const SAFE_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/;
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const MEMBER_ID = /^(?<parent>.+)\.m(?<index>\d+)-(?<role>[a-z0-9]+)$/i;

/** Doubles as a directory name on every system, and as an argument that must not look like an option. */
export const sessionIdSchema = z
  .string()
  .max(MAX_SESSION_ID, `An id has at most ${MAX_SESSION_ID} characters`)
  .regex(SAFE_ID, 'Use letters, digits, dot, dash, underscore; begin with a letter or digit')
  .refine((id) => !id.includes('..'), 'Two dots in a row are not allowed')
  .refine((id) => !DEVICE_NAME.test(id), 'This name belongs to a Windows device')
  .brand<'SessionId'>();
export type SessionId = z.output<typeof sessionIdSchema>;

/** Ids that other programs made: good enough to list and to read, never to create. */
export const foreignSessionIdSchema = z.string().regex(/^(?!\.\.?$)[A-Za-z0-9._-]+$/);

/** `S1` and `s1` are one folder on macOS and Windows, so they are one session everywhere. */
export function isSameSession(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Parts of the id of a team member, or `undefined` for any other id. */
export function memberOf(
  id: string,
): { readonly parent: string; readonly index: number; readonly role: string } | undefined {
  const { parent, index, role } = MEMBER_ID.exec(id)?.groups ?? {};
  if (parent === undefined || role === undefined) return undefined;
  return { parent, index: Number(index), role };
}
