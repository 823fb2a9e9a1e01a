/** The API that every door drives: it runs a verb and stamps what the verb has to tell. */
import type { AgentEvent, Envelope } from '../../kernel/protocol/events.ts';
import type { SessionId } from '../../kernel/protocol/vocabulary.ts';
import type { WorkflowPorts } from '../../workflow/ports.ts';

export type Subscriber = (envelope: Envelope) => void;

export interface Controller {
  /** Ports without a request of their own, for what only reads. */
  readonly ports: WorkflowPorts;
  /** One request: its events carry one `requestId` and are numbered from 0. */
  request<T>(id: SessionId, work: (ports: WorkflowPorts) => Promise<T>): Promise<T>;
  /** Called with every event, in order, synchronously. Returns the way to stop it. */
  subscribe(subscriber: Subscriber): () => void;
  /** Awaited before the first request: a subscriber that has to be loaded misses no event. */
  beforeRequests(prepare: () => Promise<void>): void;
}

export function createController(
  parts: Omit<WorkflowPorts, 'emit'>,
  newId: () => string = () => crypto.randomUUID(),
): Controller {
  const subscribers = new Set<Subscriber>();
  let prepare: (() => Promise<void>) | undefined;
  const deliver = (envelope: Envelope) => {
    for (const subscriber of subscribers) subscriber(envelope);
  };
  const stamp = (
    event: AgentEvent,
    about: Pick<Envelope, 'sessionId' | 'requestId' | 'sequence'>,
  ): Envelope => {
    const eventId = newId();
    const timestamp = parts.clock.now().getTime();
    const frame = {
      version: '1.0',
      eventId,
      id: eventId,
      timestamp,
      source: 'cli-runtime',
    } as const;
    return { ...frame, ...about, meta: {}, ...event };
  };
  const nobody = { sessionId: null, requestId: null, sequence: null };
  return {
    ports: withEmit(parts, (event) => deliver(stamp(event, nobody))),
    async request(id, work) {
      const prepared = prepare?.();
      prepare = undefined;
      await prepared;
      const requestId = newId();
      let sequence = 0;
      const emit = (event: AgentEvent) => {
        deliver(stamp(event, { sessionId: id, requestId, sequence: sequence++ }));
      };
      return work(withEmit(parts, emit));
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    beforeRequests(wanted) {
      prepare = wanted;
    },
  };
}

/** Getters stay getters: what is opened on demand is not opened by copying. */
function withEmit(parts: Omit<WorkflowPorts, 'emit'>, emit: WorkflowPorts['emit']): WorkflowPorts {
  return Object.defineProperties(
    { emit },
    Object.getOwnPropertyDescriptors(parts),
  ) as WorkflowPorts;
}
