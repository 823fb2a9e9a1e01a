import { stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import * as z from 'zod';
import { ignoring } from '../../base/files.ts';
import type { CommandResult } from '../../base/command-result.ts';
import { assertInside } from '../../base/paths.ts';
import { runCommand } from '../../base/processes.ts';
import type { Shell } from '../../base/shell.ts';
import { defineTool, fail, pathInput, type Tool, type ToolOutcome } from '../tool.ts';
import { boundText, MAX_RESULT_BYTES } from '../truncation.ts';

const MIN_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 600_000;
const DEFAULT_TIMEOUT_MS = 120_000;
/** Room for exit code, headings and marks beside the output. */
const MAX_TEXT_BYTES = MAX_RESULT_BYTES - 1024;

/**
 * Runs one command in the shell that was found; register it only where there is one. A command that fails
 * or runs out of time is a result with its exit code; one that could not start, or was cancelled, is a
 * failure.
 */
export function createRunShell(shell: Shell): Tool {
  return defineTool({
    name: 'run_shell',
    description:
      'Run a command in the workspace. Standard input is empty; nothing outlives the command. Long ' +
      `output loses its middle. Ends after timeoutMs (default ${DEFAULT_TIMEOUT_MS}).`,
    access: 'execute',
    input: z.strictObject({
      command: z
        .string()
        .refine((text) => text.trim() !== '', 'There is no command')
        .refine((text) => !text.includes('\0'), 'A command holds no NUL')
        .describe('Command line'),
      cwd: pathInput('Folder, relative to the workspace')
        .refine((path) => !isAbsolute(path), 'cwd is relative to the workspace')
        .exactOptional(),
      timeoutMs: z
        .int()
        .min(MIN_TIMEOUT_MS)
        .max(MAX_TIMEOUT_MS)
        .default(DEFAULT_TIMEOUT_MS)
        .describe('Milliseconds'),
    }),

    async run({ command, cwd = '.', timeoutMs }, context) {
      const { workspace, env, signal, marker } = context;
      const folder = await assertInside(workspace, cwd);
      const found = await stat(folder).catch(ignoring('ENOENT', 'ENOTDIR'));
      if (!found?.isDirectory()) return fail('REQUEST_INVALID', `cwd ${cwd} is not a folder`);
      signal.throwIfAborted();
      const now = () => context.now();
      const what = { command, cwd: folder, env, shell, timeoutMs, signal, marker, now };
      const result = await runCommand(what);
      return report(result, relative(workspace, folder).split(sep).join('/') || '.');
    },
  });
}

function report(result: CommandResult, cwd: string): ToolOutcome {
  const { exitCode, terminationReason, stdoutTruncated, stderrTruncated } = result;
  if (terminationReason === 'cancelled')
    return fail('REQUEST_CANCELLED', 'The command was cancelled');
  if (terminationReason === 'not-started') {
    const why = result.stderr.trim() || 'no reason given';
    return fail('TOOL_EXECUTION_FAILED', `The command could not start: ${why}`);
  }
  const { text, truncated } = boundText(textOf(result, cwd), MAX_TEXT_BYTES);
  return {
    ok: true,
    text,
    truncated: truncated || stdoutTruncated || stderrTruncated,
    // `null` is how a result says "no exit code" to programs in other languages.
    details: { ...result, cwd, exitCode: exitCode ?? null },
  };
}

function textOf(result: CommandResult, cwd: string): string {
  const { stdout, stderr, leftovers } = result;
  const place = cwd === '.' ? '' : ` in ${cwd}`;
  const parts = [`${endingOf(result)}${place}, ${(result.durationMs / 1000).toFixed(1)} s`];
  if (stdout !== '') parts.push(`stdout:\n${stdout.replace(/\n$/, '')}`);
  if (stderr !== '') parts.push(`stderr:\n${stderr.replace(/\n$/, '')}`);
  if (stdout === '' && stderr === '') parts.push('no output');
  if (leftovers > 0) parts.push(`processes left in the background, now ended: ${leftovers}`);
  return parts.join('\n');
}

function endingOf({ exitCode, signal, terminationReason }: CommandResult): string {
  if (terminationReason === 'timeout') return 'timed out';
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  return `ended by ${signal ?? 'a signal'}`;
}
