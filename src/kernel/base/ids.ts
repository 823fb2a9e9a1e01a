/** What a session may be called. Pure, and without the schema library: every command asks this first. */

/** Ids that `cc` makes up. A member adds `.m<idx>-<role>`, hence the room up to `MAX_SESSION_ID`. */
export const MAX_OWN_SESSION_ID = 80;
const MAX_SESSION_ID = 100;

const SAFE_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/;
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const FOREIGN_ID = /^(?!\.\.?$)[A-Za-z0-9._-]+$/;
const MEMBER_ID = /^(?<parent>.+)\.m(?<index>\d+)-(?<role>[a-z0-9]+)$/i;

/**
 * The rule that an id breaks, or `undefined`. An id doubles as a directory name on every system, and as an
 * argument that must not look like an option.
 */
export function whyNoSessionId(id: string): string | undefined {
  if (id.length > MAX_SESSION_ID) return `An id has at most ${MAX_SESSION_ID} characters`;
  if (!SAFE_ID.test(id)) {
    return 'Use letters, digits, dot, dash, underscore; begin with a letter or digit';
  }
  if (id.includes('..')) return 'Two dots in a row are not allowed';
  return DEVICE_NAME.test(id) ? 'This name belongs to a Windows device' : undefined;
}

/** Ids that other programs made: good enough to list and to read, never to create. */
export function isForeignSessionId(id: string): boolean {
  return FOREIGN_ID.test(id);
}

/** `S1` and `s1` are one folder on macOS and Windows, so they are one session everywhere. */
export function isSameSession(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Parts of the id of a team member, or `undefined` for any other id. */
export function memberOf(
  id: string,
): { readonly parent: string; readonly index: number; readonly role: string } | undefined {
  const { parent, index, role } = MEMBER_ID.exec(id)?.groups ?? {};
  if (parent === undefined || role === undefined) return undefined;
  return { parent, index: Number(index), role };
}
