/**
 * Which approvals hold in this folder, in the person's home: a seal proves who said yes to what, this record
 * where they said it, and that they did not take it back. Files of a project can be copied and restored; it cannot.
 */
import { join } from 'node:path';
import { type FilePort, readText, writeTextAtomic } from '../kernel/base/files.ts';
import { sha256 } from '../kernel/base/hash.ts';

export interface ApprovalRecord {
  /** Seals of a session's plan that hold here; `'any'` where a key is shared, and with it the approvals. */
  standing(session: string): Promise<readonly string[] | 'any'>;
  /** Before the files change: the new approval holds as well as the old one, whichever a kill leaves. */
  expect(session: string, seal: string): Promise<void>;
  /** After they changed: only this one holds, or none. */
  settle(session: string, seal: string | undefined): Promise<void>;
}

export interface ApprovalPlace {
  /** Of `cc`. */
  readonly home: string;
  /** Absolute real path of the project: a copy of it is another place. */
  readonly root: string;
  readonly files: FilePort;
  /** `CC_SEAL_KEY`: whoever has it trusts everybody else who has. */
  readonly isShared: boolean;
}

/** For a key that is shared. */
const EVERY_APPROVAL: ApprovalRecord = {
  standing: async () => 'any',
  expect: async () => undefined,
  settle: async () => undefined,
};

/** One file for each session. */
export function openApprovals({ home, root, files, isShared }: ApprovalPlace): ApprovalRecord {
  if (isShared) return EVERY_APPROVAL;
  const nameOf = (text: string) => sha256(text).slice(0, 16);
  const folder = () => join(home, 'approvals', nameOf(root));
  const pathOf = (session: string) => join(folder(), `${nameOf(session)}.json`);
  const read = async (session: string) => {
    try {
      const seals: unknown = JSON.parse((await readText(pathOf(session))) ?? '[]');
      return Array.isArray(seals) ? seals.filter((seal) => typeof seal === 'string') : [];
    } catch {
      // What cannot be read proves nothing: the plan is approved again.
      return [];
    }
  };
  const write = async (session: string, seals: readonly string[]) => {
    await files.makeFolder(folder());
    await writeTextAtomic(files, pathOf(session), `${JSON.stringify(seals)}\n`);
  };
  return {
    standing: read,
    async expect(session, seal) {
      const seals = await read(session);
      if (!seals.includes(seal)) await write(session, [...seals, seal]);
    },
    async settle(session, seal) {
      const seals = await read(session);
      const wanted = seal === undefined ? [] : [seal];
      if (JSON.stringify(seals) !== JSON.stringify(wanted)) await write(session, wanted);
    },
  };
}
