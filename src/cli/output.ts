/** The one way commands speak. Text or JSON is decided here, by `--json`, never in a command. */
import { CcError, ERROR_CODES, type ErrorCode } from '../kernel/base/errors.ts';
import type { Refusal } from '../workflow/transitions.ts';
import { safeJson, safeLine, safeText } from './terminal/safe-text.ts';

export interface Streams {
  stdout(text: string): void;
  stderr(text: string): void;
}

/** What a command has to say in the end. */
export interface Said {
  /** For `--json`. */
  readonly value: object;
  /** For a person: what happened, what was written. */
  readonly text: string;
  /** The command that goes on. */
  readonly next?: string | undefined;
  /** Exit status; 0 unless the work itself did not succeed. */
  readonly exit?: number;
}

export interface Output {
  readonly json: boolean;
  /** The same, but what it prints on stdout is handed over instead. */
  tapped(take: (text: string) => void): Output;
  /** Prints a result and returns its exit status. */
  done(said: Said): number;
  /** Prints a refusal with its remedy and returns the exit status of its code. */
  refuse(refusal: Refusal, session?: string): number;
  /** The same for whatever was thrown, about a session where it is known. */
  fail(thrown: unknown, session?: string): number;
  /** A document of its own format, such as a script; safe for terminals already. */
  raw(document: string): void;
}

/** For what nobody foresaw, or ended from outside. */
const FALLBACKS: Readonly<Partial<Record<ErrorCode, string>>> = {
  RUNTIME_INTERNAL_ERROR: 'cc doctor',
};

/** With `json`, stdout holds exactly one document, whichever way the command ends. */
export function createOutput(streams: Streams, json: boolean): Output {
  const fail = (thrown: unknown, session?: string) => {
    const { code, message, ...rest } = CcError.from(thrown).toJSON();
    const hint = withSession(rest.hint ?? FALLBACKS[code] ?? 'cc status', session);
    if (json) streams.stdout(`${safeJson({ error: { code, message, ...rest, hint } })}\n`);
    else streams.stderr(`${code}: ${safeLine(message)}\nNext: ${safeText(hint)}\n`);
    return ERROR_CODES[code].exit;
  };
  return {
    json,
    done({ value, text, next, exit = 0 }) {
      const document = Array.isArray(value) || next === undefined ? value : { ...value, next };
      const tail = next === undefined ? '' : `\nNext: ${next}`;
      const body = text === '' ? tail.trimStart() : `${text}${tail}`;
      streams.stdout(json ? `${safeJson(document)}\n` : `${safeText(body)}\n`);
      return exit;
    },
    refuse: ({ code, message, remedy, details = {} }, session) =>
      fail(new CcError(code, message, { hint: remedy, details }), session),
    fail,
    raw: (document) => streams.stdout(document),
    tapped: (stdout) => createOutput({ stdout, stderr: (text) => streams.stderr(text) }, json),
  };
}

/** Every remedy says which session it is for: the next shell may stand in another one. */
export function withSession(command: string, session: string | undefined): string {
  const takesNone = !command.startsWith('cc ') || command.includes('--session');
  if (session === undefined || takesNone || SESSIONLESS.test(command)) return command;
  return `${command} --session ${session}`;
}

/** About no session, about several, or about a new one. */
const SESSIONLESS =
  /^cc (?:(?:session (?:list|use)|doctor|config|completion|init|trust)\b|deep-interview "<)/;
