import * as z from 'zod';
import type { ErrorCode } from '../base/errors.ts';
import type { FilePort } from '../base/files.ts';
import type { Access } from '../protocol/vocabulary.ts';

/** Whether a tool may write a path, and where that path really leads. */
export type WriteVerdict =
  | {
      readonly ok: true;
      /** Absolute, every link followed. Write here and nowhere else. */
      readonly path: string;
    }
  | {
      readonly ok: false;
      readonly code: 'PATH_OUTSIDE_WORKSPACE' | 'TOOL_PERMISSION_DENIED';
      readonly text: string;
    };

export interface ToolContext {
  /** Absolute real path. Tools resolve every path against it. */
  readonly workspace: string;
  /** Aborted when the turn is cancelled or the tool's time is up. */
  readonly signal: AbortSignal;
  readonly files: FilePort;
  /** Environment of child processes, free of provider keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Found again in the environment of every process that a call starts, so that all can be ended. */
  readonly marker: string;
  /** Milliseconds; only differences count. */
  now(): number;
  /** Path guard and scope. Holds for the moment of the question, so ask right before writing. */
  mayWrite(path: string): Promise<WriteVerdict>;
  /** Whether the author of the call has seen the file's content. Always true for a person's literal text. */
  hasRead(path: string): boolean;
}

export interface ToolSuccess {
  readonly ok: true;
  /** Read by the model. */
  readonly text: string;
  readonly truncated: boolean;
  /** The same result for programs, such as an exit code or a unified diff. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ToolFailure {
  readonly ok: false;
  readonly code: ErrorCode;
  /** Read by the model: says what is wrong and what to do instead. */
  readonly text: string;
}

/** A failure the model can react to is an outcome. Only defects are thrown. */
export type ToolOutcome = ToolSuccess | ToolFailure;

export interface ToolSpec<Input extends z.ZodObject> {
  /** `snake_case`, unique in the registry; remote tools are named `mcp__<server>__<tool>`. */
  readonly name: string;
  /** Read by the model. States limits, and what to do when one is hit. */
  readonly description: string;
  readonly access: Access;
  readonly input: Input;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolOutcome>;
}

/** A call whose input has passed the schema. Policy, person, hooks and tool all see this input. */
export interface PreparedCall {
  readonly ok: true;
  readonly input: Readonly<Record<string, unknown>>;
  run(context: ToolContext): Promise<ToolOutcome>;
}

/** A tool as the loop sees it: there is no way to run one around its schema. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  /** JSON Schema of the input, as sent to providers. */
  readonly inputSchema: object;
  /** `REQUEST_INVALID` when the input does not fit. Never throws. */
  prepare(raw: unknown): PreparedCall | ToolFailure;
}

/** Ties a tool's code to its schema, so that nobody can run it on unchecked input. */
export function defineTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): Tool {
  const { name, description, access } = spec;
  return {
    name,
    description,
    access,
    inputSchema: z.toJSONSchema(spec.input, { io: 'input' }),
    prepare(raw) {
      const parsed = spec.input.safeParse(raw);
      if (!parsed.success) return fail('REQUEST_INVALID', z.prettifyError(parsed.error));
      const input = parsed.data;
      return { ok: true, input, run: (context) => spec.run(input, context) };
    },
  };
}

export function fail(code: ErrorCode, text: string): ToolFailure {
  return { ok: false, code, text };
}

/** A path as tools take it: no operating system knows a name with a NUL. */
export function pathInput(description: string) {
  return z
    .string()
    .min(1, 'A path is not empty')
    .refine((path) => !path.includes('\0'), 'A path holds no NUL')
    .describe(description);
}
