import { expect, test } from 'vitest';
import * as z from 'zod';
import { nodeFiles } from '../../../src/kernel/base/node-files.ts';
import { runToolCall, type ToolCallPorts } from '../../../src/kernel/loop/run-tool-call.ts';
import type { AgentEvent } from '../../../src/kernel/protocol/events.ts';
import { defineTool, fail, type ToolContext } from '../../../src/kernel/tool/tool.ts';

const CALL = { id: 'call-1', toolName: 'poke', arguments: {} };

function context(signal = new AbortController().signal): ToolContext {
  return {
    workspace: '/unused',
    signal,
    files: nodeFiles,
    env: {},
    marker: 'unused',
    now: () => 0,
    mayWrite: async (path) => ({ ok: true, path }),
    hasRead: () => true,
  };
}

const WAYS = ['well', 'badly', 'abort', 'at length', 'not'] as const;
const poke = defineTool({
  name: 'poke',
  description: 'Does nothing, well.',
  access: 'execute',
  input: z.strictObject({ how: z.enum(WAYS).default('well'), note: z.string().default('') }),
  async run({ how }, { signal }) {
    if (how === 'badly') throw new Error('boom');
    if (how === 'abort') throw new DOMException('stop', 'AbortError');
    if (how === 'at length') return { ok: true, text: 'z'.repeat(300_000), truncated: false };
    if (how === 'not') return fail('REQUEST_INVALID', 'm'.repeat(9_000));
    signal.throwIfAborted();
    return { ok: true, text: 'poked', truncated: false, details: { pokes: 1 } };
  },
});

/** A kernel with nothing behind it. It writes down who was asked, in order. */
function fakePorts(overrides: Partial<ToolCallPorts> = {}) {
  const log: string[] = [];
  const events: AgentEvent[] = [];
  const times = [1_000, 1_012.4];
  const ports: ToolCallPorts = {
    tools: new Map([['poke', poke]]),
    judge: () => {
      log.push('judge');
      return 'ask';
    },
    ask: async () => {
      log.push('ask');
      return 'yes';
    },
    intercept: async () => void log.push('intercept'),
    checkpoint: async () => void log.push('checkpoint'),
    observe: async (_call, { ok }) => void log.push(`observe ${ok}`),
    emit: (event) => {
      log.push(event.type);
      events.push(event);
    },
    now: () => times.shift() ?? 0,
    ...overrides,
  };
  return { ports, log, events };
}

test('policy, person, hook, checkpoint, tool, hook: in this order', async () => {
  const { ports, log, events } = fakePorts();
  expect(await runToolCall(CALL, ports, context())).toEqual({
    ok: true,
    text: 'poked',
    truncated: false,
    details: { pokes: 1 },
  });
  const ran = ['tool.call.started', 'tool.call.completed'];
  expect(log).toEqual(['judge', 'ask', 'intercept', 'checkpoint', ...ran, 'observe true']);
  expect(events.map((event) => event.payload)).toEqual([
    {
      toolCallId: 'call-1',
      toolName: 'poke',
      arguments: { how: 'well', note: '' },
      permissionLevel: 'execute',
    },
    { toolCallId: 'call-1', durationMs: 12, truncated: false },
  ]);
});

test('nobody is asked about what the policy allows', async () => {
  const { ports, log } = fakePorts({ judge: () => 'allow' });
  await runToolCall(CALL, ports, context());
  expect(log.slice(0, 2)).toEqual(['intercept', 'checkpoint']);
});

const denied = fail('TOOL_PERMISSION_DENIED', 'out of scope');
const broken = async (): Promise<never> => {
  throw new Error('broken');
};

test.each<[string, Partial<ToolCallPorts>, string, readonly string[]]>([
  ['the tool is unknown', { tools: new Map() }, 'TOOL_NOT_REGISTERED', []],
  ['the policy denies', { judge: () => denied }, 'TOOL_PERMISSION_DENIED', []],
  ['the policy breaks', { judge: broken }, 'TOOL_EXECUTION_FAILED', []],
  ['the person says no', { ask: async () => 'no' }, 'TOOL_PERMISSION_DENIED', ['judge']],
  ['nobody answers', { ask: async () => 'unanswered' }, 'BLOCKED_ON_HUMAN', ['judge']],
  ['the question breaks', { ask: broken }, 'TOOL_EXECUTION_FAILED', ['judge']],
  [
    'a hook vetoes',
    { intercept: async () => fail('HOOK_VETOED', 'x') },
    'HOOK_VETOED',
    ['judge', 'ask'],
  ],
  ['a hook breaks', { intercept: broken }, 'TOOL_EXECUTION_FAILED', ['judge', 'ask']],
  [
    'nothing can be saved',
    { checkpoint: broken },
    'TOOL_EXECUTION_FAILED',
    ['judge', 'ask', 'intercept'],
  ],
])('is skipped when %s', async (_case, overrides, code, asked) => {
  const { ports, log, events } = fakePorts(overrides);
  const outcome = await runToolCall(CALL, ports, context());
  expect(outcome).toMatchObject({ ok: false, code });
  expect(log).toEqual([...asked, 'tool.call.skipped']);
  expect(events[0]?.payload).toEqual({ toolCallId: 'call-1', code, message: outcome.text });
});

test('nobody is asked about a call that does not fit its schema', async () => {
  const { ports, log } = fakePorts();
  const call = { ...CALL, arguments: { how: 'maybe' } };
  expect(await runToolCall(call, ports, context())).toMatchObject({ code: 'REQUEST_INVALID' });
  expect(log).toEqual(['tool.call.skipped']);
});

test.each([
  ['badly', 'TOOL_EXECUTION_FAILED', 'boom'],
  ['abort', 'REQUEST_CANCELLED', 'The request was cancelled'],
  ['not', 'REQUEST_INVALID', expect.stringMatching(/^m{2016}\n\[cut: 4968 bytes\]\nm{2016}$/)],
])('a call that ends %s has one ending', async (how, code, message) => {
  const { ports, log, events } = fakePorts();
  const call = { ...CALL, arguments: { how } };
  expect(await runToolCall(call, ports, context())).toMatchObject({ ok: false, code });
  expect(log.slice(4)).toEqual(['tool.call.started', 'tool.call.failed', 'observe false']);
  expect(events.at(-1)?.payload).toEqual({ toolCallId: 'call-1', durationMs: 12, code, message });
});

test('a call of a run that is cancelled already is not judged', async () => {
  const { ports, log } = fakePorts();
  const outcome = await runToolCall(CALL, ports, context(AbortSignal.abort('enough')));
  expect(outcome).toMatchObject({ ok: false, code: 'REQUEST_CANCELLED' });
  expect(log).toEqual(['tool.call.skipped']);
});

test('cancelled while the person thinks: nothing is saved and nothing runs', async () => {
  const abort = new AbortController();
  const ask = async () => {
    abort.abort('enough');
    return 'yes' as const;
  };
  const { ports, log } = fakePorts({ ask });
  const outcome = await runToolCall(CALL, ports, context(abort.signal));
  expect(outcome).toMatchObject({ ok: false, code: 'REQUEST_CANCELLED' });
  expect(log).toEqual(['judge', 'intercept', 'tool.call.skipped']);
});

test('cancelled while it runs: failed, whatever the reason of the abort is', async () => {
  const abort = new AbortController();
  const { ports, log } = fakePorts({ checkpoint: async () => abort.abort('any value') });
  const outcome = await runToolCall(CALL, ports, context(abort.signal));
  expect(outcome).toMatchObject({ ok: false, code: 'REQUEST_CANCELLED' });
  expect(log.slice(-3)).toEqual(['tool.call.started', 'tool.call.failed', 'observe false']);
});

test('what is sent on is bounded: the result for the model, the arguments in the event', async () => {
  const { ports, events } = fakePorts();
  const call = { ...CALL, arguments: { how: 'at length', note: 'n'.repeat(10_000) } };
  const outcome = await runToolCall(call, ports, context());
  expect(outcome).toMatchObject({ ok: true, truncated: true });
  expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(262_144);
  expect(JSON.stringify(events[0]).length).toBeLessThan(4_500);
  expect(events[1]?.payload).toMatchObject({ truncated: true });
});
