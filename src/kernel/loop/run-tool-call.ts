/** One call of a tool on its whole way, from the words of its author to exactly one ending. */
import { CcError } from '../base/errors.ts';
import type { AgentEvent } from '../protocol/events.ts';
import {
  fail,
  type PreparedCall,
  type Tool,
  type ToolContext,
  type ToolFailure,
  type ToolOutcome,
} from '../tool/tool.ts';
import {
  boundStrings,
  boundText,
  MAX_EVENT_STRING_BYTES,
  MAX_RESULT_BYTES,
} from '../tool/truncation.ts';

/** One call as its author wrote it. */
export interface RawCall {
  readonly id: string;
  readonly toolName: string;
  readonly arguments: unknown;
}

/** A call that may be judged: the tool exists and its input fits. */
export interface CheckedCall extends PreparedCall {
  readonly id: string;
  readonly tool: Tool;
}

/** A failure is a no, with its reason. */
export type Judgement = 'allow' | 'ask' | ToolFailure;

export interface ToolCallPorts {
  readonly tools: ReadonlyMap<string, Tool>;
  /** The policy. Changes nothing; a path is judged by where its links lead right now. */
  judge(call: CheckedCall): Judgement | Promise<Judgement>;
  /** Asks the person. A question that expires was not answered; nobody said no. */
  ask(call: CheckedCall, signal: AbortSignal): Promise<'yes' | 'no' | 'unanswered'>;
  /** Pre-tool hooks: a veto (`HOOK_VETOED`), a broken hook (`HOOK_FAILED`), or nothing. */
  intercept(call: CheckedCall): Promise<ToolFailure | undefined>;
  /** Saves what the call is about to change, so that it can be undone. */
  checkpoint(call: CheckedCall): Promise<void>;
  /** Post-tool hooks. Never rejects. */
  observe(call: CheckedCall, outcome: ToolOutcome): Promise<void>;
  /** Strings in payloads are cut to 4 KiB. */
  emit(event: AgentEvent): void;
  /** Milliseconds; only differences count. */
  now(): number;
}

/**
 * Runs one call. Emits `skipped`, or `started` and then exactly one of `completed` and `failed`; a call
 * that is cancelled ends as `failed` with `REQUEST_CANCELLED`. Never throws for what a tool or a port
 * throws: that is a failure, and before the start it is a no.
 */
export async function runToolCall(
  raw: RawCall,
  ports: ToolCallPorts,
  context: ToolContext,
): Promise<ToolOutcome> {
  const toolCallId = raw.id;
  const { signal } = context;
  const call = await admit(raw, ports, signal).catch(asFailure(signal));
  if (!call.ok) {
    ports.emit({ type: 'tool.call.skipped', payload: { toolCallId, ...reasonOf(call) } });
    return call;
  }

  const { name: toolName, access: permissionLevel } = call.tool;
  const shown = boundStrings(call.input, MAX_EVENT_STRING_BYTES);
  const started = { toolCallId, toolName, arguments: shown, permissionLevel };
  ports.emit({ type: 'tool.call.started', payload: started });

  const startedAt = ports.now();
  const outcome = bounded(await call.run(context).catch(asFailure(signal)));
  const ended = { toolCallId, durationMs: Math.max(0, Math.round(ports.now() - startedAt)) };
  ports.emit(
    outcome.ok
      ? { type: 'tool.call.completed', payload: { ...ended, truncated: outcome.truncated } }
      : { type: 'tool.call.failed', payload: { ...ended, ...reasonOf(outcome) } },
  );
  await ports.observe(call, outcome);
  return outcome;
}

/** Who may stop a call, in this order: registry, schema, policy, person, hook. The checkpoint is last. */
async function admit(
  raw: RawCall,
  ports: ToolCallPorts,
  signal: AbortSignal,
): Promise<CheckedCall | ToolFailure> {
  signal.throwIfAborted();
  const tool = ports.tools.get(raw.toolName);
  if (tool === undefined) return fail('TOOL_NOT_REGISTERED', `There is no tool ${raw.toolName}`);

  const prepared = tool.prepare(raw.arguments);
  if (!prepared.ok) return prepared;
  const call: CheckedCall = { ...prepared, id: raw.id, tool };

  const verdict = await ports.judge(call);
  if (typeof verdict !== 'string') return verdict;
  const answer = verdict === 'ask' ? await ports.ask(call, signal) : 'yes';
  if (answer === 'no') return fail('TOOL_PERMISSION_DENIED', 'The person said no');
  if (answer === 'unanswered') return fail('BLOCKED_ON_HUMAN', 'Nobody answered in time');

  const veto = await ports.intercept(call);
  if (veto !== undefined) return veto;

  signal.throwIfAborted();
  await ports.checkpoint(call);
  return call;
}

/** The only place where a throw becomes something the model can read. */
function asFailure(signal: AbortSignal): (thrown: unknown) => ToolFailure {
  return (thrown) => {
    // Whoever aborts may give any value as the reason; that it is thrown on is no fault of the tool.
    if (signal.aborted && thrown === signal.reason) {
      return fail('REQUEST_CANCELLED', 'The request was cancelled');
    }
    const { code, message } = CcError.from(thrown);
    return fail(code === 'RUNTIME_INTERNAL_ERROR' ? 'TOOL_EXECUTION_FAILED' : code, message);
  };
}

function bounded(outcome: ToolOutcome): ToolOutcome {
  const { text, truncated } = boundText(outcome.text, MAX_RESULT_BYTES);
  if (!outcome.ok) return { ...outcome, text };
  return { ...outcome, text, truncated: outcome.truncated || truncated };
}

function reasonOf({ code, text }: ToolFailure) {
  return { code, message: boundText(text, MAX_EVENT_STRING_BYTES).text };
}
