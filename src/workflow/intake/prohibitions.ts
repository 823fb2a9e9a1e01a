/** Clauses of a statement that forbid, or say what must hold; English and Chinese. Pure. */

export interface Prohibitions {
  /** What is to be left alone. */
  readonly nonGoals: readonly string[];
  /** What must hold on the way. */
  readonly constraints: readonly string[];
  /** Only what is left of the statement says what to do; empty when nothing is. */
  readonly rest: string;
  /** Some clause says more than "leave it as it is": taken alone it could still be the wish. */
  readonly isTelling: boolean;
}

const ALONE = 'touch|change|modify|edit|alter';
const VERBS = `${ALONE}|rename|remove|delete|update|include|add|rewrite|refactor|migrate|move|reformat|bump|upgrade|replace|convert|port|implement|support|extend`;
const DOING =
  'touching|changing|modifying|editing|altering|renaming|removing|deleting|rewriting|refactoring|updating|adding|migrating|moving|reformatting|upgrading|replacing';
/** What may stand in front of an order. */
const LEAD =
  "^(?:(?:please|also|and|but|just|then|so|yet|now|you|we|kindly|note that|there is|there['’]s|(?:make|be) sure (?:that |you )*)[ ]?)*";
const NOT = "(?:do not|don['’]?t|never|not to|to not|no need to)";

/** An order, or "without doing it"; never what a sentence only tells of. */
const NON_GOALS = [
  new RegExp(`${LEAD}${NOT} (?<verb>${VERBS})\\b`, 'i'),
  new RegExp(`\\bwithout (?:${DOING})\\b`, 'i'),
  new RegExp(`${LEAD}leave [^,;]{1,80}? (?:alone|untouched|unchanged|as[- ]is)\\b`, 'i'),
  /^(?:(?:but|and) )?(?:not including|excluding|except for)\b/i,
  /(?<=\b(?:all|every|everything|everywhere|any|anything|whole)\b.{0,80} )except\b/i,
  /^.{1,120}\b(?:is|are|stays?|remains?|be) (?:[\w-]{1,20} ){0,2}out of scope(?: (?:here|for now|for this))?[.!]?$/i,
];
const ZH_LEAD =
  '^(?:但是?|不过|并且?|而且|且|同时|请|另外|注意|记得|千万|也|都|还|其他的?|其余的?)*';
const ZH_ALONE = '改|动|碰|修改|更改|变更|改动|调整|触碰|涉及';
const ZH_VERBS = `${ZH_ALONE}|包括|包含|删|删除|重构|升级|增加|添加|新增`;
const ZH_ASKED = `${ZH_VERBS}|处理|移动|重命名|替换|迁移|支持|实现`;
const ZH_NOT = '(?:不要|不能|不可|别|勿|无需|不需要|不用|不必)(?:再|去)?';
const ZH_NON_GOALS = [
  new RegExp(`${ZH_LEAD}${ZH_NOT}(?:${ZH_ASKED})(?!了)`),
  new RegExp(`${ZH_LEAD}${ZH_NOT}(?:把|将|对)[^，,。；;]{1,40}(?:${ZH_ASKED})`),
  // A bare 不 also tells of something: 不包含标题的表格应该报错.
  new RegExp(`${ZH_LEAD}不(?:再|去)?(?:${ZH_VERBS})(?!了)(?!.*(?:应该?|应当|必须|会|就|时|的话))`),
  new RegExp(
    `^[^，,]{1,30}(?:不要|无需|不需要|不用|不必|先别|都别)(?:再|去)?(?:${ZH_ASKED})(?:它们?)?$`,
  ),
  new RegExp(`${ZH_LEAD}(?:不做|不在(?:本次|这次|此次)?(?:修改|改动)?范围)`),
];

const CONSTRAINTS = [
  /\b(?:(?:must|should|shall|needs? to|has to|have to) (?:keep|stay|remain|preserve|not|never|continue|still)|(?:mustn['’]t|shouldn['’]t)|(?:backwards?[- ])?compatib(?:le|ility)|(?:do not|don['’]t|not|never|without) break(?:ing)?|no breaking changes?|preserv(?:e|ing)|no (?:new|additional|extra|external) (?:runtime )?dependenc(?:y|ies)|(?:without(?: adding)?|(?:do not|don['’]t) add)(?: any)?(?: new)? dependenc(?:y|ies)|only use|use only)\b/i,
  /\bkeep(?:ing)? [^,;]{1,80}? (?:unchanged|stable|working|intact|compatible|the same|as[- ]is)\b/i,
  new RegExp(
    `兼容|不得|禁止|${ZH_LEAD}(?:(?:必须|需要?|应该?|应当|要)?(?:保持|保留|维持)|(?:不要|不能|不可|不应|别|避免|不)(?:破坏|影响|降低|超过|引入|依赖|使用)|只能(?:使用|用))`,
  ),
];

/** Behind these words a sentence tells of something and orders nothing. */
const TELLS =
  /\b(?:when(?:ever)?|if|unless|that|which|who|whose|where|while|because|whether|until|once|after|before|let|lets|allows?|users?)\b/i;
const ENDS =
  /([,，;；()（）]|[:：](?=\s|[\u4e00-\u9fff])| [-–—] |——| but | and (?=(?:please )?(?:do not|don['’]t|never) ))/;
/** A list goes on behind its comma: "don't touch a.ts, b.ts or the tests". */
const GOES_ON =
  /^(?:(?:and|or|nor|the|an?|any|all|its|our|their|my|other)\b|[^\s\u4e00-\u9fff]+(?: (?:and|or) .+)?$|[\w./*-]+[和与或、])/i;
/** Says nothing by itself in front of a clause. */
const COURTESY = /\b(?:please|also|and|but|just|then|so)\b/gi;
const MAX_CLAUSE = 300;

interface Found {
  readonly kind: 'non-goal' | 'constraint';
  readonly text: string;
  readonly before: string;
  readonly isAlone: boolean;
}

/** Clause by clause: an order not to do one thing says nothing about the clause beside it. */
export function prohibitionsIn(text: string): Prohibitions {
  const nonGoals: string[] = [];
  const constraints: string[] = [];
  const rest: string[] = [];
  let isTelling = false;
  let isOpen = false;
  for (const { clause, mark } of clausesOf(text)) {
    const found = foundIn(clause);
    if (found === undefined) {
      const list = nonGoals.at(-1);
      isOpen = isOpen && list !== undefined && GOES_ON.test(clause);
      if (isOpen) nonGoals[nonGoals.length - 1] = clip(`${list}${mark}${clause}`);
      else rest.push(clause);
      continue;
    }
    isOpen = found.kind === 'non-goal';
    (isOpen ? nonGoals : constraints).push(clip(found.text));
    if (saysSomething(found.before)) rest.push(found.before);
    if (!found.isAlone) isTelling = true;
  }
  const left = rest.filter(saysSomething).join(' ');
  return { nonGoals, constraints, rest: left, isTelling };
}

function foundIn(clause: string): Found | undefined {
  const limit = first(CONSTRAINTS, clause);
  if (limit !== undefined) {
    // "compatible with Node 20" needs what comes before it, "without changing X" does not.
    const isSubject = /^(?:must|should|shall|needs?|has|have)/i.test(limit[0]);
    const before = isSubject ? '' : clause.slice(0, limit.index);
    return { kind: 'constraint', text: clause, before, isAlone: !isSubject };
  }
  const refusal = first(NON_GOALS, clause) ?? first(ZH_NON_GOALS, clause);
  if (refusal === undefined) return undefined;
  const before = clause.slice(0, refusal.index);
  if (TELLS.test(before)) return undefined;
  if (/out of scope\W*$|out of scope (?:here|for)/i.test(refusal[0]) && TELLS.test(refusal[0]))
    return undefined;
  const said = refusal[0].replace(/^(?:(?:please|also|and|but|just|then|so) )+/i, '');
  const isAlone = new RegExp(`\\b(?:${ALONE}|leave|scope)\\b|${ZH_ALONE}`, 'i').test(said);
  const from = refusal.index + refusal[0].length - said.length;
  return { kind: 'non-goal', text: clause.slice(from), before, isAlone };
}

function first(patterns: readonly RegExp[], clause: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(clause);
    if (match !== null) return match;
  }
  return undefined;
}

/** Each with the mark in front of it, as it is to stand between two of them. */
function clausesOf(text: string): { readonly clause: string; readonly mark: string }[] {
  const parts = text.split(ENDS);
  const clauses: { clause: string; mark: string }[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const clause = (parts[at] ?? '').trim();
    const mark = (parts[at - 1] ?? '').trim();
    if (clause !== '') clauses.push({ clause, mark: /^[,;:]$/.test(mark) ? `${mark} ` : mark });
  }
  return clauses;
}

export function saysSomething(text: string): boolean {
  return /[\w\u4e00-\u9fff]{3}/.test(text.replace(COURTESY, ''));
}

/** One line, without the sentence's last stop. */
export function clip(text: string): string {
  const line = text.slice(0, MAX_CLAUSE).replaceAll(/\s+/g, ' ').trim();
  return line.replace(/[.。;；，,]$/, '');
}
