import { expect, test } from 'vitest';
import * as z from 'zod';
import { decodeEnvelope, EVENT_PAYLOADS, EVENT_SOURCES } from '../../src/kernel/protocol/events.ts';

/** The names that other programs of the system know. */
const AGENT_EVENTS = [
  ...['session.started', 'session.resumed', 'session.interrupted', 'session.completed'],
  ...['session.closed', 'session.list', 'request.accepted', 'request.rejected'],
  ...['assistant.message', 'assistant.delta', 'assistant.thought-summary', 'assistant.final'],
  ...['plan.started', 'plan.updated', 'plan.approval_required', 'plan.approved', 'plan.rejected'],
  ...['tool.call.started', 'tool.call.progress', 'tool.call.completed', 'tool.call.failed'],
  'tool.call.skipped',
  ...['approval.requested', 'approval.granted', 'approval.denied', 'approval.expired'],
  ...['approval.high-risk.requested', 'approval.high-risk.granted'],
  ...['context.compaction.started', 'context.compaction.completed', 'warning', 'error'],
  ...['worktree.list', 'worktree.diff', 'worktree.merged', 'worktree.merge-preview'],
  ...['worktree.automation-applied', 'command.response', 'slot.filling', 'model.switch'],
  ...['runtime.server.starting', 'runtime.server.ready', 'runtime.server.stopped'],
  ...['sub-agent.started', 'sub-agent.progress', 'sub-agent.completed', 'sub-agent.failed'],
  ...['sub-agent.list', 'review.requested', 'review.updated', 'review.resolved', 'review.state'],
  ...['patch.proposed', 'patch.applied', 'patch.rejected', 'patch.summary'],
  ...['task-graph.created', 'task-graph.updated', 'task-graph.node.added'],
  ...['task-graph.node.updated', 'task-graph.node.completed', 'task-graph.node.failed'],
  ...['task-graph.advanced', 'task-graph.completed', 'task-graph.state'],
];

const WORKFLOW_EVENTS = [
  ...['workflow.session.created', 'workflow.session.closed', 'workflow.stage.changed'],
  ...['workflow.intent.written', 'workflow.plan.written', 'workflow.plan.approved'],
  ...['workflow.plan.rejected', 'workflow.plan.amended', 'workflow.task.started'],
  ...['workflow.task.completed', 'workflow.task.failed', 'workflow.task.blocked'],
  ...['workflow.check.started', 'workflow.check.completed', 'workflow.verify.completed'],
  ...['workflow.hook.completed', 'workflow.hook.vetoed', 'workflow.hook.failed'],
  ...['workflow.member.started', 'workflow.member.progress', 'workflow.member.completed'],
  'workflow.member.failed',
];

const ENVELOPE = {
  version: '1.0',
  eventId: 'e1',
  id: 'e1',
  type: 'workflow.stage.changed',
  timestamp: 1_796_000_000_000,
  sessionId: 's1',
  requestId: 'r1',
  source: 'cli-runtime',
  sequence: 0,
  payload: { from: 'plan', to: 'execute', action: 'execute' },
  meta: {},
};

test('names of events', () => {
  expect(AGENT_EVENTS).toHaveLength(65);
  expect(Object.keys(EVENT_PAYLOADS)).toEqual([...AGENT_EVENTS, ...WORKFLOW_EVENTS]);
});

test('keys of the payloads that somebody emits', () => {
  const pinned = Object.entries(EVENT_PAYLOADS).flatMap(([type, schema]) => {
    const keys = keysOf(schema);
    return keys.length === 0 ? [] : [`${type}: ${keys.join(' ')}`];
  });
  expect(pinned).toEqual([
    'assistant.delta: text',
    'plan.updated: planId steps',
    'tool.call.started: toolCallId toolName arguments permissionLevel',
    'tool.call.completed: toolCallId durationMs truncated',
    'tool.call.failed: toolCallId durationMs code message',
    'tool.call.skipped: toolCallId code message',
    'approval.requested: approvalId reason actionType riskLevel command scope',
    'approval.high-risk.requested: approvalId reason actionType riskLevel command scope',
    'warning: code message retryable details',
    'error: code message retryable details',
    'workflow.session.created: goal folder',
    'workflow.session.closed: ending',
    'workflow.stage.changed: from to action',
    'workflow.intent.written: files openQuestions',
    'workflow.plan.written: files steps backup?',
    'workflow.plan.approved: planHash approvedBy files',
    'workflow.plan.rejected: planHash reason',
    'workflow.plan.amended: planHash approvedBy files',
    'workflow.task.started: taskId title executor',
    'workflow.task.completed: taskId title status',
    'workflow.task.failed: taskId title message',
    'workflow.task.blocked: taskId title message',
    'workflow.check.started: checkId command',
    'workflow.check.completed: checkId command status reason? exitCode? durationMs summary outputFile? reused',
    'workflow.verify.completed: status passed failed unproven treeHash produced',
    'workflow.hook.completed: hook durationMs',
    'workflow.hook.vetoed: hook message',
    'workflow.hook.failed: hook code message',
  ]);
});

test('who may speak', () => {
  expect(EVENT_SOURCES).toEqual(['renderer', 'desktop-main', 'cli-runtime', 'tool']);
});

test('an envelope has exactly these keys', () => {
  const decoded = decodeEnvelope({ ...ENVELOPE, later: 1 });
  expect(decoded.kind === 'event' && Object.keys(decoded.envelope)).toEqual([
    'version',
    'eventId',
    'id',
    'type',
    'timestamp',
    'sessionId',
    'requestId',
    'source',
    'sequence',
    'payload',
    'meta',
  ]);
});

test.each([
  ['an event', ENVELOPE],
  [
    'a runtime that speaks for itself',
    { ...ENVELOPE, sessionId: null, requestId: null, sequence: null },
  ],
  [
    'facts about the call',
    { ...ENVELOPE, meta: { traceId: 't', model: 'm', durationMs: 3, later: 1 } },
  ],
])('decodes %s to the letter', (_title, value) => {
  expect(decodeEnvelope(value)).toEqual({ kind: 'event', envelope: value });
});

test('skips a word of a newer peer', () => {
  expect(decodeEnvelope({ ...ENVELOPE, type: 'workflow.moon.landed' })).toEqual({
    kind: 'unknown',
    type: 'workflow.moon.landed',
  });
});

test.each([
  ['no object', 'text'],
  ['another version', { ...ENVELOPE, version: '2.0' }],
  ['no event id', { ...ENVELOPE, eventId: undefined }],
  ['a session id that climbs out', { ...ENVELOPE, sessionId: '..' }],
  ['a sequence below zero', { ...ENVELOPE, sequence: -1 }],
  ['a source nobody knows', { ...ENVELOPE, source: 'cloud' }],
  ['a time that is no number', { ...ENVELOPE, timestamp: '2026' }],
  ['a name that every object has', { ...ENVELOPE, type: 'toString', payload: 1, meta: 1 }],
  ['a payload of another event', { ...ENVELOPE, payload: { text: 'x' } }],
  ['a stage nobody knows', { ...ENVELOPE, payload: { ...ENVELOPE.payload, to: 'moon' } }],
])('reports %s as damage', (_title, value) => {
  expect(decodeEnvelope(value)).toMatchObject({ kind: 'malformed', problem: expect.any(String) });
});

test('does not take a name that every object has for an event', () => {
  expect(decodeEnvelope({ ...ENVELOPE, type: 'toString' })).toMatchObject({ kind: 'unknown' });
});

/** Names of the fields; `?` behind those that may be missing. */
function keysOf(schema: z.ZodType): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([key, field]) => {
    // Every field of a shape is a schema.
    const isOptional = (field as z.ZodType).safeParse(undefined).success || isExactOptional(field);
    return key === 'arguments' || !isOptional ? key : `${key}?`;
  });
}

function isExactOptional(field: unknown): boolean {
  return field instanceof z.ZodExactOptional;
}
