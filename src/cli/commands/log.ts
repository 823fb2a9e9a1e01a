import { assertInside } from '../../kernel/base/paths.ts';
import type { SessionId } from '../../kernel/protocol/vocabulary.ts';
import { progressPath, readAdded, readTail, sizeOf } from '../progress-log.ts';
import { type Call, defineCommand } from '../command.ts';
import { count, flag } from '../options.ts';
import { safeText } from '../terminal/safe-text.ts';

const DEFAULT_LINES = 20;
/** Read from the end: a log of half a gigabyte costs no more than this. */
const MAX_TAIL_BYTES = 256 * 1024;

const options = {
  lines: count('<n>', `How many of the last entries; default ${DEFAULT_LINES}`),
  follow: flag('Go on with what is added, until Ctrl-C', 'f'),
};

export const command = defineCommand({
  name: 'log',
  about: 'The last entries of progress.log: who did what, when.',
  examples: ['cc log', 'cc log --follow'],
  options,

  async run(call) {
    const { args, host, out } = call;
    const { id } = await host.pickSession();
    await host.assertThere(id);
    const path = progressPath(host.root, id);
    await assertInside(host.root, path);
    if (args.follow) return follow(call, id, path);
    const { entries, isCut } = await readTail(path, MAX_TAIL_BYTES);
    const wanted = args.lines ?? DEFAULT_LINES;
    const last = entries.slice(-wanted);
    const older = isCut && last.length < wanted ? [`older entries: ${path}`] : [];
    const none = last.length === 0 ? [`${id}: nothing was logged yet`] : [];
    const text = [...older, ...none, ...last].join('\n');
    const value = { session: id, entries: last };
    return out.done({ value, text, next: await host.propose('cc status', id) });
  },
});

async function follow({ args, host }: Call<typeof options>, id: SessionId, path: string) {
  const { refuseJson, watchSession } = await import('../watch-session.ts');
  refuseJson(host, 'cc log --json');
  const print = (lines: readonly string[]) => {
    for (const line of lines) host.io.stdout(`${safeText(line)}\n`);
  };
  const { entries, end } = await readTail(path, MAX_TAIL_BYTES);
  print(entries.slice(-(args.lines ?? DEFAULT_LINES)));
  let seen = end;
  return watchSession(host, id, async () => {
    // A log that became shorter was replaced: begin anew.
    if ((await sizeOf(path)) < seen) seen = 0;
    for (;;) {
      const added = await readAdded(path, seen);
      if (added.end === seen) return;
      print(added.entries);
      seen = added.end;
    }
  });
}
