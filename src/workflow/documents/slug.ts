/** Ids made from titles. */

const MAX_SLUG = 48;

/** Letters and digits of any script, lower-case, joined by dashes; `step` when there are none. */
export function slugOf(title: string): string {
  const words =
    title
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (lengthOf(longer) > MAX_SLUG) break;
    slug = longer;
  }
  if (slug !== '') return slug;
  const [first = 'step'] = words;
  return Array.from(first).slice(0, MAX_SLUG).join('');
}

/** In code points, so that no character is cut in two. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Gives out ids, each once: the second `a` becomes `a-2`. */
export class SlugPool {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map((id) => id.toLowerCase()));
  }

  take(slug: string): string {
    let id = slug;
    let next = this.#next.get(slug) ?? 2;
    while (this.#taken.has(id.toLowerCase())) id = `${slug}-${next++}`;
    this.#next.set(slug, next);
    this.#taken.add(id.toLowerCase());
    return id;
  }
}
