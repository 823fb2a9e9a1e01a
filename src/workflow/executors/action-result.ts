/** What the outcome of a tool call means for the literal action behind it. Pure. */
import * as z from 'zod';
import type { ErrorCode } from '../../kernel/base/errors.ts';
import type { ToolOutcome } from '../../kernel/tool/tool.ts';
import type { LiteralAction } from '../documents/plan-model.ts';

/** Enough to see why, on one screen. */
const OUTPUT_LINES = 20;
const MAX_OUTPUT_CHARACTERS = 4_000;

const writtenSchema = z.looseObject({ path: z.string(), changed: z.boolean() });
const ranSchema = z.looseObject({
  exitCode: z.int().nullable(),
  signal: z.string().optional(),
  terminationReason: z.string().optional(),
  durationMs: z.number(),
  stdout: z.string(),
  stderr: z.string(),
});

export type CallEnding =
  | { readonly ok: true; readonly changed?: string; readonly output?: string }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly output?: string;
    };

/** For a tool a failing command is a result; for the action it is a failure. */
export function endingOf({ kind, line }: LiteralAction, outcome: ToolOutcome): CallEnding {
  if (!outcome.ok) {
    return { ok: false, code: outcome.code, message: `Line ${line}: ${outcome.text}` };
  }
  if (kind !== 'run') {
    const { path, changed } = writtenSchema.parse(outcome.details);
    return changed ? { ok: true, changed: path } : { ok: true };
  }
  const ran = ranSchema.parse(outcome.details);
  const output = lastLinesOf(`${ran.stdout}\n${ran.stderr}`);
  if (ran.exitCode === 0 && ran.terminationReason === undefined) return { ok: true, output };
  const message = `Line ${line}: the script ${whatWentWrong(ran)}`;
  return { ok: false, code: 'TOOL_EXECUTION_FAILED', message, output };
}

function whatWentWrong(ran: z.output<typeof ranSchema>): string {
  const { exitCode, signal, terminationReason, durationMs } = ran;
  if (terminationReason === 'timeout') {
    return `was ended after ${Math.round(durationMs / 1000)} s: its time was up`;
  }
  if (exitCode === null) return `was ended by ${signal ?? 'a signal'}`;
  return `ended with exit code ${exitCode}`;
}

function lastLinesOf(text: string): string {
  const lines = text.trim().split('\n').slice(-OUTPUT_LINES);
  return lines.join('\n').slice(-MAX_OUTPUT_CHARACTERS);
}
