/** What a statement of a request asks for, forbids or limits, English and Chinese. Pure. */
import type { Section, Statement } from './request-text.ts';

/** One statement may say several things: a goal with a non-goal in its second half. */
export interface Clauses {
  readonly criteria: readonly string[];
  readonly nonGoals: readonly string[];
  readonly constraints: readonly string[];
  /** What stands behind words such as "only in". */
  readonly scopes: readonly ScopePhrase[];
  /** Nothing is left of the statement that could be the goal. */
  readonly isConsumed: boolean;
}

interface ScopePhrase {
  readonly text: string;
  /** "only touch …" limits the work; "only in …" may also say where a fault shows. */
  readonly isCommand: boolean;
}

const NON_GOAL =
  /\b(?:(?:do not|don['’]t|never) (?:touch|change|modify|edit|alter|rename|remove|delete|update|include|add|rewrite|refactor|migrate|move|reformat|bump|upgrade)|without (?:touching|changing|modifying|editing|altering|renaming|removing|rewriting|refactoring|updating|adding)|not including|no need to|excluding|except for|out of scope)\b/i;
const LEFT_ALONE = /\bleave [^,;]{1,80}? (?:alone|untouched|unchanged|as[- ]is)\b/i;
const CHINESE_NON_GOAL =
  /^(?:但是?|并且?|而且|且|同时|请|另外)?(?:(?:请)?(?:不要|不能|不可|别|勿|无需|不需要|不用|不必|不)(?:再|去)?(?:改|动|碰|修改|更改|变更|改动|调整|触碰|涉及|包括|包含|处理|删|删除|重构|升级|增加|添加|新增)|不做|不在范围)/;

const CONSTRAINT =
  /\b(?:(?:must|should|shall|needs? to|has to|have to) (?:keep|stay|remain|preserve|not|never|continue|still)|(?:mustn['’]t|shouldn['’]t)|(?:backwards?[- ])?compatib(?:le|ility)|(?:do not|don['’]t|not|never|without) break(?:ing)?|no breaking changes?|preserv(?:e|ing)|no (?:new|additional|extra|external) (?:runtime )?dependenc(?:y|ies)|(?:without(?: adding)?|(?:do not|don['’]t) add)(?: any)?(?: new)? dependenc(?:y|ies)|only use|use only)\b/i;
const KEPT =
  /\bkeep(?:ing)? [^,;]{1,80}? (?:unchanged|stable|working|intact|compatible|the same|as[- ]is)\b/i;
const CHINESE_CONSTRAINT =
  /兼容|不得|禁止|^(?:但是?|并且?|而且|且|同时|请|另外)?(?:(?:必须|需要?|应该?|应当|要)?(?:保持|保留|维持)|(?:不要|不能|不可|不应|别|避免|不)(?:破坏|影响|降低|超过|引入|依赖|使用)|只能(?:使用|用))/;

const CRITERION = /\b(?:must|should|shall)\b/i;
/** An opinion about what to do, not about what the result does. */
const SUGGESTION = /\b(?:we|you|i) (?:must|should|shall)\b|(?:我们?|你们?|咱们)(?:必须|应该|应当)/i;
const CHINESE_CRITERION = /必须|应该|应当|务必/;
const DONE_WHEN =
  /\b(?:done|finished|complete) (?:when|once|if)\b[:,]?|(?:完成(?:条件|标准)|验收(?:标准|条件))(?:是|为|[:：])?/i;

const SCOPE_COMMAND =
  /\b(?:only (?:touch|change|edit|modify|update)|(?:limited|restricted) to|(?:limit|restrict) (?:[\w-]{1,20} ){0,4}?to|scope is)\b|仅限于?|局限于|限于|(?:只|仅)(?:修改|改动|改|动|碰)|范围(?:是|为|仅限)/i;
const SCOPE_PLACE = /\b(?:only|just|solely) (?:in|inside|within|under)\b|(?:只|仅)在/i;

/** Says nothing by itself in front of a clause. */
const COURTESY = /\b(?:please|also|and|but|just|then)\b/gi;
const CLAUSE_END = /[,，;；()（）]| but |\bexcept\b/;
const MAX_CLAUSE = 300;

/** Reads one statement. An item of a list that forbids and limits nothing is a criterion. */
export function readClauses({ text, section, isItem }: Statement): Clauses {
  const whole = clip(text);
  const bySection = section === undefined ? undefined : underHeading(section, whole);
  if (bySection !== undefined) return bySection;
  const scopes = scopesIn(text);
  const { nonGoals, constraints, isWhole } = forbidden(text);
  const found = { nonGoals, constraints, scopes };
  const done = doneWhen(text);
  if (done !== undefined) return { ...found, criteria: [done.text], isConsumed: done.isWhole };
  if (isWhole || scopes.some((scope) => scope.isWhole)) {
    return { ...found, criteria: [], isConsumed: true };
  }
  const isAsked = /[?？]$/.test(whole);
  const isCriterion =
    isItem ||
    (!isAsked && !SUGGESTION.test(text) && (CRITERION.test(text) || CHINESE_CRITERION.test(text)));
  return { ...found, criteria: isCriterion ? [whole] : [], isConsumed: isCriterion };
}

function underHeading(section: Section, text: string): Clauses | undefined {
  const none = { criteria: [], nonGoals: [], constraints: [], scopes: [], isConsumed: true };
  switch (section) {
    case 'criteria':
      return { ...none, criteria: [text] };
    case 'non-goals':
      return { ...none, nonGoals: [text] };
    case 'constraints':
      return { ...none, constraints: [text] };
    case 'scope':
      return { ...none, scopes: [{ text, isCommand: true }] };
    case 'goal':
    case 'other':
      return { ...none, isConsumed: false };
  }
}

/** Clauses that forbid. A constraint is about what must hold, a non-goal about what is left alone. */
function forbidden(text: string) {
  const nonGoals: string[] = [];
  const constraints: string[] = [];
  let isWhole = false;
  let isFirst = true;
  for (const clause of clausesOf(text)) {
    const limit = CONSTRAINT.exec(clause) ?? KEPT.exec(clause) ?? CHINESE_CONSTRAINT.exec(clause);
    const refusal =
      NON_GOAL.exec(clause) ?? LEFT_ALONE.exec(clause) ?? CHINESE_NON_GOAL.exec(clause);
    const match = limit ?? refusal;
    if (match !== null) {
      // "compatible with Node 20" needs what comes before it, "without changing X" does not.
      const cut = limit === null ? clause.slice(match.index) : clause;
      (limit === null ? nonGoals : constraints).push(clip(cut));
      const before = clause.slice(0, match.index).replace(COURTESY, '');
      if (isFirst)
        isWhole = limit === null ? !/[\w\u4e00-\u9fff]{3}/.test(before) : startsBare(limit, before);
    }
    isFirst = false;
  }
  return { nonGoals, constraints, isWhole };
}

/** "The API must keep …" is a constraint and nothing else; "Add X compatible with Y" is also a goal. */
function startsBare(limit: RegExpExecArray, before: string): boolean {
  return (
    /^(?:must|should|shall|needs?|has|have)/i.test(limit[0]) || !/[\w\u4e00-\u9fff]{3}/.test(before)
  );
}

function clausesOf(text: string): string[] {
  return text
    .split(CLAUSE_END)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
}

function scopesIn(text: string): (ScopePhrase & { readonly isWhole: boolean })[] {
  const command = SCOPE_COMMAND.exec(text);
  const match = command ?? SCOPE_PLACE.exec(text);
  if (match === null) return [];
  const rest = text.slice(match.index + match[0].length).replace(/^[\s:：]+/, '');
  const [phrase = ''] = rest.split(/[,，;；。]|\.(?:\s|$)| but /, 1);
  const isWhole = !/[\w\u4e00-\u9fff]{4}/.test(text.slice(0, match.index));
  return [{ text: clip(phrase), isCommand: command !== null, isWhole }];
}

function doneWhen(text: string): { readonly text: string; readonly isWhole: boolean } | undefined {
  const match = DONE_WHEN.exec(text);
  if (match === null) return undefined;
  const rest = clip(text.slice(match.index + match[0].length).replace(/^[\s:：,，]+/, ''));
  const before = text.slice(0, match.index).replace(/\b(?:it is|it's|this is|the work is)\b/i, '');
  return rest === '' ? undefined : { text: rest, isWhole: !/[\w\u4e00-\u9fff]{3}/.test(before) };
}

/** One line, without the sentence's last stop. */
function clip(text: string): string {
  const line = text.slice(0, MAX_CLAUSE).replaceAll(/\s+/g, ' ').trim();
  return line.replace(/[.。;；，,]$/, '');
}
