/** `verify.json`: what was checked, on which tree, and what that proves. Pure. */
import * as z from 'zod';
import { parseJson } from '../../kernel/base/files.ts';
import { taskStatusSchema } from '../../kernel/protocol/vocabulary.ts';

/** Why a check did not pass although, or because, of how it ended. */
export const CHECK_REASONS = [
  'exit-code',
  'timeout',
  'not-found',
  'not-executable',
  'signal',
  'cancelled',
  'vacuous',
  'no-tests',
] as const;
export type CheckReason = (typeof CHECK_REASONS)[number];

const checkSchema = z.looseObject({
  id: z.string(),
  command: z.string(),
  status: z.enum(['passed', 'failed']),
  reason: z.string().optional(),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  durationMs: z.number().nonnegative(),
  summary: z.string(),
  /** Relative to the session folder. */
  outputFile: z.string().optional(),
  /** The last of what it printed, where no file keeps it. */
  output: z.string().optional(),
  reused: z.boolean().optional(),
});
export type CheckRecord = z.output<typeof checkSchema>;

const criterionSchema = z.looseObject({
  id: z.string(),
  text: z.string().default(''),
  /** Absent while nothing proves it. */
  proof: z.enum(['checks', 'review', 'waived']).optional(),
  /** Ids of the checks that it rests on. */
  checks: z.array(z.string()).default([]),
  reason: z.string().optional(),
  by: z.string().optional(),
});
export type CriterionRecord = z.output<typeof criterionSchema>;

const verifySchema = z.looseObject({
  sessionId: z.string(),
  status: z.enum(['passed', 'failed', 'partial']),
  checks: z.array(checkSchema).default([]),
  criteria: z.array(criterionSchema).default([]),
  /** Checks left to a run with `--ci`: neither passed nor failed. */
  deferred: z.array(z.looseObject({ id: z.string(), command: z.string() })).default([]),
  /** Status of every task at that moment. */
  tasks: z.record(z.string(), taskStatusSchema).default({}),
  planHash: z.string().optional(),
  treeHash: z.string().optional(),
  /** The same tree as git names it: what a stale result is compared with. */
  tree: z.string().optional(),
  /** Untracked files that the checks left behind. */
  produced: z.array(z.string()).default([]),
  /** Changed since the approval, and in no step's scope. */
  outside: z.array(z.string()).default([]),
  nextAction: z.enum(['complete', 'fix-loop']).nullable(),
  updatedAt: z.string(),
  seal: z.string().optional(),
});
export type VerifyFile = z.output<typeof verifySchema>;

/** @throws {CcError} `SESSION_DAMAGED` with the line or the key that does not fit. */
export function parseVerify(path: string, text: string): VerifyFile {
  return parseJson(path, text, verifySchema);
}

export function printVerify(file: VerifyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
