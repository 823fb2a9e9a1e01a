/** What is left to do with a session that is complete. */
import { join } from 'node:path';
import { childEnv } from '../../kernel/base/child-env.ts';
import { runProgram } from '../../kernel/base/processes.ts';
import type { SessionId } from '../../kernel/protocol/vocabulary.ts';
import { findRepository } from '../../kernel/worktree/git.ts';
import { NEW_SESSION } from '../../workflow/transitions.ts';
import type { Host } from './host.ts';

/** To commit it, where its summary is not in the last commit; else something new. */
export async function commandAfterEnd(host: Host, id: SessionId): Promise<string> {
  if ((await findRepository(host.root)) === undefined) return NEW_SESSION;
  if (!(await isLeft(host, id))) return NEW_SESSION;
  return (await host.propose('cc complete --commit', id)) ?? NEW_SESSION;
}

/** Whether git sees the summary as new or changed; of what it ignores nobody can tell. */
async function isLeft({ root, io }: Host, id: SessionId): Promise<boolean> {
  const summary = join('.chainlesschain', 'sessions', id, 'summary.md');
  const { exitCode, stdout } = await runProgram(
    'git',
    // Looking writes nothing, not even git's own notes.
    ['--no-optional-locks', 'status', '--porcelain', '--untracked-files=all', '--', summary],
    { cwd: root, env: childEnv(io.env, { marker: '' }) },
  );
  return exitCode === 0 && stdout.length > 0;
}
