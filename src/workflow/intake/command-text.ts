/** Turning what a repository contains into a command line without letting it write that line. */

const PLAIN_PATH = /^[\p{L}\p{N}_.@+/][\p{L}\p{N}_.@+/-]*$/u;
const PATH_WITH_SPACES = /^[\p{L}\p{N}_.@+/][\p{L}\p{N}_.@+/ -]*$/u;

/** The path as an argument, or `undefined` when a shell could read it as something else. */
export function argumentOf(path: string): string | undefined {
  if (PLAIN_PATH.test(path)) return path;
  return PATH_WITH_SPACES.test(path) ? `"${path}"` : undefined;
}

const NOTHING = /^(?:true|:|exit(?: 0)?|echo(?: .*)?)$/;
const FAILS_ON_PURPOSE = /^(?:exit 1|false)$/;

/**
 * Whether a script only pretends: `true`, `:`, `exit 0`, a bare `echo`, or npm's default, which prints
 * "no test specified" and fails.
 */
export function isPlaceholder(script: string): boolean {
  const parts = script.split(/&&|\|\||;|\n/).map((part) => part.trim().replaceAll(/\s+/g, ' '));
  const said = parts.filter((part) => part !== '');
  const idle = said.filter((part) => NOTHING.test(part) && !/[|<>`]|\$\(/.test(part));
  const failing = said.filter((part) => FAILS_ON_PURPOSE.test(part));
  if (idle.length === said.length) return true;
  return failing.length > 0 && idle.length + failing.length === said.length;
}

/** Ends well whatever happened before. */
export function isUnfailing(script: string): boolean {
  return /(?:\|\||;)\s*(?:true|:|exit 0|echo [^|&;]*)\s*$/.test(script);
}

/** Changes files, so that it cannot be run as a check. */
export function isFixer(script: string): boolean {
  return /(?:^|\s)--(?:fix|write)(?:[\s=]|$)/.test(script);
}

/** Waits for changes instead of ending. */
export function isWatcher(script: string): boolean {
  return /(?:^|\s)(?:--watch(?:All)?(?!=false)|vitest watch|nodemon)(?:\s|$)/.test(script);
}
