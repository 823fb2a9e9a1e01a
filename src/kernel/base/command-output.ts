/** Carries what a command prints to its listener, at the listener's pace, and keeps both ends of it. */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { BoundedOutput, type KeptOutput } from './bounded-output.ts';

export type StreamName = 'stdout' | 'stderr';

/**
 * Gets every byte, also those that are cut from the result. While a returned promise is pending, the command
 * waits with its next output; a rejected one ends it.
 */
export type OutputListener = (stream: StreamName, bytes: Uint8Array) => void | Promise<void>;

/** A slow listener is waited for this many times; after that something still writes that cannot be ended. */
const MAX_ROUNDS = 40;

export class CommandOutput {
  /** Rejects when the listener fails; never resolves. */
  readonly failure: Promise<never>;
  private readonly kept = new BoundedOutput();
  private readonly ended: Promise<unknown>;
  private readonly stream: Readable;
  private pending: Promise<void> | undefined;

  constructor(name: StreamName, stream: Readable, listener: OutputListener | undefined) {
    this.stream = stream;
    this.ended = new Promise((resolve) => {
      stream.once('close', resolve).once('end', resolve).once('error', resolve);
    });
    this.failure = new Promise((_resolve, reject) => {
      stream.on('data', (bytes: Buffer) => {
        this.kept.push(bytes);
        const taken = this.hand(listener, name, bytes);
        if (taken === undefined) return;
        stream.pause();
        const pending = taken.catch(reject).finally(() => {
          if (this.pending !== pending) return;
          this.pending = undefined;
          stream.resume();
        });
        this.pending = pending;
      });
    });
    // Awaited by whoever runs the command; until then it must not count as unhandled.
    this.failure.catch(() => undefined);
  }

  /** One piece after the other: when a process ends, Node lets the paused rest of its output flow. */
  private hand(
    listener: OutputListener | undefined,
    name: StreamName,
    bytes: Uint8Array,
  ): Promise<void> | undefined {
    if (this.pending === undefined) return callListener(listener, name, bytes);
    return this.pending.then(() => callListener(listener, name, bytes));
  }

  /** Waits for the end of the stream, at most `quietMs` beyond what the listener takes. */
  async drain(quietMs: number): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const timer = new AbortController();
      const quiet = sleep(quietMs, 'quiet', { signal: timer.signal }).catch(() => undefined);
      const first = await Promise.race([this.ended, quiet]);
      timer.abort();
      const { pending } = this;
      if (pending === undefined) return;
      await pending;
      if (first !== 'quiet') return;
    }
  }

  /** Ends the reading, also when somebody still holds the other end. */
  close(): KeptOutput {
    this.stream.destroy();
    return this.kept.read();
  }
}

/** A listener that throws is one that rejects. */
function callListener(
  listener: OutputListener | undefined,
  name: StreamName,
  bytes: Uint8Array,
): Promise<void> | undefined {
  try {
    return listener?.(name, bytes) ?? undefined;
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
