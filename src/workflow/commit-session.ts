/** Commits what a completed session changed, and nothing else, through the repository's own hooks. */
import { join } from 'node:path';
import { realpath } from 'node:fs/promises';
import { CcError } from '../kernel/base/errors.ts';
import { type ProgramResult, runProgram } from '../kernel/base/processes.ts';
import { isInScope } from '../kernel/policy/policy.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { findRepository } from '../kernel/worktree/git.ts';
import type { WorkflowPorts } from './ports.ts';
import { openSession, type Snapshot } from './session-dir.ts';
import { type Refusal, refuse } from './transitions.ts';

const DOCUMENTS = [
  'intent.md',
  'plan.md',
  'tasks.json',
  'verify.json',
  'summary.md',
  'mode.json',
  'progress.log',
];
/** Hooks of a repository may run its whole test suite. */
const COMMIT_TIMEOUT_MS = 1_800_000;

export interface CommitRequest {
  readonly id: SessionId;
  readonly message: string | undefined;
  readonly signal: AbortSignal;
}

export type Committed =
  | { readonly allowed: false; readonly refusal: Refusal }
  | {
      readonly allowed: true;
      readonly hash: string;
      /** Changed since the session began, but outside of every step's scope: not committed. */
      readonly left: readonly string[];
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
    return refuse('VERIFICATION_STALE', 'The tree is not the one that was verified', 'cc reopen');
  }
  const repository = await findRepository(ports.root);
  if (repository === undefined) {
    return refuse('REQUEST_INVALID', 'This project is not in a git repository', 'cc complete');
  }
  const base = now.mode.baseTree;
  if (base === undefined)
    return refuse('REQUEST_INVALID', 'The session changed nothing', 'cc status');

  const { tree } = await ports.trees.hash(request.signal);
  const changed = (await ports.trees.diff(base, tree)).map(({ path }) => path);
  const own = changed.filter((path) => isOwn(now, path));
  const left = changed.filter((path) => !own.includes(path));
  const git = gitIn(ports, repository.top, request.signal);
  const staged =
    own.length === 0
      ? []
      : lines(
          await git([
            'diff',
            '--cached',
            '--name-only',
            '-z',
            '--',
            ...own.map((path) => join(ports.root, path)),
          ]),
        );
  if (staged.length > 0) {
    const message = `You staged changes in files of this session: ${staged.join(', ')}`;
    return refuse('STAGE_MISMATCH', message, 'git commit');
  }
  const index = join(repository.gitDir, `cc-index-${now.id}`);
  try {
    const patch = own.length === 0 ? Buffer.of() : await ports.trees.patch(base, tree, own);
    const hash = await commitWith({ git, index, patch, ports, now }, request);
    return { allowed: true, hash, left };
  } finally {
    await ports.files.remove(index);
    await ports.files.remove(`${index}.lock`);
  }
}

interface Building {
  readonly git: Git;
  readonly index: string;
  readonly patch: Buffer;
  readonly ports: WorkflowPorts;
  readonly now: Snapshot;
}

async function commitWith({ git, index, patch, ports, now }: Building, request: CommitRequest) {
  const env = { GIT_INDEX_FILE: index };
  const root = await realpath(ports.root);
  const folder = join(root, '.chainlesschain', 'sessions', now.id);
  await git(['read-tree', 'HEAD'], { env });
  if (patch.length > 0)
    await git(['apply', '--cached', '--whitespace=nowarn', '-'], { env, input: patch });
  const documents = DOCUMENTS.map((name) => join(folder, name));
  // 1: the person ignores it, 128: it is not there. Both stay out.
  for (const path of documents) await git(['add', '--', path], { env, fine: [1, 128] });
  const message = request.message ?? messageOf(now);
  const timeoutMs = COMMIT_TIMEOUT_MS;
  await git(['commit', '--quiet', '--file', '-'], { env, input: Buffer.from(message), timeoutMs });
  const hash = (await git(['rev-parse', 'HEAD'])).toString('utf8').trim();
  // The person's index still has the old entries of exactly these files: bring it to the new commit.
  const committed = lines(
    await git(['diff-tree', '-r', '-z', '--root', '--no-commit-id', '--name-only', hash]),
  );
  for (let at = 0; at < committed.length; at += BATCH) {
    await git(['reset', '--quiet', '--', ...committed.slice(at, at + BATCH)], { fine: [1] });
  }
  return hash;
}

const BATCH = 200;

type Git = (args: readonly string[], options?: GitOptions) => Promise<Buffer>;

interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer;
  readonly timeoutMs?: number;
  /** Exit codes besides 0 that are an answer. */
  readonly fine?: readonly number[];
}

/** The person's git, as they would call it: their identity, their signing, their hooks. */
function gitIn(ports: WorkflowPorts, cwd: string, signal: AbortSignal): Git {
  return async (args, { env = {}, input, timeoutMs, fine = [] } = {}) => {
    const merged = { ...withoutUndefined(ports.env), GIT_TERMINAL_PROMPT: '0', ...env };
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
    if (result.exitCode === 0 || fine.includes(result.exitCode ?? -1)) return result.stdout;
    throw failed(args, result);
  };
}

function failed(args: readonly string[], { exitCode, stdout, stderr }: ProgramResult): CcError {
  const words = `${stdout.toString('utf8')}\n${stderr}`.trim().split('\n').slice(-10).join('\n');
  const message = `git ${args[0] ?? ''} ended with ${exitCode ?? 'no exit code'}: ${words}`;
  const hint = 'cc complete --commit';
  return new CcError('TOOL_EXECUTION_FAILED', message, { hint, details: { exitCode } });
}

/** A change of this session: inside the scope of one of its steps. */
function isOwn({ plan }: Snapshot, path: string): boolean {
  if (path.startsWith('../')) return false;
  return plan?.steps.some(({ scope }) => isInScope(path, scope)) ?? false;
}

function messageOf({ intent, id, verify }: Snapshot): string {
  const [title = id] = intent.goal.split('\n');
  const proofs = (verify?.criteria ?? []).map(
    ({ id: name, proof }) => `${name}: ${proof ?? 'not proven'}`,
  );
  return [title, '', ...proofs, `Session: ${id}`].join('\n');
}

function lines(output: Buffer): readonly string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '');
}

function withoutUndefined(env: WorkflowPorts['env']): Record<string, string> {
  const entries = Object.entries(env);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
