/** What `cc doctor` looks at. */
import { accessSync, constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listHooks } from '../../hooks/untrusted-hooks.ts';
import { childEnv } from '../../kernel/base/child-env.ts';
import { TOO_MANY_FILES, openUp } from '../../kernel/base/errno.ts';
import { CcError } from '../../kernel/base/errors.ts';
import { ignoring } from '../../kernel/base/files.ts';
import { isInside } from '../../kernel/base/paths.ts';
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
    ...(await asked('git', () => git(host))),
    ...(await asked('shell', () => shell(host))),
    ...(await asked('home folder', () => home(host))),
    ...(await asked('seal key', () => sealKey(host))),
    ...(await asked('project', () => project(host))),
    ...(await asked('hooks', () => hooks(host))),
    ...(await asked('settings', () => settings(host))),
    ...(await asked('sessions', () => sessions(host))),
  ];
}

/** What cannot be looked at is a finding too: the rest is looked at all the same. */
async function asked(
  what: string,
  look: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    const { message, hint } = CcError.from(error);
    return [
      { level: 'error', what, found: message, ...(hint === undefined ? {} : { remedy: hint }) },
    ];
  }
}

async function git({ root, io }: Host): Promise<Finding> {
  const env = childEnv(io.env, { marker: '' });
  const { exitCode, stdout, stderr } = await runProgram('git', ['--version'], { cwd: root, env });
  if (exitCode === 0) return { level: 'ok', what: 'git', found: stdout.toString('utf8').trim() };
  if (stderr.includes(TOO_MANY_FILES)) {
    return { level: 'error', what: 'git', found: stderr, remedy: 'ulimit -n 1024' };
  }
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
  const key = await status.sealKey();
  return { level: 'ok', what, found: key === undefined ? 'made at the first approval' : 'yours' };
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
    const { code, message, hint } = CcError.from(error);
    const remedy = code === 'CONFIG_INVALID' ? 'edit that line' : (hint ?? 'cc config list');
    return { level: 'error', what: 'settings', found: message, remedy };
  }
}

async function sessions({ status, root, home }: Host): Promise<readonly Finding[]> {
  const all = await listSessions(status);
  const found = `${all.length} in ${root}`;
  // A key or a setting that cannot be read is a finding of its own, and none of each session.
  const damaged = all.flatMap((session) =>
    session.ok || isOfHome(session.problem, home) ? [] : [session],
  );
  const readable = all.filter((session) => session.ok).map(({ id }) => id);
  return [
    { level: 'ok', what: 'sessions', found },
    ...unwritable(root, readable),
    ...damaged.map(({ id, problem }): Finding => {
      const remedy = withSession(problem.hint ?? 'cc repair', id);
      return { level: 'error', what: id, found: problem.message, remedy };
    }),
  ];
}

function isOfHome({ code, details }: CcError, home: string): boolean {
  const { path } = details;
  return code === 'CONFIG_INVALID' || (typeof path === 'string' && isInside(home, path));
}

/** Folders and logs that are there and take nothing in. */
function unwritable(root: string, ids: readonly string[]): readonly Finding[] {
  const inSession = ['.', 'artifacts', 'runs', 'progress.log'];
  const paths = ids.flatMap((id) => inSession.map((name) => join(id, name)));
  return ['..', '.', ...paths].flatMap((name) => {
    const path = join(root, '.chainlesschain/sessions', name);
    if (takesIn(path)) return [];
    const found = `${path} cannot be written`;
    return [{ level: 'error', what: 'permissions', found, remedy: openUp(path) }];
  });
}

function takesIn(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    // What cannot be reached at all was told when the sessions were read.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
