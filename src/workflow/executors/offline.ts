/** Runs the literal actions of an approved step, without a model, through the kernel's tool calls. */
import type { ErrorCode } from '../../kernel/base/errors.ts';
import {
  type CheckedCall,
  type Judgement,
  runToolCall,
  type ToolCallPorts,
} from '../../kernel/loop/run-tool-call.ts';
import { fail, type ToolContext, type ToolOutcome } from '../../kernel/tool/tool.ts';
import type { LiteralAction, PlanStep } from '../documents/plan-model.ts';
import { endingOf } from './action-result.ts';
import { type LiteralCall, targetsOf, toolCallsFor } from './literal-actions.ts';
import { putBack, readTargets, type Targets } from './targets.ts';

export interface OfflinePorts extends Omit<ToolCallPorts, 'judge' | 'ask'> {
  /** Its `mayWrite` knows the step's scope; its `hasRead` says yes, since a person wrote the text. */
  readonly context: ToolContext;
  newCallId(): string;
}

export type ActionResult =
  | {
      readonly ok: true;
      /** Files that were written or deleted, relative to the project; those of a script are not known. */
      readonly changed: readonly string[];
      /** Last lines of a script. */
      readonly output?: string;
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      /** What could not be put back as it was. Empty unless the disk failed twice. */
      readonly changed: readonly string[];
      readonly output?: string;
    };

/**
 * Does what one action says, to the letter. A file or a patch is done whole or not at all, also when it is
 * cancelled in between; doing it again changes nothing. A script fails with any exit code but 0, or when
 * its time is up (the step's, at most and by default ten minutes).
 */
export async function runLiteralAction(
  action: LiteralAction,
  step: Pick<PlanStep, 'cwd' | 'timeoutMs'>,
  ports: OfflinePorts,
): Promise<ActionResult> {
  const named = targetsOf(action);
  if (!named.ok) return { ...named, changed: [] };
  const targets = await readTargets(named.paths, ports.context);
  if (!targets.ok) return { ...targets, changed: [] };
  const { cwd, timeoutMs } = step;
  const planned = toolCallsFor(action, { files: targets.bytes, cwd, timeoutMs });
  if (!planned.ok) return { ...planned, changed: [] };
  return runAll(action, planned.calls, { ports, targets });
}

interface Run {
  readonly ports: OfflinePorts;
  readonly targets: Targets;
}

async function runAll(
  action: LiteralAction,
  calls: readonly LiteralCall[],
  { ports, targets }: Run,
): Promise<ActionResult> {
  const changed: string[] = [];
  let output: string | undefined;
  for (const call of calls) {
    const ending = endingOf(action, await runOne(call, ports, ports.context));
    if (!ending.ok) {
      const runAgain = (undo: LiteralCall) => undoOne(undo, ports);
      const left = await putBack(changed, targets, { ...ports.context, run: runAgain });
      const also = left.length === 0 ? '' : `; could not put back ${left.join(', ')}`;
      return { ...ending, message: ending.message + also, changed: left };
    }
    if (ending.changed !== undefined) changed.push(ending.changed);
    output = ending.output ?? output;
  }
  return { ok: true, changed, ...(output === undefined ? {} : { output }) };
}

function runOne(
  { toolName, arguments: args }: LiteralCall,
  ports: OfflinePorts,
  context: ToolContext,
): Promise<ToolOutcome> {
  const judged: ToolCallPorts = {
    ...ports,
    judge: (call) => judge(call, context),
    // Nothing is asked: what was approved is allowed, and all else is refused.
    ask: async () => 'unanswered',
  };
  return runToolCall({ id: ports.newCallId(), toolName, arguments: args }, judged, context);
}

/** A cancelled action is put back all the same, and no hook can keep half of it. */
function undoOne(call: LiteralCall, ports: OfflinePorts): Promise<ToolOutcome> {
  const unstoppable = { ...ports.context, signal: new AbortController().signal };
  return runOne(call, { ...ports, intercept: async () => undefined }, unstoppable);
}

/** The approved plan is the permission: its scripts as they stand, its files inside the step's scope. */
async function judge(call: CheckedCall, context: ToolContext): Promise<Judgement> {
  const { access, name } = call.tool;
  if (access === 'execute') return 'allow';
  const path = call.input['path'];
  if (access !== 'write' || typeof path !== 'string') {
    return fail('TOOL_PERMISSION_DENIED', `A literal action never calls ${name}`);
  }
  const verdict = await context.mayWrite(path);
  return verdict.ok ? 'allow' : fail(verdict.code, verdict.text);
}
