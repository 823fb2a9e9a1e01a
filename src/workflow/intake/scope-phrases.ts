/** Phrases of a request that limit where the work happens, English and Chinese. Pure. */
import { clip } from './prohibitions.ts';

export interface ScopePhrase {
  readonly text: string;
  /** "only touch …" limits the work; "only in …" may also say where a fault shows. */
  readonly isCommand: boolean;
}

const NOTHING_BUT =
  /\b(?:do not|don['’]?t|never) (?:touch|change|modify|edit|alter) (?:anything|any (?:other )?(?:files?|code)|files?|code)(?: else)? (?:except|but|outside(?: of)?|other than)(?: for| in| inside)? /i;
const ONLY =
  /\b(?:only|just) (?:touch|change|edit|modify|update) |(?<!不)仅限于?|(?<!不)(?:局限于|限于)|(?:只|仅)(?:修改|改动|改|动|碰)(?!了)/i;
/** Often about a value: only the paths in it count. */
const PLACE =
  /\b(?:limited|restricted) to |\b(?:limit|restrict) (?:[\w-]{1,20} ){0,4}?to |^(?:the )?scope is |^(?:修改|改动|工作)?范围(?:是|为|仅限)|\b(?:only|just|solely) (?:in|inside|within|under) |(?:只|仅)在/i;
/** 除了 X 以外，都 …: all but X. With 还 behind it X is meant too. */
const ALL_BUT =
  /(?:(?<![删去清移解消扣])除(?:了(?<but>[^，,。；;]{1,60}?)(?:以外|之外|外)|(?<short>[^，,。；;]{1,60}?)(?:以外|之外)))[，, ]*(?<rest>[^。；;]*)/;
const CHANGES_NOTHING =
  /^(?:都|也)?(?:不要|别|不能|不可|不得|不|勿|禁止)(?:再|去)?(?:改|动|碰|修改|更改|变更|改动|触碰)/;
const ALSO = /^(?:还|也|另外|同时|再|又)/;

/** The limits, and the statement without the clauses that are nothing but a limit. */
export function takeScopes(text: string): {
  readonly scopes: readonly ScopePhrase[];
  readonly rest: string;
} {
  const but = allBut(text);
  if (but !== undefined && CHANGES_NOTHING.test(but.rest)) {
    return { scopes: [{ text: but.named, isCommand: true }], rest: but.before };
  }
  const nothingBut = NOTHING_BUT.exec(text);
  const command = nothingBut ?? ONLY.exec(text);
  const match = command ?? PLACE.exec(text);
  if (match === null) return { scopes: [], rest: text };
  const behind = text.slice(match.index + match[0].length).replace(/^[\s:：]+/, '');
  const [phrase = ''] = behind.split(/[,，;；。]|\.(?:\s|$)| but /, 1);
  const scopes = [{ text: clip(phrase), isCommand: command !== null }];
  const before = text.slice(0, match.index);
  const after = behind.slice(phrase.length);
  const isBare = nothingBut !== null || !/[\w\u4e00-\u9fff]{4}/.test(before);
  return { scopes, rest: isBare ? `${before}${after}` : text };
}

/** What "all but X" leaves alone; `undefined` for "X too". */
export function leftOutIn(text: string): string | undefined {
  const but = allBut(text);
  if (but === undefined || ALSO.test(but.rest) || CHANGES_NOTHING.test(but.rest)) return undefined;
  return but.named;
}

function allBut(text: string) {
  const match = ALL_BUT.exec(text);
  const { but, short, rest = '' } = match?.groups ?? {};
  const named = clip(but ?? short ?? '');
  if (match === null || named.length < 2) return undefined;
  return { named, rest, before: text.slice(0, match.index) };
}
