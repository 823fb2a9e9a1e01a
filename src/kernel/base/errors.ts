import { tellErrno } from './errno.ts';

interface ErrorTraits {
  /** Exit status of `cc`. */
  readonly exit: 1 | 2 | 5 | 6 | 7 | 8 | 9 | 130;
  /** Whether the same call may succeed later although the caller changes nothing. */
  readonly retryable: boolean;
}

const WORK_FAILED = { exit: 1, retryable: false } as const;
const HOOK = { exit: 2, retryable: false } as const;
const PROVIDER = { exit: 5, retryable: false } as const;
const PROVIDER_BUSY = { exit: 5, retryable: true } as const;
const USAGE = { exit: 6, retryable: false } as const;
const REFUSED = { exit: 7, retryable: false } as const;
const WAITING = { exit: 8, retryable: false } as const;

/** Every code a person, script or client can see. Append only; `test/pins/error-codes.test.ts` holds the list. */
export const ERROR_CODES = {
  RUNTIME_INTERNAL_ERROR: WORK_FAILED,
  SESSION_PERSISTENCE_FAILED: { exit: 1, retryable: true },
  TOOL_EXECUTION_FAILED: { exit: 1, retryable: true },
  TOOL_NOT_REGISTERED: WORK_FAILED,
  CHECK_MUTATES_TREE: WORK_FAILED,
  WORKTREE_NOT_ISOLATED: WORK_FAILED,
  FENCED: WORK_FAILED,
  CONTEXT_COMPACTION_FAILED: { exit: 1, retryable: true },
  HOOK_VETOED: HOOK,
  HOOK_FAILED: HOOK,
  PROVIDER_UNREACHABLE: PROVIDER_BUSY,
  PROVIDER_AUTH: PROVIDER,
  PROVIDER_RATE_LIMITED: PROVIDER_BUSY,
  PROVIDER_OVERLOADED: PROVIDER_BUSY,
  PROVIDER_CONTEXT_EXCEEDED: PROVIDER,
  PROVIDER_PROTOCOL: PROVIDER_BUSY,
  MCP_SERVER_UNAVAILABLE: PROVIDER_BUSY,
  REQUEST_INVALID: USAGE,
  SESSION_ID_INVALID: USAGE,
  SESSION_NOT_FOUND: USAGE,
  CONFIG_INVALID: USAGE,
  INVALID_DEPENDENCY: USAGE,
  DUPLICATE_NODE: USAGE,
  INTENT_REQUIRED: REFUSED,
  PLAN_REQUIRED: REFUSED,
  PLAN_INVALID: REFUSED,
  PLAN_APPROVAL_REQUIRED: REFUSED,
  PLAN_CHANGED_SINCE_APPROVAL: REFUSED,
  PLAN_REJECTED: REFUSED,
  APPROVAL_NOT_YOURS: REFUSED,
  VERIFICATION_REQUIRED: REFUSED,
  VERIFICATION_STALE: REFUSED,
  RETRIES_EXHAUSTED: REFUSED,
  STAGE_MISMATCH: REFUSED,
  REVIEW_BLOCKING: REFUSED,
  PERSON_REQUIRED: REFUSED,
  TRUST_REQUIRED: REFUSED,
  HOOKS_UNTRUSTED: REFUSED,
  SESSION_DAMAGED: REFUSED,
  PATH_OUTSIDE_WORKSPACE: REFUSED,
  TOOL_PERMISSION_DENIED: REFUSED,
  INPUT_REQUIRED: WAITING,
  BLOCKED_ON_HUMAN: WAITING,
  SESSION_BUSY: { exit: 9, retryable: true },
  REQUEST_CANCELLED: { exit: 130, retryable: true },
} as const satisfies Record<string, ErrorTraits>;

export type ErrorCode = keyof typeof ERROR_CODES;

interface CcErrorOptions {
  /** The one command that resolves it, ready to be typed. */
  readonly hint?: string;
  /** Facts for programs. Never a secret: it is printed and logged. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * For what stops the work: bad input, damaged files, a full disk. What a caller is expected to handle
 * (a closed gate, a denied tool, a check that fails) is a return value.
 */
export class CcError extends Error {
  override readonly name = 'CcError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: CcErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }

  /** The form that crosses the process boundary; `cause` and `stack` stay at home. */
  toJSON() {
    const { code, message, hint, details } = this;
    return { code, message, hint, details, retryable: ERROR_CODES[code].retryable };
  }

  /** Wraps whatever was thrown. A disk that refuses is no fault of the program. Cancellation keeps its own code, so that nobody reports it as a fault. */
  static from(thrown: unknown): CcError {
    if (thrown instanceof CcError) return thrown;
    if (thrown instanceof Error && thrown.name === 'AbortError') {
      return new CcError('REQUEST_CANCELLED', 'The request was cancelled', { cause: thrown });
    }
    const told = tellErrno(thrown);
    if (told !== undefined) {
      const { message, hint, path } = told;
      const options = { hint, details: { path }, cause: thrown };
      return new CcError('SESSION_PERSISTENCE_FAILED', message, options);
    }
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new CcError('RUNTIME_INTERNAL_ERROR', message, { cause: thrown });
  }
}

/** For the end of a switch over a union: does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new CcError('RUNTIME_INTERNAL_ERROR', `Unexpected value: ${JSON.stringify(value)}`);
}
