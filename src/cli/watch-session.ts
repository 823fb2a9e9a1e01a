/** Calls back whenever a file of a session changes, until the person ends it. */
import { join } from 'node:path';
import { watch } from 'chokidar';
import { CcError } from '../kernel/base/errors.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import type { Host } from './host/host.ts';

/** Several writes of one command are one change to a person. */
const SETTLE_MS = 100;

/**
 * Calls once at once, and never two at a time. Ends with status 0 at Ctrl-C, or when nobody reads it any more:
 * looking is no work that could be cancelled.
 */
export async function watchSession(
  host: Host,
  id: SessionId,
  changed: () => Promise<void>,
): Promise<number> {
  const signal = AbortSignal.any([host.io.signal, host.io.readerGone]);
  const folder = join(host.root, '.chainlesschain', 'sessions', id);
  await using watcher = await watchFolder(folder);
  await changed();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    watcher.on(() => {
      // Not put off by what follows: something that changes all the time is shown all the time.
      timer ??= setTimeout(() => {
        timer = undefined;
        running = running.then(changed);
        running.catch(reject);
      }, SETTLE_MS);
    });
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  clearTimeout(timer);
  await running;
  return 0;
}

/**
 * What goes on without an end is no document.
 *
 * @throws {CcError} `REQUEST_INVALID` with `--json`.
 */
export function refuseJson({ global }: Host, instead: string): void {
  if (!global.json) return;
  const message = 'This goes on without an end, and --json is one document';
  throw new CcError('REQUEST_INVALID', message, { hint: instead });
}

/** Ready when it is returned: what changes from then on is noticed. */
async function watchFolder(folder: string) {
  const inner = watch(folder, { ignoreInitial: true, followSymlinks: false, depth: 1 });
  await new Promise<void>((resolve) => inner.once('ready', () => resolve()));
  return {
    on: (listener: () => void) => inner.on('all', listener),
    [Symbol.asyncDispose]: () => inner.close(),
  };
}
