/** From the literal actions of a plan to tool calls. Pure: the caller reads the files first. */
import type { ErrorCode } from '../../kernel/base/errors.ts';
import { decodeUtf8 } from '../../kernel/base/files.ts';
import type { LiteralAction } from '../documents/plan-model.ts';
import { applyToText, type PatchFile, readPatch } from './apply-patch.ts';
import { inTheMannerOf } from './line-ends.ts';

/** `run_shell` takes no less and no more. */
const MIN_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 600_000;

/** A call as `runToolCall` takes it, without its id. */
export interface LiteralCall {
  readonly toolName: 'write_file' | 'delete_file' | 'run_shell';
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Refused {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
}

export type LiteralCalls = { readonly ok: true; readonly calls: readonly LiteralCall[] } | Refused;
export type LiteralTargets = { readonly ok: true; readonly paths: readonly string[] } | Refused;

export interface Surroundings {
  /** What each target holds now, by the path that the action names; `undefined` for none. */
  readonly files: ReadonlyMap<string, Uint8Array | undefined>;
  /** Folder of the step, relative to the project. */
  readonly cwd: string | undefined;
  /** Time of the step; more than ten minutes is ten minutes. */
  readonly timeoutMs: number | undefined;
}

/** The files that an action names, as it names them; none for a script. `REQUEST_INVALID` for a bad patch. */
export function targetsOf(action: LiteralAction): LiteralTargets {
  switch (action.kind) {
    case 'file':
      return { ok: true, paths: [action.path] };
    case 'diff': {
      const patch = readPatch(action.patch);
      if (!patch.ok) return refuse(action, patch.problem);
      return { ok: true, paths: patch.files.map(({ path }) => path) };
    }
    case 'run':
      return { ok: true, paths: [] };
  }
}

/**
 * The calls that do what an action says, in order, deletions last; none when it is done already. All of an
 * action is possible, or it is refused with `REQUEST_INVALID`.
 */
export function toolCallsFor(action: LiteralAction, surroundings: Surroundings): LiteralCalls {
  switch (action.kind) {
    case 'file':
      return callsForFile(action, surroundings);
    case 'diff':
      return callsForDiff(action, surroundings);
    case 'run':
      return { ok: true, calls: [callForScript(action.script, surroundings)] };
  }
}

function callsForFile(
  action: LiteralAction & { readonly kind: 'file' },
  { files }: Surroundings,
): LiteralCalls {
  const { path, content } = action;
  const old = textOf(files.get(path));
  if (!old.ok) return refuse(action, `${path} ${old.problem}`);
  const written = old.text === undefined ? content : inTheMannerOf(old.text, content);
  return { ok: true, calls: [write(path, written)] };
}

function callsForDiff(
  action: LiteralAction & { readonly kind: 'diff' },
  { files }: Surroundings,
): LiteralCalls {
  const patch = readPatch(action.patch);
  if (!patch.ok) return refuse(action, patch.problem);
  const calls: LiteralCall[] = [];
  for (const file of patch.files) {
    const old = textOf(files.get(file.path));
    if (!old.ok) return refuse(action, `${file.path} ${old.problem}`);
    const applied = applyToText(old.text, file);
    if (!applied.ok) return refuse(action, applied.problem);
    calls.push(...callsForResult(file, applied.text, applied.already));
  }
  // What is written can be put back more easily than what is gone.
  const [deletions, writes] = [calls.filter(isDeletion), calls.filter((call) => !isDeletion(call))];
  return { ok: true, calls: [...writes, ...deletions] };
}

function callsForResult(
  { path, executable }: PatchFile,
  text: string | undefined,
  already: boolean,
): LiteralCall[] {
  if (text === undefined) {
    return already ? [] : [{ toolName: 'delete_file', arguments: { path } }];
  }
  // The execute bit may still be missing where the text is not.
  return already && executable === undefined ? [] : [write(path, text, executable)];
}

function callForScript(script: string, { cwd, timeoutMs }: Surroundings): LiteralCall {
  const bounded = Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, timeoutMs ?? MAX_TIMEOUT_MS));
  const place = cwd === undefined ? {} : { cwd };
  return { toolName: 'run_shell', arguments: { command: script, ...place, timeoutMs: bounded } };
}

function write(path: string, content: string, executable?: boolean): LiteralCall {
  const bit = executable === undefined ? {} : { executable };
  return { toolName: 'write_file', arguments: { path, content, ...bit } };
}

function isDeletion({ toolName }: LiteralCall): boolean {
  return toolName === 'delete_file';
}

type ReadText =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly problem: string };

/** A lenient reader would turn foreign bytes into U+FFFD, and the writer would put those on disk. */
function textOf(bytes: Uint8Array | undefined): ReadText {
  if (bytes === undefined) return { ok: true, text: undefined };
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return { ok: false, problem: 'is UTF-16; only UTF-8 can be edited' };
  try {
    return { ok: true, text: decodeUtf8(bytes) };
  } catch {
    // Which encoding it is cannot be told for sure, so nobody guesses.
    return { ok: false, problem: 'is not UTF-8; only UTF-8 can be edited' };
  }
}

function refuse({ line }: LiteralAction, problem: string): Refused {
  return { ok: false, code: 'REQUEST_INVALID', message: `Line ${line}: ${problem}` };
}
