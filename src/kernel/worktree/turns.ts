/** One look at a tree after the other. */
import { CcError } from '../base/errors.ts';
import { type LockPorts, withLock } from '../base/lock.ts';

/** Each lasts as long as `withLock` is patient. */
const MAX_TURNS = 24;

export interface Turn {
  readonly lock: string;
  readonly locks: LockPorts;
  readonly signal: AbortSignal | undefined;
}

/**
 * The first look at a large tree takes longer than anybody waits for a lock, so this waits more than once.
 *
 * @throws {CcError} `SESSION_BUSY`
 */
export async function inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return work();
  };
  for (let left = MAX_TURNS; ; left--) {
    try {
      return await withLock(turn.lock, turn.locks, begin);
    } catch (error) {
      const isBusy = error instanceof CcError && error.code === 'SESSION_BUSY';
      if (hasBegun || !isBusy || left === 0 || turn.signal?.aborted) throw error;
    }
  }
}
