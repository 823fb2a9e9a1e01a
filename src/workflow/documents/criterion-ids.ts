/** Ids of acceptance criteria: `AC1`, however it was typed. */

const NAMED =
  /^(?:\*\*|__)?AC[-_ ]?0*(?<number>\d{1,6})(?:\*\*|__)?[ \t]*[:：][ \t]*(?:\*\*|__)?[ \t]*/i;
const ID = /\bAC[-_ ]?0*(\d{1,6})\b/gi;

/** Splits `AC1: text`. */
export function namedCriterion(
  raw: string,
): { readonly id: string; readonly rest: string } | undefined {
  const named = NAMED.exec(raw);
  const number = named?.groups?.['number'];
  if (named === null || number === undefined) return undefined;
  return { id: `AC${number}`, rest: raw.slice(named[0].length) };
}

/** The ids of a list such as `AC1, ac-2 and AC3`; `undefined` when other words stand in it. */
export function criterionIdsOf(text: string): readonly string[] | undefined {
  const ids = [...text.matchAll(ID)].map(([, number]) => `AC${number}`);
  const rest = text.replace(ID, '').replace(/\band\b|和|与/g, '');
  if (ids.length === 0 || !/^[\s,，、;；&]*$/.test(rest)) return undefined;
  return [...new Set(ids)];
}
