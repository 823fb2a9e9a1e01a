import * as z from 'zod';
import { CcError } from '../../base/errors.ts';
import { diffOf, summaryOf } from '../file-diff.ts';
import { readTarget, replaceTarget, type TargetFile } from '../target-file.ts';
import {
  defineTool,
  fail,
  pathInput,
  type ToolContext,
  type ToolFailure,
  type ToolOutcome,
} from '../tool.ts';

const ANYBODY_MAY_EXECUTE = 0o111;
/** Half of a UTF-16 pair has no UTF-8 form; it would become another character on disk. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Makes or replaces a whole file. What stands on disk is `content`, byte for byte. */
export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Write a whole file of the workspace; folders are made. Read an existing file first: replacing ' +
    'one that was not read is refused.',
  access: 'write',
  input: z.strictObject({
    path: pathInput('File, relative to the workspace'),
    content: z
      .string()
      .refine((text) => !LONE_SURROGATE.test(text), 'Half of a character cannot be written')
      .describe('The whole content'),
    executable: z
      .boolean()
      .exactOptional()
      .describe('Set or clear the execute bit; left out, it stays as it is'),
  }),

  async run({ path, content, executable }, context) {
    const target = await readTarget(path, context);
    if (!target.ok) return target;
    if (target.bytes !== undefined && !context.hasRead(target.path)) {
      return fail(
        'REQUEST_INVALID',
        `${target.shown} exists and was not read: read it, then merge`,
      );
    }
    const bytes = Buffer.from(content);
    const mode = modeFor(target.mode, executable);
    if (target.bytes !== undefined && bytes.equals(target.bytes) && mode === target.mode) {
      const details = { path: target.shown, bytes: bytes.length, created: false, changed: false };
      return { ok: true, text: `No change: ${target.shown}`, truncated: false, details };
    }
    context.signal.throwIfAborted();
    return (await put(target, { bytes, mode }, context)) ?? written(target, bytes);
  },
});

function modeFor(mode: number, executable: boolean | undefined): number {
  if (executable === undefined) return mode;
  // Whoever may read it may run it.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~ANYBODY_MAY_EXECUTE;
}

async function put(
  target: TargetFile,
  content: { readonly bytes: Uint8Array; readonly mode: number },
  context: ToolContext,
): Promise<ToolFailure | undefined> {
  try {
    await replaceTarget(target, content, context);
    return undefined;
  } catch (error) {
    const { code, message } = CcError.from(error);
    if (code === 'PATH_OUTSIDE_WORKSPACE') return fail(code, message);
    return fail('TOOL_EXECUTION_FAILED', `${target.shown} was not written. ${message}`);
  }
}

function written(target: TargetFile, bytes: Uint8Array): ToolOutcome {
  const created = target.bytes === undefined;
  const diff = diffOf(target.shown, target.bytes, bytes);
  const done = created ? 'Created' : 'Replaced';
  const text = `${done} ${target.shown} (${bytes.length} bytes, ${summaryOf(diff)})`;
  const details = { path: target.shown, bytes: bytes.length, created, changed: true, ...diff };
  return { ok: true, text, truncated: false, details };
}
