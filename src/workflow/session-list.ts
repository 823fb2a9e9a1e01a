/** What the files of every session say. */
import { listSessionIds } from './pick-session.ts';
import { readStatus, type SessionStatus, type StatusPorts } from './session-status.ts';

/** Newest first; those that cannot be read last. */
export async function listSessions(ports: StatusPorts): Promise<readonly SessionStatus[]> {
  const statuses: SessionStatus[] = [];
  for (const id of await listSessionIds(ports.root)) statuses.push(await readStatus(ports, id));
  const when = (status: SessionStatus) => (status.ok ? (status.updatedAt ?? '') : '');
  return statuses.toSorted((a, b) => when(b).localeCompare(when(a)) || a.id.localeCompare(b.id));
}
