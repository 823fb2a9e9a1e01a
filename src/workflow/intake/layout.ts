/** Languages and folders, read off the names of files. Pure. */
import type { FolderGuess, Language, TopFolder } from './survey-model.ts';
import type { Tree } from './walk-tree.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  vue: 'Vue',
  svelte: 'Svelte',
  py: 'Python',
  pyi: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  kts: 'Kotlin',
  scala: 'Scala',
  rb: 'Ruby',
  php: 'PHP',
  ex: 'Elixir',
  exs: 'Elixir',
  cs: 'C#',
  fs: 'F#',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  cxx: 'C++',
  hpp: 'C++',
  swift: 'Swift',
  m: 'Objective-C',
  dart: 'Dart',
  lua: 'Lua',
  pl: 'Perl',
  r: 'R',
  jl: 'Julia',
  hs: 'Haskell',
  clj: 'Clojure',
  zig: 'Zig',
  sh: 'Shell',
  bash: 'Shell',
  ps1: 'PowerShell',
  sql: 'SQL',
  html: 'HTML',
  css: 'CSS',
  scss: 'CSS',
};

const MANIFESTS: Readonly<Record<string, string>> = {
  'package.json': 'JavaScript',
  'tsconfig.json': 'TypeScript',
  'pyproject.toml': 'Python',
  'setup.py': 'Python',
  'setup.cfg': 'Python',
  'requirements.txt': 'Python',
  Pipfile: 'Python',
  'go.mod': 'Go',
  'go.work': 'Go',
  'Cargo.toml': 'Rust',
  'pom.xml': 'Java',
  'build.gradle': 'Java',
  'build.gradle.kts': 'Kotlin',
  Gemfile: 'Ruby',
  'composer.json': 'PHP',
  'mix.exs': 'Elixir',
};

const MARKUP: ReadonlySet<string> = new Set(['HTML', 'CSS', 'SQL', 'Shell', 'PowerShell']);
/** Manifests named per language; a monorepo has hundreds. */
const MAX_MANIFESTS = 20;

const FOLDER_NAMES: readonly (readonly [FolderGuess, RegExp])[] = [
  ['tests', /^(?:tests?|__tests__|specs?|e2e|integration-tests?|testing|cypress)$/i],
  ['docs', /^(?:docs?|documentation|website|wiki|man)$/i],
  ['config', /^(?:\..*|configs?|etc|deploy|deployment|infra|ci|k8s|helm|terraform|docker)$/i],
  ['source', /^(?:src|source|lib|app|apps|packages|crates|cmd|internal|pkg|server|client|web)$/i],
];

/** Most files first; a language that only a manifest speaks for comes last. */
export function languagesOf(tree: Tree): Language[] {
  const counts = new Map<string, number>();
  const manifests = new Map<string, string[]>();
  for (const file of tree.files) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const language = languageOf(name);
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
    const spoken = Object.hasOwn(MANIFESTS, name) ? MANIFESTS[name] : undefined;
    if (spoken !== undefined) listAt(manifests, spoken).push(file);
  }
  // A package.json beside TypeScript alone says nothing about JavaScript.
  if (!counts.has('JavaScript') && counts.has('TypeScript')) manifests.delete('JavaScript');
  return [...new Set([...counts.keys(), ...manifests.keys()])]
    .map((name) => ({
      name,
      files: counts.get(name) ?? 0,
      manifests: (manifests.get(name) ?? []).slice(0, MAX_MANIFESTS),
    }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}

/** Folders directly below the root, by name. */
export function topFoldersOf(tree: Tree): TopFolder[] {
  const inside = new Map<string, string[]>();
  for (const file of tree.files) {
    const [top = ''] = file.split('/');
    if (top !== file) listAt(inside, top).push(file);
  }
  return tree.folders
    .filter((folder) => !folder.includes('/'))
    .map((folder) => {
      const files = inside.get(folder) ?? [];
      return { folder, files: files.length, guess: guessOf(folder, files) };
    });
}

/** Folders of tests, and none inside another of them. */
export function testFoldersOf(tree: Tree): string[] {
  return outermost(
    tree.folders.filter((folder) => {
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      const isNamed = guessByName(name) === 'tests' && !folder.startsWith('.');
      return isNamed && tree.files.some((file) => file.startsWith(`${folder}/`));
    }),
  );
}

/** `src` or `lib` of the project and of its packages; where there is none, top folders with code. */
export function sourceFoldersOf(tree: Tree, workspaces: readonly string[]): string[] {
  const homes = ['', ...workspaces.map((folder) => `${folder}/`)];
  const wanted = homes.flatMap((home) => ['src', 'lib', 'app'].map((name) => `${home}${name}`));
  const folders = new Set(tree.folders);
  const named = wanted.filter((folder) => folders.has(folder) && holdsCode(tree, folder));
  const bare = workspaces.filter(
    (home) => folders.has(home) && !named.some((folder) => folder.startsWith(`${home}/`)),
  );
  if (named.length + bare.length > 0) return outermost([...named, ...bare].sort());
  return topFoldersOf(tree)
    .filter(({ guess }) => guess === 'source')
    .map(({ folder }) => folder);
}

function holdsCode(tree: Tree, folder: string): boolean {
  return tree.files.some((file) => file.startsWith(`${folder}/`) && isCode(file));
}

function isCode(file: string): boolean {
  const language = languageOf(file.slice(file.lastIndexOf('/') + 1));
  return language !== undefined && !MARKUP.has(language);
}

function languageOf(name: string): string | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return name.includes('.') && Object.hasOwn(EXTENSIONS, extension)
    ? EXTENSIONS[extension]
    : undefined;
}

function guessOf(folder: string, files: readonly string[]): FolderGuess {
  const named = guessByName(folder);
  if (named !== undefined) return named;
  const code = files.filter(isCode).length;
  if (code > 0) return 'source';
  return files.some((file) => /\.(?:md|rst|adoc)$/i.test(file)) ? 'docs' : 'other';
}

function guessByName(name: string): FolderGuess | undefined {
  return FOLDER_NAMES.find(([, pattern]) => pattern.test(name))?.[0];
}

function outermost(folders: readonly string[]): string[] {
  const kept: string[] = [];
  for (const folder of folders.toSorted()) {
    if (!kept.some((outer) => folder.startsWith(`${outer}/`))) kept.push(folder);
  }
  return kept;
}

function listAt(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
