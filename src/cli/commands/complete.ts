import { join, relative } from 'node:path';
import { readText } from '../../kernel/base/files.ts';
import type { SessionId } from '../../kernel/protocol/vocabulary.ts';
import { findRepository } from '../../kernel/worktree/git.ts';
import { commitSession } from '../../workflow/commit-session.ts';
import { quoted } from '../../workflow/git-index.ts';
import { complete } from '../../workflow/complete.ts';
import { readStatus } from '../../workflow/session-status.ts';
import { NEW_SESSION } from '../../workflow/transitions.ts';
import { defineCommand } from '../command.ts';
import type { Host } from '../host/host.ts';
import { flag, text } from '../options.ts';

export const command = defineCommand({
  name: 'complete',
  about:
    'Closes the session: the checks passed on exactly the tree that is here now, every step is done and ' +
    'every criterion is proven. Writes summary.md.',
  examples: ['cc complete', 'cc complete --commit'],
  options: {
    commit: flag("Commit the session's own changes, through the repository's hooks"),
    message: text('<text>', 'The message of that commit; default: the goal'),
  },

  async run({ args, host, out }) {
    const { id } = await host.pickSession();
    const { signal } = host.io;
    const isRetry = args.commit && (await isCompleted(host, id));
    if (!isRetry) {
      const decision = await host.controller.request(id, (ports) =>
        complete(ports, { id, signal }),
      );
      if (!decision.allowed) return out.refuse(decision.refusal, id);
    }
    const value = { session: id, stage: 'complete', summaryFile: 'summary.md' };
    const said = isRetry
      ? [`${id}: complete since before`]
      : [`${id}: complete`, 'wrote summary.md', '', await summaryOf(host, id), ''];
    if (!args.commit) {
      const text = said.join('\n');
      return out.done({ value, text, next: await afterwards(host, id) });
    }

    const commit = await host.controller.request(id, (ports) =>
      commitSession(ports, { id, message: args.message, signal }),
    );
    if (!commit.allowed) return out.refuse(commit.refusal, id);
    const left = commit.left.map((path) => {
      const why = commit.secrets.includes(path) ? whyHeld(host, path) : '';
      return `  not in the commit: ${path}${why}`;
    });
    const { behind } = commit;
    const late =
      behind === undefined
        ? []
        : [
            `  ! ${behind.why}`,
            '  ! git still has the state before it staged; the command below ends that',
          ];
    const told = [
      ...said,
      `Committed ${commit.hash.slice(0, 12)}`,
      ...filesIn(commit.files),
      ...left,
      ...late,
      '',
    ].join('\n');
    return out.done({
      value: { ...value, commit: commit.hash, files: commit.files, left: commit.left },
      text: told,
      next: behind?.command ?? NEW_SESSION,
    });
  },
});

const MAX_TOLD_FILES = 20;

function filesIn(files: readonly string[]): readonly string[] {
  const told = files.slice(0, MAX_TOLD_FILES).map((path) => `  ${path}`);
  const more = files.length - told.length;
  return more === 0 ? told : [...told, `  and ${more} more, ${files.length} files in all`];
}

function whyHeld({ root, io }: Host, path: string): string {
  const way = quoted(relative(io.cwd, join(root, path)));
  return ` (it looks like a secret; to have it in git: git add -- ${way})`;
}

async function summaryOf({ root }: Host, id: string): Promise<string> {
  const path = join(root, '.chainlesschain', 'sessions', id, 'summary.md');
  return (await readText(path))?.trimEnd() ?? '';
}

/** A commit that a hook refused can be tried again: the completion stands. */
async function isCompleted(host: Host, id: string): Promise<boolean> {
  const status = await readStatus(host.status, id);
  return status.ok && status.facts.stage === 'complete';
}

async function afterwards(host: Host, id: SessionId): Promise<string | undefined> {
  const repository = await findRepository(host.root);
  return repository === undefined ? NEW_SESSION : host.propose('cc complete --commit', id);
}
