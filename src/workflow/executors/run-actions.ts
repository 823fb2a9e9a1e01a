/** Carries out the literal actions of one step, each remembered before and after, so that a kill repeats none blindly. */
import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { childEnv } from '../../kernel/base/child-env.ts';
import type { ErrorCode } from '../../kernel/base/errors.ts';
import { ignoring } from '../../kernel/base/files.ts';
import { findShell } from '../../kernel/base/shell.ts';
import { guardWrite } from '../../kernel/policy/policy.ts';
import { deleteFile } from '../../kernel/tool/builtin/delete-file.ts';
import { createRunShell } from '../../kernel/tool/builtin/run-shell.ts';
import { writeFile } from '../../kernel/tool/builtin/write-file.ts';
import type { Tool, ToolContext } from '../../kernel/tool/tool.ts';
import type { LiteralAction, PlanStep } from '../documents/plan-model.ts';
import { findRepository } from '../../kernel/worktree/git.ts';
import { goOn, type Run, saveTask, type TaskOutcome } from '../save-task.ts';
import { hashFile, pathsOf } from '../tasks/targets.ts';
import type { Task } from '../tasks/tasks-file.ts';
import { refuse } from '../transitions.ts';
import { targetsChangedSince } from '../written-targets.ts';
import { heldOutcome, holdDelta } from './held-changes.ts';
import { clearLeftDrafts } from './left-drafts.ts';
import { scopeOf } from './step-scope.ts';
import { toolCallsFor } from './literal-actions.ts';
import { type ActionResult, type OfflinePorts, runLiteralAction } from './offline.ts';

/** `undefined` when every action is done and the checks may speak. */
export async function runActions(
  run: Run,
  task: Task,
  step: PlanStep,
): Promise<TaskOutcome | undefined> {
  const interrupted = whatWasInterrupted(run, task, step);
  if (interrupted !== undefined) return interrupted;
  await run.noteStart();
  const scope = await scopeOf(run.ports.root, step);
  const ports = await offlinePorts(run, scope);
  const written: Record<string, string> = { ...task.written };
  for (const [index, action] of step.actions.entries()) {
    if (index < (task.actionsDone ?? 0)) continue;
    if (run.signal.aborted) return { kind: 'cancelled' };
    const moved = await movedTarget(run, { task, action, index, written });
    if (moved !== undefined) return moved;

    // Before the tree is looked at: a draft of a killed run is no part of it.
    if (task.actionBegun === true) await clearDraftsOf(run, action);
    const before = await run.ports.trees.hash(run.signal);
    const begun = await saveTask(run, task.id, {
      status: 'running',
      error: undefined,
      needsPlan: undefined,
      actionBegun: true,
      startTree: task.startTree ?? before.tree,
    });
    if (!begun.allowed) return { kind: 'refused', decision: begun };
    const result = await runLiteralAction(action, step, ports);
    if (run.signal.aborted) return { kind: 'cancelled' };
    // Also of a script that failed: its next run would find its own files there.
    const after = { task, scope, before: before.tree };
    const held = action.kind === 'run' ? await holdDelta(run, after) : undefined;
    if (!result.ok) return failedAction(run, task, result, held);
    for (const path of pathsOf(action)) written[path] = await hashFile(run.ports.root, path);
    if (action.kind === 'run') Object.assign(written, await targetsChangedSince(run, before.tree));
    const done = await saveTask(run, task.id, {
      actionBegun: undefined,
      actionsDone: index + 1,
      written: { ...written },
      ...held?.change,
    });
    if (!done.allowed) return { kind: 'refused', decision: done };
    if (held !== undefined) return heldOutcome(task, step, held.message);
  }
  return undefined;
}

/** An action that is not allowed, or does not fit its file, ends the same way each time. */
const ONLY_THE_PLAN_HELPS: readonly ErrorCode[] = [
  'TOOL_PERMISSION_DENIED',
  'PATH_OUTSIDE_WORKSPACE',
  'REQUEST_INVALID',
];

async function failedAction(
  run: Run,
  { id: taskId, title }: Task,
  { code, message, output = '' }: Extract<ActionResult, { ok: false }>,
  held: Awaited<ReturnType<typeof holdDelta>>,
): Promise<TaskOutcome> {
  const needsPlan = held !== undefined || ONLY_THE_PLAN_HELPS.includes(code) || undefined;
  await saveTask(run, taskId, { actionBegun: undefined, needsPlan, ...held?.change });
  const told = [`${code}: ${message}`, output, held?.message ?? ''].filter((text) => text !== '');
  return {
    kind: 'failed',
    taskId,
    title,
    message: told.join('\n'),
    records: [],
    next: needsPlan === true ? 'cc ralplan --edit' : goOn(run, taskId),
  };
}

/** A script that was begun and not ended may have done half of its work: only a person knows what to do. */
function whatWasInterrupted(run: Run, task: Task, step: PlanStep): TaskOutcome | undefined {
  const action = step.actions[task.actionsDone ?? 0];
  const isNamed = run.request.task === task.id;
  if (task.actionBegun !== true || action?.kind !== 'run' || isNamed) return undefined;
  const message =
    `The last run ended inside the script of line ${action.line}; what it did is not known. ` +
    `Look at the tree, then \`cc ralph --task ${task.id}\` runs that script again`;
  const next = `cc ralph --task ${task.id}`;
  return { kind: 'waiting', taskId: task.id, title: task.title, message, step, checks: [], next };
}

interface AtAction {
  readonly task: Task;
  readonly action: LiteralAction;
  readonly index: number;
  readonly written: Readonly<Record<string, string>>;
}

/** A target that somebody else changed since the approval is not what the person said yes to. */
async function movedTarget(run: Run, at: AtAction): Promise<TaskOutcome | undefined> {
  const { tasks } = await run.session.read();
  for (const path of pathsOf(at.action)) {
    const approved = tasks?.targets.find(
      (target) => target.task === at.task.id && target.action === at.index && target.path === path,
    )?.hash;
    const byTasks = (tasks?.tasks ?? []).flatMap(({ written }) => written?.[path] ?? []);
    const expected = [approved, ...byTasks, at.written[path]];
    const now = await hashFile(run.ports.root, path);
    if (expected.includes(now)) continue;
    // Begun and killed: the action was carried out, and nobody got to write that down.
    if (at.task.actionBegun === true && (await isDone(run, at.action, path))) continue;
    const message = `${path} is not as it was when the plan was approved, and no step of the plan changed it`;
    const remedy = 'cc ralplan --approve';
    return { kind: 'refused', decision: refuse('PLAN_CHANGED_SINCE_APPROVAL', message, remedy) };
  }
  return undefined;
}

/** Whether the file is as the action leaves it; others of the same patch may still be as they were. */
async function isDone(run: Run, action: LiteralAction, path: string): Promise<boolean> {
  const files = await readTargets(run, action);
  const planned = toolCallsFor(action, { files, cwd: undefined, timeoutMs: undefined });
  if (!planned.ok) return false;
  const now = files.get(path);
  return planned.calls
    .filter(({ arguments: { path: target } }) => target === path)
    .every(({ arguments: { content } }) => {
      return typeof content === 'string' && now !== undefined && Buffer.from(content).equals(now);
    });
}

async function clearDraftsOf(run: Run, action: LiteralAction): Promise<void> {
  const files = await readTargets(run, action);
  const planned = toolCallsFor(action, { files, cwd: undefined, timeoutMs: undefined });
  const calls = planned.ok ? planned.calls : [];
  const writes = calls.flatMap(({ arguments: { path, content } }) =>
    typeof path === 'string' && typeof content === 'string' ? [{ path, content }] : [],
  );
  await clearLeftDrafts(run.ports.files, run.ports.root, writes);
}

async function readTargets(run: Run, action: LiteralAction) {
  const files = new Map<string, Uint8Array | undefined>();
  for (const path of pathsOf(action)) {
    const bytes = await readFile(resolve(run.ports.root, path)).catch(ignoring('ENOENT'));
    files.set(path, bytes);
  }
  return files;
}

async function offlinePorts(run: Run, scope: readonly string[]): Promise<OfflinePorts> {
  const { ports, lease: marker, signal } = run;
  const workspace = await realpath(ports.root);
  const env = childEnv(ports.env, { marker });
  const now = () => ports.clock.now().getTime();
  const repository = await findRepository(workspace);
  const gitDirs = repository === undefined ? [] : [repository.gitDir, repository.commonDir];
  const context: ToolContext = {
    workspace,
    signal,
    files: ports.files,
    env,
    marker,
    now,
    mayWrite: (path) => guardWrite({ root: workspace, gitDirs, scope, path }),
    // A person wrote the literal text and saw its target at the approval.
    hasRead: () => true,
  };
  let calls = 0;
  return {
    context,
    tools: await offlineTools(env),
    newCallId: () => `${marker.slice(0, 8)}-${++calls}`,
    intercept: async () => undefined,
    checkpoint: async () => {},
    observe: async () => {},
    emit: (event) => ports.emit(event),
    now,
  };
}

async function offlineTools(
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Tool>> {
  const shell = await findShell(env);
  const tools: Tool[] = [writeFile, deleteFile];
  if (shell !== undefined) tools.push(createRunShell(shell));
  return new Map(tools.map((tool) => [tool.name, tool]));
}
