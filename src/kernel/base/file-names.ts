/** Names of the files by which processes speak to each other. Apart, so that whoever only looks loads no schema. */

/** The list of renames of a transition that is under way; see `transaction.ts`. */
export const JOURNAL = '.transition.json';

/** Who carries out a session right now; see `workflow/lease.ts`. */
export const LEASE_FILE = '.lease.json';
