/** Runs git: in the private store, and over the person's repository for reading. */
import { CcError } from '../base/errors.ts';
import { type ProgramResult, runProgram } from '../base/processes.ts';
import { type Env, personalEnv, privateEnv, type StorePlace } from './store-folder.ts';

export interface GitCall {
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** Variables besides those of the store, such as another index than its own. */
  readonly vars?: Readonly<Record<string, string>>;
}

export interface PrivateGit {
  /**
   * Runs git in the private store.
   *
   * @throws {CcError} `TOOL_EXECUTION_FAILED` with what git said; `REQUEST_CANCELLED`.
   */
  run(args: readonly string[], call?: GitCall): Promise<Buffer>;
  /** The same, with whatever git answers; throws only when there is no answer. */
  ask(args: readonly string[], call?: GitCall): Promise<ProgramResult>;
  /** Runs a reading command on the person's repository, with its index and config. */
  read(args: readonly string[], call?: GitCall): Promise<ProgramResult>;
}

export function createPrivateGit(place: StorePlace, environment: Env): PrivateGit {
  const call = async (env: Record<string, string>, args: readonly string[], options?: GitCall) => {
    const { input, signal, vars } = options ?? {};
    const result = await runProgram('git', args, {
      cwd: place.top,
      env: vars === undefined ? env : { ...env, ...vars },
      ...(input === undefined ? {} : { input }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (signal?.aborted) throw new CcError('REQUEST_CANCELLED', 'The request was cancelled');
    if (result.exitCode === undefined) {
      const options = { hint: 'cc doctor', details: { stderr: result.stderr } };
      throw new CcError('TOOL_EXECUTION_FAILED', `git did not finish: ${result.stderr}`, options);
    }
    return result;
  };
  const own = privateEnv(environment, place);
  return {
    async run(args, options) {
      const result = await call(own, args, options);
      if (result.exitCode !== 0) throw gitFailed(place, result);
      return result.stdout;
    },
    ask: (args, options) => call(own, args, options),
    // Nothing that is run this way starts a program but this one, which would.
    read: (args, options) =>
      call(personalEnv(environment, place), ['-c', 'core.fsmonitor=false', ...args], options),
  };
}

/** What git said, without its advice on what to type. */
export function gitFailed({ top }: StorePlace, { stderr }: ProgramResult): CcError {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^hint:/.test(line));
  const said = lines.slice(0, 3).join('; ') || 'git gave no reason';
  return new CcError('TOOL_EXECUTION_FAILED', `The files of ${top} cannot be read: ${said}`, {
    hint: 'cc doctor',
    details: { top, stderr },
  });
}

/** Names as git lists them with `-z`. */
export function splitNames(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
}
