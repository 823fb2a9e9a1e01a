import { sha256 } from '../../kernel/base/hash.ts';
import { isSameSession } from '../../kernel/base/ids.ts';
import { type SessionId, sessionIdSchema } from '../../kernel/protocol/vocabulary.ts';

const MAX_SLUG_LENGTH = 40;
/** Characters of the goal that are read; a pasted log must not cost time. */
const MAX_READ = 2_000;
const HASH_LENGTH = 6;

/** Words that say nothing about which goal it is. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those some any all it its my our your their of to in on at for from by ' +
    'with into onto and or but so as is are be was were been will would should must can could may ' +
    'please i we you they do does need needs want wants command commands file files code'
  ).split(' '),
);

/**
 * `YYYYMMDD-<slug of the goal>`, or date and 6 hex digits of the goal when it has no Latin letters; with
 * `-2`, `-3` … when the id is taken. The day is that of the date's local time.
 *
 * @param taken Ids in use, compared without regard to case.
 */
export function proposeSessionId(goal: string, date: Date, taken: readonly string[]): SessionId {
  const base = `${dayOf(date)}-${slugOf(goal) ?? sha256(goal.trim()).slice(0, HASH_LENGTH)}`;
  let id = base;
  for (let count = 2; taken.some((other) => isSameSession(other, id)); count++) {
    id = `${base}-${count}`;
  }
  return sessionIdSchema.parse(id);
}

function dayOf(date: Date): string {
  const year = String(date.getFullYear()).padStart(4, '0');
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${year}${month}${String(date.getDate()).padStart(2, '0')}`;
}

function slugOf(goal: string): string | undefined {
  // Letters with an accent become letters and marks, and the marks go.
  const plain = goal
    .slice(0, MAX_READ)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f'’]/g, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  if (!words.some((word) => /[a-z]/.test(word))) return undefined;
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  let slug = '';
  for (const word of telling.length > 0 ? telling : words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > MAX_SLUG_LENGTH) break;
    slug = longer;
  }
  // A first word that is longer than everything allowed has no boundary to stop at.
  return slug === '' ? (telling[0] ?? words[0] ?? '').slice(0, MAX_SLUG_LENGTH) : slug;
}
