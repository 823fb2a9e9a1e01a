/** Paths, symbols and issue numbers that a text names. Pure. */

interface Tokens {
  readonly paths: readonly string[];
  readonly symbols: readonly string[];
  readonly issues: readonly number[];
}

/** Characters; whatever is longer is data and no name. */
const MAX_TOKEN = 260;
const MAX_CODE_SPAN = 200;

const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonc json5 vue svelte astro py pyi ipynb go mod rs java kt kts ' +
    'scala groovy gradle rb erb php ex exs cs csproj fs sln c h cc cpp cxx hpp m mm swift dart lua pl r jl ' +
    'hs clj zig sh bash zsh fish ps1 bat cmd sql graphql proto html htm css scss sass less md mdx rst txt ' +
    'adoc yml yaml toml ini cfg conf env lock xml svg png jpg csv tsv log tf hcl nix'
  ).split(' '),
);
const KNOWN_FILES =
  /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|LICENSE|CHANGELOG|README|\.(?:git|npm|docker|eslint|prettier)ignore|\.env(?:\.\w+)?|\.editorconfig|\.npmrc|\.nvmrc|go\.(?:mod|sum))$/;
/** `Node.js` is no file. */
const PRODUCTS =
  /^(?:node|vue|next|nuxt|react|express|three|d3|chart|backbone|ember|alpine|deno|nest|socket\.io|moment|discord|electron|asp)\.(?:js|net|io)$/i;
const USUAL_FOLDERS: ReadonlySet<string> = new Set(
  'src lib app apps test tests docs packages scripts cmd internal pkg crates services .github'.split(
    ' ',
  ),
);
/** Two capitals, and yet the name of a product. */
const PRODUCT_NAMES: ReadonlySet<string> = new Set(
  (
    'GitHub GitLab JavaScript TypeScript CoffeeScript PostgreSQL MySQL MongoDB GraphQL OpenAI YouTube ' +
    'WebSocket WebSockets DevOps macOS iOS iPhone iPad LinkedIn PayPal WeChat PowerShell JetBrains ' +
    'IntelliJ DynamoDB BigQuery CloudFlare DockerHub PyPI LaTeX WordPress eBay NoSQL JUnit NodeJS'
  ).split(' '),
);

// Runs of what may stand in a path or a name; Chinese around them ends them.
const RUN = /[\w@.~+\-/\\:*#[\]$]+/g;
const CALL = /[A-Za-z_$][\w$.]{0,100}\(\)/g;
const ISSUES = [
  /(?<![\w&/#])#(\d{1,7})(?!\w)/g,
  /\bgh-(\d{1,7})\b/gi,
  /\b(?:issues?|bugs?|tickets?|prs?|pull requests?)[ \t]{1,3}(?:no\.? ?)?#?(\d{1,7})\b/gi,
  /(?:议题|问题|工单|缺陷)[ \t]{0,3}#?(\d{1,7})(?!\d|[ \t]?[个条次年天月种])/g,
  /\/(?:issues|pull)\/(\d{1,7})\b/g,
];

/** @param folders Top folders of the project: they make `billing/invoice` a path. */
export function readTokens(text: string, folders: ReadonlySet<string>): Tokens {
  const { spans, rest } = takeCodeSpans(text);
  const paths: string[] = [];
  const symbols: string[] = [];
  for (const span of spans) {
    const found = pathsInSpan(span, folders);
    paths.push(...found);
    if (found.length === 0 && isSymbol(span)) symbols.push(span);
  }
  for (const [call] of rest.matchAll(CALL)) symbols.push(call);
  for (const [run] of rest.matchAll(RUN)) {
    if (run.length > MAX_TOKEN) continue;
    const path = pathOf(run, folders);
    if (path !== undefined) paths.push(path);
    else if (isTellingName(trimEnds(run))) symbols.push(trimEnds(run));
  }
  return { paths: unique(paths), symbols: withoutCalled(unique(symbols)), issues: issuesIn(text) };
}

/** The path that a run of characters is, without a line number; `undefined` when it is none. */
export function pathOf(run: string, folders: ReadonlySet<string>): string | undefined {
  if (run.includes('://') || run.startsWith('#') || run.startsWith('--')) return undefined;
  const bare = trimEnds(run).replace(/#L\d{1,7}(?:-L?\d{1,7})?$/, '');
  const path = bare.replace(/(?::\d{1,7}){1,2}$/, '').replaceAll('\\', '/');
  const drive = /^[A-Za-z]:\//.test(path);
  if (!/[A-Za-z0-9_*]/.test(path) || (path.includes(':') && !drive)) return undefined;
  const slash = path.lastIndexOf('/');
  if (slash === -1) return isFileName(path) ? path : undefined;
  const isMarked = /^(?:\.{1,2}|~)?\//.test(path) || drive;
  const first = path.split('/')[0] ?? '';
  const isAtHome = (folders.has(first) || USUAL_FOLDERS.has(first)) && path.length > first.length;
  const last = path.slice(slash + 1);
  const looksReal = isMarked || isAtHome || isFileName(last) || (last === '' && first.length > 1);
  return looksReal && path.length > 1 ? path : undefined;
}

function isFileName(name: string): boolean {
  if (KNOWN_FILES.test(name)) return true;
  const dot = name.lastIndexOf('.');
  if (dot < 1 || PRODUCTS.test(name)) return false;
  return EXTENSIONS.has(name.slice(dot + 1).toLowerCase()) && /^[\w@.+\-*[\]$]+$/.test(name);
}

/** In backticks a path may hold blanks and letters of any script. */
function pathsInSpan(span: string, folders: ReadonlySet<string>): string[] {
  const words = span.split(/\s+/);
  if (words.length === 1) return [anyPath(span, folders)].filter((path) => path !== undefined);
  if (/^(?:\.{1,2}|~)?\//.test(span)) return [span];
  const found = words.map((word) => anyPath(word, folders)).filter((path) => path !== undefined);
  // Several paths in one span end like paths; the halves of one path with a blank do not.
  const areWhole = found.every((path) => /(?:\.\w{1,8}|\/)$/.test(path));
  if (found.length === words.length && areWhole) return found;
  const isOne =
    span.includes('/') && !/\s/.test(span.split('/')[0] ?? '') && /\.\w{1,8}$/.test(span);
  return isOne ? [span] : [];
}

function anyPath(word: string, folders: ReadonlySet<string>): string | undefined {
  const plain = pathOf(word, folders);
  if (plain !== undefined || word.includes('://')) return plain;
  const isForeign = /[\u0080-\uffff]/.test(word) && /[/.]/.test(word);
  const extension = word.slice(word.lastIndexOf('.') + 1).toLowerCase();
  return isForeign && (word.includes('/') || EXTENSIONS.has(extension)) ? word : undefined;
}

function isSymbol(span: string): boolean {
  return /^(?:--?[a-z][\w-]*|[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?)$/.test(
    span,
  );
}

/** Names that no sentence holds by chance: flags, `Class.method`, `camelCase`, `snake_case`. */
function isTellingName(word: string): boolean {
  if (/^--[a-z][\w-]*$/.test(word)) return true;
  if (PRODUCT_NAMES.has(word) || PRODUCTS.test(word)) return false;
  return (
    /^[A-Z][\w$]*\.[A-Za-z_$][\w$]+$/.test(word) ||
    /^[A-Z]?[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(word) ||
    /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$/.test(word)
  );
}

/** `foo()` and then `foo` is one symbol. */
function withoutCalled(symbols: readonly string[]): string[] {
  const called = new Set(symbols.filter((name) => name.endsWith('()')));
  return symbols.filter((name) => !called.has(`${name}()`));
}

function issuesIn(text: string): number[] {
  const found = ISSUES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => [match.index, Number(match[1])] as const),
  );
  return unique(found.sort(([a], [b]) => a - b).map(([, number]) => number));
}

/** What stands in single backticks, and the text with these parts blanked out. */
function takeCodeSpans(text: string): { readonly spans: string[]; readonly rest: string } {
  const spans: string[] = [];
  const lines = text.split('\n').map((line) => {
    const parts = line.split('`');
    return parts.map((part, at) => {
      const isSpan = at % 2 === 1 && at < parts.length - 1 && part.length <= MAX_CODE_SPAN;
      if (isSpan && part.trim() !== '') spans.push(part.trim());
      return isSpan ? ' ' : part;
    });
  });
  return { spans, rest: lines.map((parts) => parts.join(' ')).join('\n') };
}

/** A sentence's punctuation is not part of its last word. */
function trimEnds(run: string): string {
  return run.replace(/^[#[\]$]+(?=[\w./])/, '').replace(/(?<=[\w/*\]])[.:\]#]+$/, '');
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
