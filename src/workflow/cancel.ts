/** Ends what runs in a session, from any other process, in two seconds. */
import { endMarked, endProcess } from '../kernel/base/processes.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { breakLease, type LeaseHolder, readLease } from './lease.ts';
import type { WorkflowPorts } from './ports.ts';
import { assertExists, openSession } from './session-dir.ts';

const GRACE_MS = 800;
/** For the lock, when somebody else writes at this very moment. */
const PATIENCE_MS = 300;

export interface Cancelled {
  /** `undefined` when nothing ran: cancelling twice is fine. */
  readonly holder: LeaseHolder | undefined;
  /** Processes of the run that were still there and were ended. */
  readonly ended: number;
}

/**
 * The lease goes first: whatever the run does afterwards, it can write nothing more. No document is read
 * before all is over, so that a damaged session can be cancelled too.
 */
export async function cancel(ports: WorkflowPorts, id: SessionId): Promise<Cancelled> {
  const session = openSession(ports, id);
  await assertExists(session);
  const seen = await readLease(session.folder);
  if (seen === undefined) return { holder: undefined, ended: 0 };
  const holder = (await breakLease(session.folder, ports.leases)) ?? seen;
  // Both at once: each may take its time until the last signal.
  const [, ended] = await Promise.all([endProcess(holder, GRACE_MS), endMarked(holder.nonce)]);
  // A heartbeat that was under way may have written the lease once more, and a check may have been starting.
  const again = await readLease(session.folder);
  if (again?.nonce === holder.nonce) await breakLease(session.folder, ports.leases);
  const all = ended + (await endMarked(holder.nonce));
  await note(ports, id, `[cancel] ended ${holder.command} (process ${holder.pid})`);
  return { holder, ended: all };
}

/** In a session that is damaged or busy there is no line, and it is cancelled all the same. */
async function note(ports: WorkflowPorts, id: SessionId, line: string): Promise<void> {
  const { root, sessions } = ports;
  const leases = {
    ...sessions.leases,
    locks: { ...sessions.leases.locks, patienceMs: PATIENCE_MS },
  };
  const emit: WorkflowPorts['emit'] = (event) => ports.emit(event);
  const hasty = { root, emit, sessions: { ...sessions, leases } };
  const change = () => ({ progress: [line] });
  await openSession(hasty, id)
    .transact({ action: 'cancel', besideRun: true, change })
    .catch(() => undefined);
}
