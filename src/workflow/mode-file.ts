/** `mode.json`: where a session stands. Written last in every transition. Pure. */
import * as z from 'zod';
import { parseJson } from '../kernel/base/files.ts';
import { type Stage, storedStageSchema } from '../kernel/protocol/vocabulary.ts';

const DEFAULT_MAX_RETRIES = 3;

/** Loose on purpose: keys written by newer versions or by hand survive a rewrite. */
const modeSchema = z.looseObject({
  stage: storedStageSchema.default('none'),
  updatedAt: z.string().optional(),
  retries: z.int().nonnegative().default(0),
  maxRetries: z.int().nonnegative().default(DEFAULT_MAX_RETRIES),
  failureReason: z.string().nullish(),
  routingHint: z.looseObject({}).nullish(),
  /** How often this session's plan was approved; part of what a seal covers. */
  approvalSerial: z.int().nonnegative().default(0),
  /** Branch and commit of the project when the stage was last written. */
  branch: z.string().nullish(),
  head: z.string().nullish(),
  /** The tree when a plan was first approved: what `complete` compares with. */
  baseTree: z.string().optional(),
  /** Ids of the checks that failed; `ralph` works on exactly these. */
  failing: z.array(z.string()).optional(),
  /** The tree when the failing checks were last shown to the person. */
  shownTree: z.string().optional(),
  /** Whether an executor, not the person, changed the tree since the last verification. */
  executorChanged: z.boolean().optional(),
});
export type Mode = z.output<typeof modeSchema>;

/** @throws {CcError} `SESSION_DAMAGED` with the line or the key that does not fit. */
export function parseMode(path: string, text: string): Mode {
  return parseJson(path, text, modeSchema);
}

/** Without a mode.json the stage is read from the documents, and never further on than they prove. */
export function modeFromDocuments(has: { readonly plan: boolean; readonly intent: boolean }): Mode {
  return modeSchema.parse({ stage: stageFromDocuments(has) });
}

export function printMode(mode: Mode): string {
  const { stage, updatedAt, ...rest } = mode;
  return `${JSON.stringify({ stage, updatedAt, ...rest }, null, 2)}\n`;
}

function stageFromDocuments({ plan, intent }: { plan: boolean; intent: boolean }): Stage {
  if (plan) return 'plan';
  return intent ? 'intent' : 'none';
}
