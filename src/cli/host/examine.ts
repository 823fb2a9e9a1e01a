/** What `cc doctor` looks at. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { listHooks } from '../../hooks/untrusted-hooks.ts';
import { childEnv } from '../../kernel/base/child-env.ts';
import { CcError } from '../../kernel/base/errors.ts';
import { ignoring } from '../../kernel/base/files.ts';
import { runProgram } from '../../kernel/base/processes.ts';
import { findShell } from '../../kernel/base/shell.ts';
import { findRepository } from '../../kernel/worktree/git.ts';
import { listSettings } from '../../workflow/config.ts';
import { listSessions } from '../../workflow/session-list.ts';
import { withSession } from '../output.ts';
import type { Host } from './host.ts';

export interface Finding {
  readonly level: 'ok' | 'note' | 'error';
  readonly what: string;
  readonly found: string;
  /** A command or an act that puts it right. */
  readonly remedy?: string;
}

export async function examine(host: Host): Promise<readonly Finding[]> {
  return [
    { level: 'ok', what: 'Node', found: process.versions.node },
    await git(host),
    await shell(host),
    await home(host),
    await sealKey(host),
    await project(host),
    await hooks(host),
    await settings(host),
    ...(await sessions(host)),
  ];
}

async function git({ root, io }: Host): Promise<Finding> {
  const env = childEnv(io.env, { marker: '' });
  const { exitCode, stdout } = await runProgram('git', ['--version'], { cwd: root, env });
  if (exitCode === 0) return { level: 'ok', what: 'git', found: stdout.toString('utf8').trim() };
  const remedy = 'install git';
  return { level: 'error', what: 'git', found: 'not found; trees are compared with it', remedy };
}

async function shell({ io }: Host): Promise<Finding> {
  const found = await findShell(childEnv(io.env, { marker: '' }));
  if (found === undefined) {
    return { level: 'error', what: 'shell', found: 'neither bash nor sh', remedy: 'install bash' };
  }
  const note = found.kind === 'bash' ? '' : '; without bash a pipeline is judged by its last part';
  return {
    level: found.kind === 'bash' ? 'ok' : 'note',
    what: 'shell',
    found: `${found.path}${note}`,
  };
}

async function home({ home: folder }: Host): Promise<Finding> {
  const found = (path: string) => stat(path).catch(ignoring('ENOENT', 'ENOTDIR'));
  let nearest = folder;
  while ((await found(nearest)) === undefined) nearest = dirname(nearest);
  const isFolder = (await found(nearest))?.isDirectory() ?? false;
  const isWritable =
    isFolder &&
    (await access(nearest, constants.W_OK).then(
      () => true,
      () => false,
    ));
  if (isWritable) return { level: 'ok', what: 'home folder', found: folder };
  const remedy = 'set CHAINLESSCHAIN_HOME to a folder of yours';
  return { level: 'error', what: 'home folder', found: `${nearest} cannot be written`, remedy };
}

async function sealKey({ status, io }: Host): Promise<Finding> {
  const what = 'seal key';
  if (io.env['CC_SEAL_KEY'] !== undefined) return { level: 'ok', what, found: 'from CC_SEAL_KEY' };
  try {
    const key = await status.sealKey();
    return { level: 'ok', what, found: key === undefined ? 'made at the first approval' : 'yours' };
  } catch (error) {
    const { message, hint } = CcError.from(error);
    return {
      level: 'error',
      what,
      found: message,
      ...(hint === undefined ? {} : { remedy: hint }),
    };
  }
}

async function project({ root }: Host): Promise<Finding> {
  const repository = await findRepository(root);
  const found = repository === undefined ? `${root}, not in a git repository` : root;
  return { level: repository === undefined ? 'note' : 'ok', what: 'project', found };
}

async function hooks({ root }: Host): Promise<Finding> {
  const names = await listHooks(root);
  if (names.length === 0) return { level: 'ok', what: 'hooks', found: 'none' };
  const found = `${names.join(', ')}; this version runs no hooks`;
  return { level: 'note', what: 'hooks', found, remedy: 'stages need --no-hooks' };
}

async function settings(host: Host): Promise<Finding> {
  try {
    const settings = await listSettings({ root: host.root, home: host.home, files: host.files });
    const changed = settings.filter(({ from }) => from !== 'default');
    const found = changed.map(({ name, from }) => `${name} (${from})`).join(', ');
    return { level: 'ok', what: 'settings', found: found === '' ? 'the defaults' : found };
  } catch (error) {
    return {
      level: 'error',
      what: 'settings',
      found: CcError.from(error).message,
      remedy: 'edit that line',
    };
  }
}

async function sessions({ status, root }: Host): Promise<readonly Finding[]> {
  const all = await listSessions(status);
  const found = `${all.length} in ${root}`;
  // A key or a setting that cannot be read is a finding of its own, and none of each session.
  const damaged = all.flatMap((session) =>
    session.ok || session.problem.code === 'CONFIG_INVALID' ? [] : [session],
  );
  return [
    { level: 'ok', what: 'sessions', found },
    ...damaged.map(({ id, problem }): Finding => {
      const remedy = withSession(problem.hint ?? 'cc repair', id);
      return { level: 'error', what: id, found: problem.message, remedy };
    }),
  ];
}
