/** Ends a change that a killed process began in a session's folder, and says what it left as it was. */
import { join } from 'node:path';
import { withLock } from '../kernel/base/lock.ts';
import { type KeptEdit, rollForward } from '../kernel/base/transaction.ts';
import type { AgentEvent } from '../kernel/protocol/events.ts';
import type { LeasePorts } from './lease.ts';

export interface EmitPort {
  emit(event: AgentEvent): void;
}

/** @throws {CcError} `SESSION_DAMAGED` when the journal cannot be read or names a file elsewhere. */
export async function endChange(
  folder: string,
  ports: EmitPort & { readonly leases: LeasePorts },
): Promise<void> {
  const { locks } = ports.leases;
  const work = () => rollForward(locks.files, folder);
  tellKept(await withLock(join(folder, '.lock'), locks, work), ports);
}

export function tellKept(kept: readonly KeptEdit[], ports: EmitPort): void {
  for (const { file, copy } of kept) {
    const message = `${file} was edited while a change of it was under way: the edit stays, and what cc had written is in ${copy}`;
    const code = 'SESSION_PERSISTENCE_FAILED';
    const payload = { code, message, retryable: false, details: { file, copy } };
    ports.emit({ type: 'warning', payload });
  }
}
