import { cleanFolderName } from './boundaries.ts';
import { type Clauses, readClauses } from './request-clauses.ts';
import { languageOfRequest, type RequestLanguage } from './request-language.ts';
import { risksIn } from './request-risks.ts';
import { isItem, readRequest, type Statement } from './request-text.ts';
import { pathOf, readTokens } from './request-tokens.ts';
import type { ProjectSurvey } from './survey-model.ts';

/** What a request says by itself, before anybody is asked. */
export interface Anchors {
  /** The first sentence that says what to do; `undefined` for "fix it", or where only limits are named. */
  readonly goal: string | undefined;
  /** Everything that was asked, line by line, lists as they are. */
  readonly request: string;
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
  /** Paths that the work is limited to. A limit without one is a constraint. */
  readonly scopes: readonly string[];
  readonly risks: readonly string[];
  /** Lines of the request that are not in `request`, because it is too long. */
  readonly leftOut: number;
  readonly language: RequestLanguage;
}

/** Sentences and items; a request of more is a pasted document. */
const MAX_STATEMENTS = 2_000;
/** Characters; what is beyond is a pasted log. */
const MAX_REQUEST = 8_000;
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
  const statements = readRequest(request).slice(0, MAX_STATEMENTS);
  const read = statements.map((statement) => ({ statement, clauses: readClauses(statement) }));
  const criteria = read.flatMap(({ clauses }) => clauses.criteria);
  const nonGoals = unique(read.flatMap(({ clauses }) => clauses.nonGoals));
  const limits = read.map((one) => ({ ...one, found: scopesOf(one.clauses, survey) }));
  const goal = goalOf(limits);
  const unplaced = limits.filter(
    ({ statement, clauses, found }) =>
      clauses.isLimit &&
      statement.text !== goal &&
      found.length === 0 &&
      clauses.scopes.some(({ isCommand }) => isCommand),
  );
  const constraints = [
    ...read.flatMap(({ clauses }) => clauses.constraints),
    ...unplaced.map(({ statement }) => oneLine(statement.text)),
  ];

  const folders = new Set(survey.topFolders.map(({ folder }) => folder));
  const { paths, symbols, issues } = readTokens(request, folders);
  const excluded = new Set(nonGoals.flatMap((text) => readTokens(text, folders).paths));
  return {
    goal: goal === undefined ? undefined : oneLine(goal),
    ...wholeOf(request),
    paths: paths.filter((path) => !excluded.has(path)).slice(0, MAX_LIST),
    excludedPaths: [...excluded].slice(0, MAX_LIST),
    symbols: symbols.slice(0, MAX_LIST),
    issues: issues.slice(0, MAX_LIST),
    workspaces: withoutAll(namedWorkspaces(request, survey), nonGoals, survey),
    criteria: unique(criteria.map(oneLine)).slice(0, MAX_LIST),
    nonGoals: nonGoals.slice(0, MAX_LIST),
    constraints: unique(constraints).slice(0, MAX_LIST),
    scopes: unique(limits.flatMap(({ found }) => found)).slice(0, MAX_LIST),
    risks: risksIn(request),
    language: languageOfRequest(request),
  };
}

interface Read {
  readonly statement: Statement;
  readonly clauses: Clauses;
}

/** The request as it was typed; lines that are no list stay apart. */
function wholeOf(request: string): Pick<Anchors, 'request' | 'leftOut'> {
  const text = request.replaceAll(/\r\n?/g, '\n').trim();
  const kept = text.slice(0, MAX_REQUEST).trimEnd();
  const beyond = text.slice(kept.length).split('\n');
  const leftOut = beyond.filter((line) => line.trim() !== '').length;
  const lines = kept.split('\n').map((line) => line.trimEnd());
  const isText = (line: string | undefined) =>
    line !== undefined && /^\S/.test(line) && !isItem(line);
  const apart = lines.flatMap((line, at) =>
    isText(line) && isText(lines[at - 1]) ? ['', line] : [line],
  );
  return { request: apart.join('\n'), leftOut };
}

/**
 * A sentence that says what to do; else the demands of a list, or the first that is more than a limit.
 * What only says where the work ends is no goal.
 */
function goalOf(
  read: readonly (Read & { readonly found: readonly string[] })[],
): string | undefined {
  const free = read.filter(({ clauses }) => !clauses.isConsumed).map(({ statement }) => statement);
  const lead = leadOf(free)?.text ?? goalFromList(read);
  if (lead !== undefined) return lead;
  const rest = read.find(
    ({ statement, clauses, found }) =>
      clauses.isConsumed &&
      !isVague(statement.text) &&
      (!clauses.isLimit ||
        (clauses.scopes.some(({ isCommand }) => isCommand) && found.length === 0)),
  );
  return rest?.statement.text;
}

function scopesOf(
  { scopes }: Clauses,
  survey: Pick<ProjectSurvey, 'workspaces' | 'topFolders'>,
): string[] {
  return scopes.flatMap(({ text }) => scopeOf(text, survey));
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
function goalFromList(read: readonly Read[]): string | undefined {
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

/** The paths, folders and workspaces in a phrase. */
function scopeOf(text: string, survey: Pick<ProjectSurvey, 'workspaces' | 'topFolders'>): string[] {
  const folders = new Set(survey.topFolders.map(({ folder }) => folder));
  const named = readTokens(text, folders).paths;
  if (named.length > 0) return [...named];
  const words = text.split(/[\s`'"，、]+/).map((word) => cleanFolderName(word));
  const known = words.filter((word) => folders.has(word));
  const workspaces = namedWorkspaces(text, survey);
  return unique([...known.filter((word) => pathOf(word, folders) === undefined), ...workspaces]);
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
  return line.replace(/[.。;；]$/, '');
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
