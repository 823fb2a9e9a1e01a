/** Every event on the wire: one schema each, from which type, parser and documentation are derived. */
import * as z from 'zod';
import { accessSchema, foreignSessionIdSchema } from './vocabulary.ts';
import { WORKFLOW_PAYLOADS } from './workflow-events.ts';

const durationMs = z.int().nonnegative();

/** Reserved until its first emitter pins it: the name is fixed, the fields are not. */
const reserved = z.looseObject({});

const toolCallEnded = { toolCallId: z.string(), durationMs };
const planSteps = z.array(z.object({ id: z.string(), title: z.string(), status: z.string() }));
const approvalRequest = z.object({
  approvalId: z.string(),
  reason: z.string(),
  actionType: z.string(),
  riskLevel: z.enum(['low', 'medium', 'high']),
  command: z.string(),
  scope: z.array(z.string()),
});
const problem = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  details: z.record(z.string(), z.unknown()),
});

/** The agent's own events. Names read `noun.past-participle`; a field that carries a unit names it. */
const AGENT_PAYLOADS = {
  'session.started': reserved,
  'session.resumed': reserved,
  'session.interrupted': reserved,
  'session.completed': reserved,
  'session.closed': reserved,
  'session.list': reserved,
  'request.accepted': reserved,
  'request.rejected': reserved,
  'assistant.message': reserved,
  'assistant.delta': z.object({ text: z.string() }),
  'assistant.thought-summary': reserved,
  'assistant.final': reserved,
  'plan.started': reserved,
  'plan.updated': z.object({ planId: z.string(), steps: planSteps }),
  'plan.approval_required': reserved,
  'plan.approved': reserved,
  'plan.rejected': reserved,
  'tool.call.started': z.object({
    toolCallId: z.string(),
    toolName: z.string(),
    arguments: z.unknown(),
    permissionLevel: accessSchema,
  }),
  'tool.call.progress': reserved,
  'tool.call.completed': z.object({ ...toolCallEnded, truncated: z.boolean() }),
  'tool.call.failed': z.object({ ...toolCallEnded, code: z.string(), message: z.string() }),
  'tool.call.skipped': z.object({
    toolCallId: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  'approval.requested': approvalRequest,
  'approval.granted': reserved,
  'approval.denied': reserved,
  'approval.expired': reserved,
  'approval.high-risk.requested': approvalRequest,
  'approval.high-risk.granted': reserved,
  'context.compaction.started': reserved,
  'context.compaction.completed': reserved,
  warning: problem,
  error: problem,
  'worktree.list': reserved,
  'worktree.diff': reserved,
  'worktree.merged': reserved,
  'worktree.merge-preview': reserved,
  'worktree.automation-applied': reserved,
  'command.response': reserved,
  'slot.filling': reserved,
  'model.switch': reserved,
  'runtime.server.starting': reserved,
  'runtime.server.ready': reserved,
  'runtime.server.stopped': reserved,
  'sub-agent.started': reserved,
  'sub-agent.progress': reserved,
  'sub-agent.completed': reserved,
  'sub-agent.failed': reserved,
  'sub-agent.list': reserved,
  'review.requested': reserved,
  'review.updated': reserved,
  'review.resolved': reserved,
  'review.state': reserved,
  'patch.proposed': reserved,
  'patch.applied': reserved,
  'patch.rejected': reserved,
  'patch.summary': reserved,
  'task-graph.created': reserved,
  'task-graph.updated': reserved,
  'task-graph.node.added': reserved,
  'task-graph.node.updated': reserved,
  'task-graph.node.completed': reserved,
  'task-graph.node.failed': reserved,
  'task-graph.advanced': reserved,
  'task-graph.completed': reserved,
  'task-graph.state': reserved,
} as const satisfies Record<string, z.ZodType>;

/** Payload by event name. Append only; `test/pins/events.test.ts` holds the names. */
export const EVENT_PAYLOADS = { ...AGENT_PAYLOADS, ...WORKFLOW_PAYLOADS };

export type EventType = keyof typeof EVENT_PAYLOADS;

/** One event, discriminated by `type`: `switch (event.type)` narrows `payload`. */
export type AgentEvent = {
  [T in EventType]: { readonly type: T; readonly payload: z.output<(typeof EVENT_PAYLOADS)[T]> };
}[EventType];

export const EVENT_SOURCES = ['renderer', 'desktop-main', 'cli-runtime', 'tool'] as const;

const frameSchema = z.object({
  version: z.literal('1.0'),
  eventId: z.string(),
  /** The same id under the name that older peers look for. */
  id: z.string(),
  type: z.string(),
  /** Milliseconds since the Unix epoch. */
  timestamp: z.int(),
  /** `null` while the runtime speaks for itself, as in `runtime.server.ready`. */
  sessionId: foreignSessionIdSchema.nullable(),
  requestId: z.string().nullable(),
  source: z.enum(EVENT_SOURCES),
  /** Grows within one `requestId`, `null` outside of one. Orders events; says nothing about gaps. */
  sequence: z.int().nonnegative().nullable(),
  payload: z.unknown(),
  meta: z.looseObject({
    traceId: z.string().exactOptional(),
    model: z.string().exactOptional(),
    durationMs: durationMs.exactOptional(),
  }),
});

export type Envelope = Omit<z.output<typeof frameSchema>, 'type' | 'payload'> & AgentEvent;

export type Decoded =
  | { readonly kind: 'event'; readonly envelope: Envelope }
  /** A newer peer spoke. Skip it: that is what lets versions mix. */
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'malformed'; readonly problem: string };

/** Reads one parsed JSON value from a peer. Never throws. */
export function decodeEnvelope(value: unknown): Decoded {
  const frame = frameSchema.safeParse(value);
  if (!frame.success) return { kind: 'malformed', problem: z.prettifyError(frame.error) };

  const { type } = frame.data;
  if (!isEventType(type)) return { kind: 'unknown', type };

  const payload = EVENT_PAYLOADS[type].safeParse(frame.data.payload);
  if (!payload.success) return { kind: 'malformed', problem: z.prettifyError(payload.error) };
  // The compiler cannot tie `type` to `payload` across the lookup; the lines above just did.
  return { kind: 'event', envelope: { ...frame.data, payload: payload.data } as Envelope };
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_PAYLOADS, type);
}
