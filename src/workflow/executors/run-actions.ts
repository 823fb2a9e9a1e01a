/** Carries out the literal actions of one step, each remembered before and after, so that a kill repeats none blindly. */
import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { childEnv } from '../../kernel/base/child-env.ts';
import { ignoring } from '../../kernel/base/files.ts';
import { findShell } from '../../kernel/base/shell.ts';
import { guardWrite, isInScope } from '../../kernel/policy/policy.ts';
import { deleteFile } from '../../kernel/tool/builtin/delete-file.ts';
import { createRunShell } from '../../kernel/tool/builtin/run-shell.ts';
import { writeFile } from '../../kernel/tool/builtin/write-file.ts';
import type { Tool, ToolContext } from '../../kernel/tool/tool.ts';
import type { LiteralAction, PlanStep } from '../documents/plan-model.ts';
import { findRepository } from '../../kernel/worktree/git.ts';
import { keepPatch } from '../evidence/keep-patch.ts';
import { type Run, saveTask, type TaskOutcome } from '../save-task.ts';
import { hashFile, pathsOf } from '../tasks/targets.ts';
import type { Task } from '../tasks/tasks-file.ts';
import { refuse } from '../transitions.ts';
import { clearLeftDrafts } from './left-drafts.ts';
import { scopeOf } from './step-scope.ts';
import { toolCallsFor } from './literal-actions.ts';
import { type OfflinePorts, runLiteralAction } from './offline.ts';

/** `undefined` when every action is done and the checks may speak. */
export async function runActions(
  run: Run,
  task: Task,
  step: PlanStep,
): Promise<TaskOutcome | undefined> {
  const interrupted = whatWasInterrupted(run, task, step);
  if (interrupted !== undefined) return interrupted;
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
      actionBegun: true,
      startTree: task.startTree ?? before.tree,
    });
    if (!begun.allowed) return { kind: 'refused', decision: begun };
    const result = await runLiteralAction(action, step, ports);
    if (run.signal.aborted) return { kind: 'cancelled' };
    if (!result.ok) {
      const { code, message, output } = result;
      const told = output === undefined || output === '' ? message : `${message}\n${output}`;
      await saveTask(run, task.id, { actionBegun: undefined });
      return {
        kind: 'failed',
        taskId: task.id,
        title: task.title,
        message: `${code}: ${told}`,
        records: [],
      };
    }
    for (const path of pathsOf(action)) written[path] = await hashFile(run.ports.root, path);
    const done = await saveTask(run, task.id, {
      actionBegun: undefined,
      actionsDone: index + 1,
      written: { ...written },
    });
    if (!done.allowed) return { kind: 'refused', decision: done };
    if (action.kind === 'run') {
      const held = await heldDelta(run, { task, step, scope, before: before.tree });
      if (held !== undefined) return held;
    }
  }
  return undefined;
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

interface AfterScript {
  readonly task: Task;
  readonly step: PlanStep;
  readonly scope: readonly string[];
  readonly before: string;
}

/** What a script changed outside of its scope is never undone on its own: it may be the person's. */
async function heldDelta(
  run: Run,
  { task, step, scope, before }: AfterScript,
): Promise<TaskOutcome | undefined> {
  const after = await run.ports.trees.hash(run.signal);
  const changes = await run.ports.trees.diff(before, after.tree);
  const outside = changes.map(({ path }) => path).filter((path) => !isInScope(path, scope));
  if (outside.length === 0) return undefined;
  const patch = await keepPatch(run, {
    from: before,
    to: after.tree,
    paths: outside,
    name: task.id,
  });
  const message =
    `The script changed files outside of the step's scope: ${outside.join(', ')}. ` +
    `They are held, not undone; the patch is in ${patch}. Add them to the scope in plan.md and ` +
    '`cc ralplan --approve`, or put them back; then `cc ralph --done`';
  const next = 'cc ralph --done';
  const saved = await saveTask(run, task.id, { status: 'running', shownTree: after.hash });
  if (!saved.allowed) return { kind: 'refused', decision: saved };
  return { kind: 'waiting', taskId: task.id, title: task.title, message, step, checks: [], next };
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
