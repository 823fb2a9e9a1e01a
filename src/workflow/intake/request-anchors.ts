import { cleanFolderName } from './boundaries.ts';
import { type Clauses, readClauses } from './request-clauses.ts';
import { languageOfRequest, type RequestLanguage } from './request-language.ts';
import { risksIn } from './request-risks.ts';
import { readRequest, type Statement } from './request-text.ts';
import { pathOf, readTokens } from './request-tokens.ts';
import type { ProjectSurvey } from './survey-model.ts';

/** What a request says by itself, before anybody is asked. */
export interface Anchors {
  /** The first sentence that says what to do; `undefined` for "fix it" and the like. */
  readonly goal: string | undefined;
  /** Paths as written, with `/` and without line numbers; patterns too. Whether they exist is not known. */
  readonly paths: readonly string[];
  /** Paths that the request wants left alone; never in `paths`. */
  readonly excludedPaths: readonly string[];
  readonly symbols: readonly string[];
  readonly issues: readonly number[];
  /** Folders of workspaces that the request calls by name. */
  readonly workspaces: readonly string[];
  readonly criteria: readonly string[];
  readonly nonGoals: readonly string[];
  readonly constraints: readonly string[];
  /** Limits of the work in the request's own words: paths, or a phrase. */
  readonly scopes: readonly string[];
  readonly risks: readonly string[];
  /** Other sentences, so that nothing that was said is lost. */
  readonly context: readonly string[];
  /** Lines that are not in `context`: code blocks, and what is beyond its bounds. */
  readonly leftOut: number;
  readonly language: RequestLanguage;
}

/** Sentences and items; a request of more is a pasted document. */
const MAX_STATEMENTS = 2_000;
const MAX_CONTEXT = 40;
const MAX_TEXT = 500;
const MAX_LIST = 50;
/** Items of a list that make up one goal. */
const MAX_JOINED = 3;

const VAGUE =
  /^(?:(?:hi|hello|hey|thanks|thank you|please|pls|can you|could you)\b[, ]*)*(?:(?:just )?(?:fix|do|change|improve|update|help|refactor|clean ?up|make|finish|continue|go on|optimi[sz]e|work on)\b(?: (?:it|this|that|these|things?|stuff|everything|all|the|a|my|our|some|code|project|app|repo|bugs?|problems?|issues?|something|better|faster|work|working|me|up|with|please|out))*)?$/i;
const CHINESE_VAGUE =
  /^(?:你好|您好|谢谢|请|帮我|帮忙|麻烦|一下|把|再|继续)*(?:修|改|弄|看|做|优化|修改|修复|处理|改进|完善|解决|重构)?(?:一?下|好)?(?:它|这个|这|那个|代码|东西|问题|项目|一下|bug)*(?:吧|啊|了)?$/i;

/** Pure, never throws, linear in the length of the request. */
export function readAnchors(
  request: string,
  survey: Pick<ProjectSurvey, 'workspaces' | 'topFolders'>,
): Anchors {
  const { statements: all, codeLines } = readRequest(request);
  const statements = all.slice(0, MAX_STATEMENTS);
  const read = statements.map((statement) => ({ statement, clauses: readClauses(statement) }));
  const criteria = read.flatMap(({ clauses }) => clauses.criteria);
  const nonGoals = unique(read.flatMap(({ clauses }) => clauses.nonGoals));
  const free = read.filter(({ clauses }) => !clauses.isConsumed).map(({ statement }) => statement);
  const lead = leadOf(free);
  const goal = lead?.text ?? goalFromList(read);
  const context = free.filter((one) => one !== lead && !isVague(one.text)).map(({ text }) => text);

  const folders = new Set(survey.topFolders.map(({ folder }) => folder));
  const { paths, symbols, issues } = readTokens(request, folders);
  const excluded = new Set(nonGoals.flatMap((text) => readTokens(text, folders).paths));
  const phrases = read.flatMap(({ clauses }) => clauses.scopes);
  const scopes = phrases.flatMap(({ text, isCommand }) => scopeOf(text, isCommand, survey));
  return {
    goal: goal === undefined ? undefined : oneLine(goal),
    paths: paths.filter((path) => !excluded.has(path)).slice(0, MAX_LIST),
    excludedPaths: [...excluded].slice(0, MAX_LIST),
    symbols: symbols.slice(0, MAX_LIST),
    issues: issues.slice(0, MAX_LIST),
    workspaces: withoutAll(namedWorkspaces(request, survey), nonGoals, survey),
    criteria: unique(criteria.map(oneLine)).slice(0, MAX_LIST),
    nonGoals: nonGoals.slice(0, MAX_LIST),
    constraints: unique(read.flatMap(({ clauses }) => clauses.constraints)).slice(0, MAX_LIST),
    scopes: unique(scopes).slice(0, MAX_LIST),
    risks: risksIn(request),
    context: context.slice(0, MAX_CONTEXT).map(oneLine),
    leftOut:
      codeLines + (all.length - statements.length) + Math.max(0, context.length - MAX_CONTEXT),
    language: languageOfRequest(request),
  };
}

/** Whether a text says too little to be a goal. */
function isVague(text: string): boolean {
  const bare = text
    .slice(0, MAX_TEXT)
    .replaceAll(/[\s.!?。！？,，:：;；~…]+/g, ' ')
    .trim();
  if (!/\p{L}/u.test(bare)) return true;
  return VAGUE.test(bare) || CHINESE_VAGUE.test(bare.replaceAll(' ', ''));
}

/** A heading "Goal" decides; else the first sentence that says something. */
function leadOf(free: readonly Statement[]): Statement | undefined {
  const telling = free.filter(({ text, section }) => section !== 'other' && !isVague(text));
  return telling.find(({ section }) => section === 'goal') ?? telling[0];
}

/** A request that is only a list, or only says what must be, is its own goal. */
function goalFromList(
  read: readonly { readonly statement: Statement; readonly clauses: Clauses }[],
): string | undefined {
  const open = read.filter(({ statement }) => statement.section === undefined);
  const texts = open.flatMap(({ clauses }) => clauses.criteria).filter((text) => !isVague(text));
  return texts.length === 0 ? undefined : texts.slice(0, MAX_JOINED).join('; ');
}

function withoutAll(
  found: readonly string[],
  nonGoals: readonly string[],
  survey: Pick<ProjectSurvey, 'workspaces'>,
): string[] {
  const unwanted = new Set(nonGoals.flatMap((text) => namedWorkspaces(text, survey)));
  return found.filter((folder) => !unwanted.has(folder));
}

/** The paths in a phrase; a phrase without any only where it was a clear order. */
function scopeOf(
  text: string,
  isCommand: boolean,
  survey: Pick<ProjectSurvey, 'workspaces' | 'topFolders'>,
): string[] {
  const folders = new Set(survey.topFolders.map(({ folder }) => folder));
  const named = readTokens(text, folders).paths;
  if (named.length > 0) return [...named];
  const words = text.split(/[\s`'"，、]+/).map((word) => cleanFolderName(word));
  const known = words.filter((word) => folders.has(word));
  const workspaces = namedWorkspaces(text, survey);
  const found = [...known.filter((word) => pathOf(word, folders) === undefined), ...workspaces];
  if (found.length > 0) return unique(found);
  return isCommand && /[\p{L}\p{N}]/u.test(text) ? [text] : [];
}

/** Full names anywhere; a last part such as `web` only where the request says what it is. */
function namedWorkspaces(
  text: string,
  { workspaces }: Pick<ProjectSurvey, 'workspaces'>,
): string[] {
  const lower = text.toLowerCase();
  const words = new Set(lower.match(/@?[a-z0-9][\w./@-]{0,200}/g)?.map(cleanFolderName));
  const labelled = lower.matchAll(
    /\b([a-z0-9][\w-]{0,60}) (?:package|workspace|module|crate|app|service)\b|\b(?:package|workspace|module|crate|app|service) ([a-z0-9][\w-]{0,60})|([a-z0-9][\w-]{0,60}) ?(?:包|模块|工作区|子项目|服务|应用)/g,
  );
  const parts = new Set([...labelled].map(([, a, b, c]) => a ?? b ?? c ?? ''));
  return workspaces
    .filter(({ folder, name }) => {
      const last = (folder.split('/').at(-1) ?? folder).toLowerCase();
      const full = [folder, name].filter((one) => one !== undefined && /[/@-]/.test(one));
      return full.some((one) => words.has(one?.toLowerCase() ?? '')) || parts.has(last);
    })
    .map(({ folder }) => folder);
}

function oneLine(text: string): string {
  const line = text.slice(0, MAX_TEXT).replaceAll(/\s+/g, ' ').trim();
  return line.replace(/[.。]$/, '');
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
