import { open } from 'node:fs/promises';
import type { FilePort } from '../../src/kernel/base/files.ts';
import { unwritable } from '../../src/kernel/base/node-files.ts';

export interface Operation {
  /** From 1, over all operations of the port and of its writers. */
  readonly number: number;
  readonly name: keyof FilePort | 'write' | 'close';
  readonly path: string;
}

/** Called around every operation; what it throws, the operation throws. */
export interface Watcher {
  before?(operation: Operation): void | Promise<void>;
  after?(operation: Operation): void | Promise<void>;
}

/** A file port that tells of each of its operations. */
export function countedFiles(inner: FilePort, watcher: Watcher): FilePort {
  let number = 0;
  const around = async <T>(name: Operation['name'], path: string, work: () => Promise<T>) => {
    const operation = { number: ++number, name, path };
    await watcher.before?.(operation);
    const result = await work();
    await watcher.after?.(operation);
    return result;
  };
  return {
    makeFolder: (path) => around('makeFolder', path, () => inner.makeFolder(path)),
    writeNew: (path, ...rest) => around('writeNew', path, () => inner.writeNew(path, ...rest)),
    append: (path, bytes) => around('append', path, () => inner.append(path, bytes)),
    async openWriter(path) {
      const writer = await around('openWriter', path, () => inner.openWriter(path));
      return {
        write: (bytes) => around('write', path, () => writer.write(bytes)),
        close: () => around('close', path, () => writer.close()),
      };
    },
    rename: (from, to) => around('rename', to, () => inner.rename(from, to)),
    link: (from, to) => around('link', to, () => inner.link(from, to)),
    setMode: (path, mode) => around('setMode', path, () => inner.setMode(path, mode)),
    remove: (path) => around('remove', path, () => inner.remove(path)),
    removeFolder: (path) => around('removeFolder', path, () => inner.removeFolder(path)),
    syncFolder: (path) => around('syncFolder', path, () => inner.syncFolder(path)),
  };
}

/** What needs room on a disk. */
const NEEDS_ROOM = new Set<Operation['name']>([
  'makeFolder',
  'writeNew',
  'append',
  'openWriter',
  'write',
  'link',
]);

/** A disk that is full from operation `first` on: what needs room fails as the system says it. */
export function fullFrom(inner: FilePort, first: number, seen: { failed: number }): FilePort {
  return countedFiles(inner, {
    async before({ number, name, path }) {
      if (number < first || !NEEDS_ROOM.has(name)) return;
      seen.failed++;
      throw unwritable(path, await realNoSpace());
    },
  });
}

/** The error object of a full device. */
async function realNoSpace(): Promise<unknown> {
  await using device = await open('/dev/full', 'w');
  return device.writeFile('x').then(
    () => new Error('/dev/full took a byte'),
    (error: unknown) => error,
  );
}
