/** Commits what a completed session changed, and nothing else, through the repository's own hooks. */
import { join } from 'node:path';
import { lstat, realpath } from 'node:fs/promises';
import { childEnv } from '../kernel/base/child-env.ts';
import { CcError } from '../kernel/base/errors.ts';
import { type ProgramResult, runProgram } from '../kernel/base/processes.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { findRepository, type Repository } from '../kernel/worktree/git.ts';
import { outsideScope } from './evidence/outside-scope.ts';
import { secretsAmong } from './evidence/secret-files.ts';
import { whyStale } from './evidence/verified-tree.ts';
import { headlineOf } from './intake/headline.ts';
import {
  type Behind,
  bringIndexAlong,
  filesOf,
  type Git,
  quoted,
  stagedAmong,
  untrackedAmong,
  whyLocked,
} from './git-index.ts';
import type { WorkflowPorts } from './ports.ts';
import { openSession, type Snapshot } from './session-dir.ts';
import { type Decision, type Refusal, refuse } from './transitions.ts';

const DOCUMENTS = [
  'intent.md',
  'plan.md',
  'tasks.json',
  'verify.json',
  'summary.md',
  'mode.json',
  'progress.log',
];
/** Beside the sessions, without which the next clone would commit what belongs to this machine. */
const SHARED = ['.gitignore', '.gitattributes'];
/** Hooks of a repository may run its whole test suite. */
const COMMIT_TIMEOUT_MS = 1_800_000;

export interface CommitRequest {
  readonly id: SessionId;
  readonly message: string | undefined;
  readonly signal: AbortSignal;
}

type Refused = Extract<Decision, { allowed: false }>;

export type Committed =
  | { readonly allowed: false; readonly refusal: Refusal }
  | {
      readonly allowed: true;
      readonly hash: string;
      /** Relative to the top of the repository. */
      readonly files: readonly string[];
      /** Changed since the session began, but outside of every step's scope, or a secret: not committed. */
      readonly left: readonly string[];
      /** Those of `left` that look like secrets, and that no scope names. */
      readonly secrets: readonly string[];
      /** What brings the person's index to the commit, where that failed. */
      readonly behind: Behind;
    };

/**
 * Builds the commit in an index of its own: what the person had staged stays staged, and what they had
 * changed before the session began stays out, to the hunk.
 *
 * @throws {CcError} `TOOL_EXECUTION_FAILED` with the words of git or of the hook that refused.
 */
export async function commitSession(
  ports: WorkflowPorts,
  request: CommitRequest,
): Promise<Committed> {
  const session = openSession(ports, request.id);
  const now = await session.read({ withTree: true });
  const { evidence, stage } = now.facts;
  if (stage !== 'complete' || evidence.status === 'absent' || !evidence.fresh) {
    return refuse('VERIFICATION_STALE', await whyStale(ports, now.verify), 'cc reopen');
  }
  const repository = await findRepository(ports.root);
  if (repository === undefined) {
    return refuse('REQUEST_INVALID', 'This project is not in a git repository', 'git init');
  }
  const base = now.mode.baseTree;
  if (base === undefined)
    return refuse('REQUEST_INVALID', 'The session changed nothing', 'cc status');
  const git = gitIn(ports, repository.top, request.signal);
  const closed = (await whyClosed(git, repository)) ?? (await whyLocked(repository.gitDir));
  if (closed !== undefined) return closed;

  const { tree } = await ports.trees.hash(request.signal);
  const changed = (await ports.trees.diff(base, tree)).map(({ path }) => path);
  const outside = await outsideScope(ports.root, now.plan, changed);
  const secrets = await untrackedAmong(git, {
    root: ports.root,
    paths: secretsAmong(now.plan, without(changed, outside)),
  });
  const left = [...outside, ...secrets];
  const own = without(changed, left);
  const index = join(repository.gitDir, `cc-index-${now.id}`);
  try {
    const patch = own.length === 0 ? Buffer.of() : await ports.trees.patch(base, tree, own);
    const building = { git, index, patch, ports, now };
    if (await isInHead(building)) {
      // An earlier call may have made it and not come to this.
      const hash = await headOf(git);
      const behind = await bringIndexAlong(git, { hash, all: false });
      return { allowed: true, hash, files: await filesOf(git, hash), left, secrets, behind };
    }
    const paths = own.map((path) => join(ports.root, path));
    const staged = await stagedAmong(git, paths);
    if (staged.length > 0) return refuseStaged(staged);
    const hash = await commitIndex(building, request);
    const behind = await bringIndexAlong(git, { hash, all: true });
    return { allowed: true, hash, files: await filesOf(git, hash), left, secrets, behind };
  } finally {
    await ports.files.remove(index);
    await ports.files.remove(`${index}.lock`);
  }
}

function without(paths: readonly string[], others: readonly string[]): readonly string[] {
  const gone = new Set(others);
  return paths.filter((path) => !gone.has(path));
}

/** A commit in the middle of these would end them, with half of what belongs to them. */
const UNDER_WAY = [
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
] as const;

async function whyClosed(git: Git, { gitDir }: Repository): Promise<Refused | undefined> {
  for (const [name, verb] of UNDER_WAY) {
    if ((await lstat(join(gitDir, name)).catch(() => undefined)) === undefined) continue;
    const message = `A ${verb} is under way in this repository`;
    return refuse('STAGE_MISMATCH', message, `git ${verb} --continue`);
  }
  const head = await git(['rev-parse', '--quiet', '--verify', 'HEAD'], { fine: [1] });
  if (head.exitCode === 0) return undefined;
  const message =
    'This repository has no commit yet, so that all of your files are uncommitted: commit them yourself, ' +
    'or begin with an empty commit';
  return refuse('REQUEST_INVALID', message, 'git commit --allow-empty --message begin');
}

function refuseStaged(staged: readonly string[]): Refused {
  const message = `You staged changes in files of this session: ${staged.join(', ')}`;
  const remedy = `git restore --staged -- ${staged.map(quoted).join(' ')}`;
  return refuse('STAGE_MISMATCH', message, remedy);
}

interface Building {
  readonly git: Git;
  readonly index: string;
  readonly patch: Buffer;
  readonly ports: WorkflowPorts;
  readonly now: Snapshot;
}

/** Fills the commit's own index. True when the newest commit has it all already. */
async function isInHead(building: Building): Promise<boolean> {
  const { git, index, ports, now } = building;
  const env = { GIT_INDEX_FILE: index };
  const root = await realpath(ports.root);
  const folder = join(root, '.chainlesschain');
  await git(['read-tree', 'HEAD'], { env });
  await applyPatch(building);
  const documents = DOCUMENTS.map((name) => join(folder, 'sessions', now.id, name));
  for (const name of SHARED) {
    const { stdout } = await git(['ls-files', '--', join(folder, name)], { env });
    // Once it is tracked, a change of it is the person's.
    if (stdout.length === 0) documents.push(join(folder, name));
  }
  // 1: the person ignores it, 128: it is not there. Both stay out.
  for (const path of documents) {
    if (await isFile(path)) await git(['add', '--', path], { env, fine: [1, 128] });
  }
  const difference = ['diff-index', '--cached', '--quiet', 'HEAD', '--'];
  return (await git(difference, { env, fine: [1] })).exitCode === 0;
}

async function commitIndex(building: Building, request: CommitRequest): Promise<string> {
  const { git, index, now } = building;
  const env = { GIT_INDEX_FILE: index };
  const message = request.message ?? messageOf(now);
  const timeoutMs = COMMIT_TIMEOUT_MS;
  await git(['commit', '--quiet', '--file', '-'], { env, input: Buffer.from(message), timeoutMs });
  return headOf(git);
}

/** Into the commit's own index. What the person committed themselves in the meantime is there already. */
async function applyPatch({ git, index, patch }: Building): Promise<void> {
  if (patch.length === 0) return;
  const options = { env: { GIT_INDEX_FILE: index }, input: patch };
  const apply = ['apply', '--cached', '--whitespace=nowarn'];
  const backwards = await git([...apply, '--reverse', '--check', '-'], { ...options, fine: [1] });
  if (backwards.exitCode !== 0) await git([...apply, '-'], options);
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() === true;
}

async function headOf(git: Git): Promise<string> {
  return (await git(['rev-parse', 'HEAD'])).stdout.toString('utf8').trim();
}

/** The person's git: their identity, their signing, their hooks; without the keys of models. */
function gitIn(ports: WorkflowPorts, cwd: string, signal: AbortSignal): Git {
  return async (args, { env = {}, input, timeoutMs, fine = [] } = {}) => {
    const merged = { ...childEnv(ports.env, { marker: 'commit' }), ...env };
    const options = {
      cwd,
      env: merged,
      signal,
      ...(input ? { input } : {}),
      ...(timeoutMs ? { timeoutMs } : {}),
    };
    const result = await runProgram(
      'git',
      ['--literal-pathspecs', '-c', 'core.fsmonitor=false', ...args],
      options,
    );
    if (result.exitCode === 0 || fine.includes(result.exitCode ?? -1)) return result;
    throw failed(args, result);
  };
}

function failed(args: readonly string[], { exitCode, stdout, stderr }: ProgramResult): CcError {
  const words = `${stdout.toString('utf8')}\n${stderr}`.trim().split('\n').slice(-10).join('\n');
  const message = `git ${args[0] ?? ''} ended with ${exitCode ?? 'no exit code'}: ${words}`;
  const hint = 'cc complete --commit';
  return new CcError('TOOL_EXECUTION_FAILED', message, { hint, details: { exitCode } });
}

function messageOf({ intent, id, verify }: Snapshot): string {
  const title = headlineOf(intent.goal) || id;
  const proofs = (verify?.criteria ?? []).map(
    ({ id: name, proof }) => `${name}: ${proof ?? 'not proven'}`,
  );
  return [title, '', ...proofs, `Session: ${id}`].join('\n');
}
