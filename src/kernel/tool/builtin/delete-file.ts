/** For the deletions of an approved patch. Not one of the tools that a model is offered. */
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { CcError } from '../../base/errors.ts';
import { ignoring } from '../../base/files.ts';
import { diffOf, summaryOf } from '../file-diff.ts';
import { readTarget } from '../target-file.ts';
import { defineTool, fail, pathInput } from '../tool.ts';

/** Removes one regular file; folders and links are refused. */
export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Delete one file of the workspace. Folders and links are refused.',
  access: 'write',
  input: z.strictObject({ path: pathInput('File, relative to the workspace') }),

  async run({ path }, context) {
    const target = await readTarget(path, context);
    if (!target.ok) return target;
    const { shown, bytes } = target;
    const found = await lstat(resolve(context.workspace, path)).catch(
      ignoring('ENOENT', 'ENOTDIR'),
    );
    if (found?.isSymbolicLink()) {
      return fail('REQUEST_INVALID', `${path} is a link to ${shown}: name the file itself`);
    }
    const details = { path: shown, changed: bytes !== undefined };
    if (bytes === undefined) {
      return { ok: true, text: `No change: ${shown} is not there`, truncated: false, details };
    }
    if (!context.hasRead(target.path)) {
      return fail('REQUEST_INVALID', `${shown} was not read: read it, then decide`);
    }
    context.signal.throwIfAborted();
    try {
      await context.files.remove(target.path);
      await context.files.syncFolder(dirname(target.path));
    } catch (error) {
      const { message } = CcError.from(error);
      return fail('TOOL_EXECUTION_FAILED', `${shown} was not deleted. ${message}`);
    }
    const diff = diffOf(shown, bytes, undefined);
    const text = `Deleted ${shown} (${summaryOf(diff)})`;
    return { ok: true, text, truncated: false, details: { ...details, ...diff } };
  },
});
