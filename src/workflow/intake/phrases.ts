/**
 * Phrases of requests, English and Chinese. They are matched against a text whose white space has been
 * folded to single blanks; every repetition is bounded, so that matching stays linear.
 */

/** White space folded, lower case, and cut: a hint does not need a pasted log. */
export function foldText(text: string): string {
  return text.slice(0, MAX_HINT_LENGTH).toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Characters. */
const MAX_HINT_LENGTH = 4_000;

const SIDES =
  /\b(?:main and renderer|renderer and main|front-?end and (?:the )?back-?end|back-?end and (?:the )?front-?end|client and (?:the )?server|server and (?:the )?client|ui and (?:the )?api|api and (?:the )?ui)\b/;
const EVERYWHERE =
  /\b(?:across|throughout|every|all)(?: [\w-]{1,30}){0,4}? (?:modules?|packages?|layers?|workspaces?|services?|apps?|projects?|crates?|repos?|codebase)\b/;
const BOTH = /\bboth (?:[\w./-]{1,40} ){1,4}and [\w./-]{1,40}/;
const CHINESE_CROSS_CUTTING =
  /前后端|前端(?:和|与|及|、)后端|后端(?:和|与|及|、)前端|主进程(?:和|与|及|、)渲染进程|跨(?:模块|包|层|服务|项目|端)|(?:所有|全部|各个|每个|各)(?:的)?(?:子)?(?:模块|包|层|服务|项目|应用|工作区)|(?:整个|全)(?:项目|仓库|代码库|工程)|全局/;

export function isCrossCutting(folded: string): boolean {
  return [SIDES, EVERYWHERE, BOTH, CHINESE_CROSS_CUTTING].some((phrase) => phrase.test(folded));
}

const TESTS =
  /\b(?:(?:add|write|expand|extend|more|missing) (?:[\w-]{1,30} ){0,3}?tests?|tests? coverage|code coverage|verify|verification|regressions?|test suite)\b/;
const CHINESE_TESTS =
  /(?:添加|增加|补充|补|编写|写|完善|扩展|新增|加)[^，。；,.;]{0,12}测试|单元测试|集成测试|端到端测试|测试用例|覆盖率|回归|验证/;

export function isTestHeavy(folded: string): boolean {
  return TESTS.test(folded) || CHINESE_TESTS.test(folded);
}

// "comment" and "rename" are features as well: a comment system, a rename command.
const SMALL =
  /\b(?:typos?|misspell\w{0,6}|spelling|renam(?:e|es|ed|ing)(?! (?:command|feature|endpoint|button|dialog|action|tool|api|support|option))|comments?(?! (?:system|feature|section|threads?|api|model|box|form|endpoint|moderation|table|list|page|service))|docstrings?|white-?space)\b/;
const CHINESE_SMALL = /错别字|拼写|笔误|重命名(?!功能|命令|接口|按钮)|改名|注释|空格|空白|缩进/;
const WEIGHTY =
  /\b(?:implement\w{0,6}|build(?!s)|design|integrat\w{1,4}|migrat\w{1,4}|rewrit\w{1,4}|refactor\w{0,4}|redesign|introduce)\b/;
const CHINESE_WEIGHTY = /实现|重构|迁移|设计|集成|开发|重写|引入|改造/;

/** Small by its own words, and no larger piece of work beside it. */
export function isTrivial(folded: string): boolean {
  if (!SMALL.test(folded) && !CHINESE_SMALL.test(folded)) return false;
  return !WEIGHTY.test(folded) && !CHINESE_WEIGHTY.test(folded);
}

/** Names of parts that projects share, by the word a request uses. */
const CLASSIC_MODULES: Readonly<Record<string, string>> = {
  main: 'main',
  renderer: 'renderer',
  preload: 'preload',
  backend: 'backend',
  'back-end': 'backend',
  frontend: 'frontend',
  'front-end': 'frontend',
  cli: 'cli',
  android: 'android',
  ios: 'ios',
};
const CHINESE_MODULES: Readonly<Record<string, string>> = {
  前端: 'frontend',
  后端: 'backend',
  前后端: 'frontend',
  主进程: 'main',
  渲染进程: 'renderer',
  命令行: 'cli',
  安卓: 'android',
};
/** Names that folders have and sentences use for something else. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'src lib libs app apps test tests docs doc packages package scripts script config configs tools ' +
    'examples example common shared core utils util types build bin public assets services modules ' +
    'spec specs internal pkg cmd resources data templates fixtures'
  ).split(' '),
);

/** The parts that a request names, each once, in one spelling. */
export function modulesIn(folded: string, names: readonly string[]): string[] {
  const known = new Map(Object.entries(CLASSIC_MODULES));
  for (const name of names) {
    const word = name.toLowerCase();
    if (!COMMON_WORDS.has(word) && !known.has(word)) known.set(word, word);
  }
  const words = folded.match(/[@\w][\w./-]{0,200}/g) ?? [];
  const found = words.map((word) => known.get(word.replace(/[./-]+$/, '')));
  const chinese = Object.entries(CHINESE_MODULES).filter(([word]) => folded.includes(word));
  const modules = new Set([...found, ...chinese.map(([, name]) => name)]);
  if (folded.includes('前后端')) modules.add('backend');
  // The main branch, the main menu: only beside its counterpart it is a part of the program.
  const isProcess = modules.has('renderer') || modules.has('preload');
  if (!isProcess && !names.includes('main')) modules.delete('main');
  return [...modules].filter((name) => name !== undefined);
}
