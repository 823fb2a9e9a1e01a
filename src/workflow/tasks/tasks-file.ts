/** `tasks.json`: the plan's steps as tasks with a status. Unknown keys are kept. Pure. */
import * as z from 'zod';
import { parseJson } from '../../kernel/base/files.ts';
import { type Stage, taskStatusSchema } from '../../kernel/protocol/vocabulary.ts';

/** What stands in the tree where a literal action will write: `sha256:<hex>` of its bytes, or `absent`. */
const targetSchema = z.looseObject({
  task: z.string(),
  /** Position of the action in its step, from 0. */
  action: z.int().nonnegative(),
  path: z.string(),
  hash: z.string(),
});
export type Target = z.output<typeof targetSchema>;

const taskSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  ownerRole: z.string().default('executor/main'),
  scopePaths: z.array(z.string()).default([]),
  dependsOn: z.array(z.string()).default([]),
  verifyCommands: z.array(z.string()).default([]),
  doneWhen: z.array(z.string()).default([]),
  status: taskStatusSchema.default('pending'),
  error: z.string().nullish(),
  /** Meaning of the step that this task was made from: a changed step starts anew. */
  stepHash: z.string().optional(),
  /** Literal actions already carried out, and whether one was begun and not ended. */
  actionsDone: z.int().nonnegative().optional(),
  actionBegun: z.boolean().optional(),
  /** The tree when the task was shown to the person whose work it is. */
  shownTree: z.string().optional(),
  /** The tree when the task began. */
  startTree: z.string().optional(),
  /** Bytes that this task left at a literal target, by path. */
  written: z.record(z.string(), z.string()).optional(),
  /** What a script changed outside of the scope: the tree before it, the files, the patch in `artifacts/` if any. */
  held: z
    .looseObject({ tree: z.string(), paths: z.array(z.string()), patch: z.string().optional() })
    .optional(),
  /** Attempts of its literal actions that failed; see `attempts.ts`. */
  failures: z.int().nonnegative().optional(),
  /** Running the step again cannot help, only an edit of the plan. */
  needsPlan: z.boolean().optional(),
});
export type Task = z.output<typeof taskSchema>;

/** What `cc` writes at a task; other keys are somebody's own. */
export const TASK_KEYS: readonly string[] = Object.keys(taskSchema.shape);

const tasksSchema = z.looseObject({
  sessionId: z.string().optional(),
  version: z.literal(1).default(1),
  tasks: z.array(taskSchema),
  targets: z.array(targetSchema).default([]),
  /** Tasks that were begun and whose step is gone or changed: until the next approval they count again when it comes back. */
  aside: z.array(taskSchema).optional(),
  /** Of the planned keys as `cc` wrote them: tells an edit of this file from an edit of the plan. */
  digest: z.string().optional(),
});
export type TasksFile = z.output<typeof tasksSchema>;

/** @throws {CcError} `SESSION_DAMAGED` with the line or the key that does not fit. */
export function parseTasks(path: string, text: string): TasksFile {
  return parseJson(path, text, tasksSchema);
}

/** Two spaces, the line ends and the byte order mark of the text that it replaces. */
export function printTasks(
  file: TasksFile,
  stamp: { readonly sessionId: string; readonly stage: Stage; readonly updatedAt: string },
  before: string | undefined,
): string {
  const { sessionId, stage, updatedAt } = stamp;
  const { version, tasks, ...rest } = file;
  const ordered = { ...rest, sessionId, version, stage, tasks, updatedAt };
  const text = `${JSON.stringify(inSeedOrder(ordered), null, 2)}\n`;
  const withEnds = before?.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  return before?.startsWith('\uFEFF') ? `\uFEFF${withEnds}` : withEnds;
}

function inSeedOrder(file: Record<string, unknown>): Record<string, unknown> {
  const first = ['sessionId', 'version', 'stage', 'tasks', 'updatedAt'];
  const rest = Object.keys(file).filter((key) => !first.includes(key));
  return Object.fromEntries([...first, ...rest].map((key) => [key, file[key]]));
}
