/** The one composition root: the only file that knows which adapter stands behind which port. */
import { userInfo } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { refuseHooks } from '../../hooks/untrusted-hooks.ts';
import { childEnv } from '../../kernel/base/child-env.ts';
import { sha256 } from '../../kernel/base/hash.ts';
import type { LockPorts } from '../../kernel/base/lock.ts';
import { describeProcess, stateOf } from '../../kernel/base/process-identity.ts';
import { readHead } from '../../kernel/worktree/git.ts';
import type { openTreeStore, TreeStore } from '../../kernel/worktree/private-store.ts';
import type { ReceiptStore } from '../../workflow/evidence/receipts.ts';
import type { ApprovalPlace, ApprovalRecord } from '../../workflow/approval-record.ts';
import { DocumentCache } from '../../workflow/document-cache.ts';
import { assertThere, findSession, pickSession } from '../../workflow/pick-session.ts';
import type { WorkflowPorts } from '../../workflow/ports.ts';
import type { SessionPorts } from '../../workflow/session-dir.ts';
import { readStatus } from '../../workflow/session-status.ts';
import type { GlobalValues } from '../command.ts';
import type { Io } from '../io.ts';
import { VERSION } from '../version.ts';
import { withSession } from '../output.ts';
import { safeText } from '../terminal/safe-text.ts';
import { createController } from './controller.ts';
import type { Host } from './host.ts';
import { type Act, consentOf } from './person.ts';
import { assertOutside, ownHome } from './own-home.ts';
import { findProjectRoot } from './project-root.ts';
import { readSealKey } from './seal-key.ts';

/** Relative to the project; an absolute one opens from anywhere. */
const SESSION_PATH = /(?<![\w/])\.chainlesschain\/sessions\//g;

/** @param command What the person typed, for remedies that say "the same again, but …". */
export async function boot(io: Io, global: GlobalValues, command: string): Promise<Host> {
  const { files, env, clock } = io;
  const cwd = resolve(io.cwd, global.cwd ?? '.');
  const home = ownHome(io);
  const root = findProjectRoot(cwd, io.home, home);
  assertOutside(root, io);
  const locks = lockPorts(io);
  const leases = { locks, clock };
  const trees = lazyTrees(() => openTrees({ root, home, files, locks, env }));
  const approvals = lazyApprovals({ home, root, files, isShared: Boolean(env['CC_SEAL_KEY']) });
  const sessionPorts: SessionPorts = {
    files,
    leases,
    clock,
    // Not `undefined`: asked to make the key when it is missing.
    sealKey: async () => (await readSealKey(home, { files, env, make: true })) ?? new Uint8Array(),
    approvals,
    treeHash: async () => (await trees.hash()).hash,
    position: () => readHead(root),
  };
  const parts: Omit<WorkflowPorts, 'emit'> = {
    root,
    files,
    clock,
    leases,
    env,
    trees,
    hooks: refuseHooks(root, { skip: global.noHooks, command }),
    receipts: lazyReceipts(home, root, files),
    sessions: sessionPorts,
  };
  const selection = { root, named: global.session, env, home };
  const person = personPorts(io, global, root);
  const propose: Host['propose'] = async (next, id) => {
    if (next === undefined) return undefined;
    const found = await findSession({ ...selection, named: undefined }).catch(() => undefined);
    return found?.id === id ? next : withSession(next, id);
  };
  const status: Host['status'] = {
    root,
    cache: new DocumentCache({ root, home, files, build: VERSION }),
    leases,
    approvals,
    sealKey: once(() => readSealKey(home, { files, env, make: false })),
  };
  return {
    io,
    files,
    global,
    root,
    home,
    controller: createController(parts),
    fromHere(text) {
      const way = relative(io.cwd, root);
      return way === '' ? text : text.replaceAll(SESSION_PATH, (path) => `${way}/${path}`);
    },
    async config() {
      const { loadConfig } = await import('../../workflow/config.ts');
      return loadConfig({ root, home, files });
    },
    pickSession: () => pickSession(selection),
    findSession: () => findSession(selection),
    assertThere: (id) => assertThere(root, id),
    status,
    consent: (act: Act) => consentOf(person, act),
    propose,
    async dueCommand(id) {
      const found = await readStatus(status, id);
      const due = (found.ok ? found.next : found.problem.hint) ?? 'cc status';
      return (await propose(due, id)) ?? due;
    },
  };
}

function lockPorts({ files }: Io): LockPorts {
  return {
    files,
    self: () => describeProcess(crypto.randomUUID(), process.pid),
    isDead: (holder) => stateOf(holder, processExists) === 'dead',
  };
}

/** Signal 0 only asks. A process of another user exists, although it may not be signalled. */
function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function openTrees(place: Parameters<typeof openTreeStore>[0]): Promise<TreeStore> {
  const { openTreeStore: open } = await import('../../kernel/worktree/private-store.ts');
  return open(place);
}

/** Looking at a thousand sessions asks for the key a thousand times; it is one key. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}

/** Opened at the first use: most commands never look at the tree. */
function lazyTrees(open: () => Promise<TreeStore>): TreeStore {
  let opened: Promise<TreeStore> | undefined;
  const store = () => (opened ??= open());
  return {
    hash: async (signal) => (await store()).hash(signal),
    diff: async (from, to) => (await store()).diff(from, to),
    show: async (tree, path) => (await store()).show(tree, path),
    patch: async (from, to, paths) => (await store()).patch(from, to, paths),
    keep: async (tree, name) => (await store()).keep(tree, name),
  };
}

/** Asked for a plan that says it is approved, and for no other. */
function lazyApprovals(place: ApprovalPlace): ApprovalRecord {
  const open = async () => {
    const { openApprovals } = await import('../../workflow/approval-record.ts');
    return openApprovals(place);
  };
  return {
    standing: async (session) => (await open()).standing(session),
    expect: async (session, seal) => (await open()).expect(session, seal),
    settle: async (session, seal) => (await open()).settle(session, seal),
  };
}

/** Opened at the first use. The folder is named after the project. */
function lazyReceipts(home: string, root: string, files: Io['files']): ReceiptStore {
  const open = async () => {
    const { openReceipts } = await import('../../workflow/evidence/receipts.ts');
    return openReceipts(join(home, 'receipts', sha256(root).slice(0, 16)), files);
  };
  return {
    find: async (session, key) => (await open()).find(session, key),
    save: async (session, receipt) => (await open()).save(session, receipt),
  };
}

function personPorts(io: Io, global: GlobalValues, root: string) {
  return {
    insideOwnRun: io.env['CC_RUN'] !== undefined,
    prompter: global.noInput ? undefined : io.prompter,
    // What is approved was written by somebody else, perhaps for this very terminal.
    show: (text: string) => io.stderr(safeText(text)),
    name: () => personName(io, root),
  };
}

/** As git knows the person, else as the system does. */
async function personName(io: Io, root: string): Promise<string> {
  const { runProgram } = await import('../../kernel/base/processes.ts');
  const env = childEnv(io.env, { marker: '' });
  const { stdout } = await runProgram('git', ['config', 'user.name'], { cwd: root, env });
  const name = stdout.toString('utf8').trim();
  return name === '' ? userInfo().username : name;
}
