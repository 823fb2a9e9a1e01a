import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring } from '../../kernel/base/files.ts';
import { assertInside } from '../../kernel/base/paths.ts';
import { type Call, defineCommand } from '../command.ts';
import { count, flag } from '../options.ts';
import { safeText } from '../terminal/safe-text.ts';

const DEFAULT_LINES = 20;
/** Read from the end: a log of half a gigabyte costs no more than this. */
const MAX_TAIL_BYTES = 256 * 1024;

const options = {
  lines: count('<n>', `How many of the last entries; default ${DEFAULT_LINES}`),
  follow: flag('Go on with what is added, until Ctrl-C'),
};

export const command = defineCommand({
  name: 'log',
  about: 'The last entries of progress.log: who did what, when.',
  examples: ['cc log', 'cc log --follow'],
  options,

  async run(call) {
    const { args, host, out } = call;
    const { id } = await host.pickSession();
    const path = join(host.root, '.chainlesschain', 'sessions', id, 'progress.log');
    await assertInside(host.root, path);
    const entries = await lastLines(path, args.lines ?? DEFAULT_LINES);
    if (args.follow) return follow(call, { id, path, entries });
    const text = entries.length === 0 ? `${id}: nothing was logged yet` : entries.join('\n');
    return out.done({ value: { session: id, entries }, text });
  },
});

interface Followed {
  readonly id: Parameters<typeof import('../watch-session.ts').watchSession>[1];
  readonly path: string;
  readonly entries: readonly string[];
}

async function follow(
  { host }: Call<typeof options>,
  { id, path, entries }: Followed,
): Promise<number> {
  const { watchSession } = await import('../watch-session.ts');
  if (entries.length > 0) host.io.stdout(safeText(`${entries.join('\n')}\n`));
  let seen = await sizeOf(path);
  return watchSession(host, id, async () => {
    const size = await sizeOf(path);
    // A log that became shorter was replaced: begin anew.
    const from = size < seen ? 0 : seen;
    seen = size;
    if (size > from) host.io.stdout(safeText(await readRange(path, from, size)));
  });
}

async function lastLines(path: string, lines: number): Promise<readonly string[]> {
  const size = await sizeOf(path);
  const from = Math.max(0, size - MAX_TAIL_BYTES);
  const text = await readRange(path, from, size);
  const all = text.split('\n').filter((line) => line.trim() !== '');
  // What begins in the middle of an entry is no entry.
  return (from > 0 ? all.slice(1) : all).slice(-lines);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(ignoring('ENOENT')))?.size ?? 0;
}

async function readRange(path: string, from: number, to: number): Promise<string> {
  if (to <= from) return '';
  await using file = await open(path, 'r');
  const bytes = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead).toString('utf8');
}
