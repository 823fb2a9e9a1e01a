/** Calls back whenever a file of a session changes, until the person ends it. */
import { join } from 'node:path';
import { watch } from 'chokidar';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import type { Host } from './host/host.ts';

/** Several writes of one command are one change to a person. */
const SETTLE_MS = 100;

/** Calls once at once. Ends with status 0 at Ctrl-C: looking is no work that could be cancelled. */
export async function watchSession(
  host: Host,
  id: SessionId,
  changed: () => Promise<void>,
): Promise<number> {
  const { signal } = host.io;
  const folder = join(host.root, '.chainlesschain', 'sessions', id);
  await using watcher = watchFolder(folder);
  await changed();
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    watcher.on(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void changed(), SETTLE_MS);
    });
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  return 0;
}

function watchFolder(folder: string) {
  const inner = watch(folder, { ignoreInitial: true, followSymlinks: false, depth: 1 });
  return {
    on: (listener: () => void) => inner.on('all', listener),
    [Symbol.asyncDispose]: () => inner.close(),
  };
}
