/** Results of checks, kept in the person's home so that no file of a project can forge one. */
import { join } from 'node:path';
import * as z from 'zod';
import { type FilePort, readJson, writeTextAtomic } from '../../kernel/base/files.ts';
import { canonicalJson, sha256 } from '../../kernel/base/hash.ts';

const MAX_RECEIPTS = 200;

const receiptSchema = z.object({
  key: z.string(),
  at: z.string(),
  durationMs: z.number(),
  summary: z.string(),
  /** Relative to the session folder. */
  outputFile: z.string().optional(),
});
export type Receipt = z.output<typeof receiptSchema>;

/** A passed check of one command in one folder with one environment on one tree. */
export interface ReceiptStore {
  find(session: string, key: string): Promise<Receipt | undefined>;
  save(session: string, receipt: Receipt): Promise<void>;
}

/** What two runs must share for one to stand for the other. */
export function receiptKey(run: {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly treeHash: string;
}): string {
  const lasting = Object.entries(run.env).filter(([name]) => !PASSING.test(name));
  return sha256(canonicalJson({ ...run, env: Object.fromEntries(lasting) }));
}

/** Differ from one terminal to the next and steer no check. */
const PASSING =
  /^(?:_|PWD|OLDPWD|SHLVL|CC_RUN.*|COLUMNS|LINES|WINDOWID|TERM.*|SSH_.*|XDG_.*|TMUX.*|STY|DBUS_.*|npm_.*|INIT_CWD)$/;

/** @param folder Below the person's home, one per project. */
export function openReceipts(folder: string, files: FilePort): ReceiptStore {
  const pathOf = (session: string) => join(folder, `${sha256(session).slice(0, 16)}.json`);
  // A receipt only saves work: one that cannot be read is one that is not there.
  const load = async (path: string) => {
    return (await readJson(path, z.array(receiptSchema)).catch(() => undefined)) ?? [];
  };
  return {
    async find(session, key) {
      return (await load(pathOf(session))).find((receipt) => receipt.key === key);
    },
    async save(session, receipt) {
      const path = pathOf(session);
      const others = (await load(path)).filter(({ key }) => key !== receipt.key);
      await files.makeFolder(folder);
      const kept = [...others, receipt].slice(-MAX_RECEIPTS);
      await writeTextAtomic(files, path, JSON.stringify(kept));
    },
  };
}
