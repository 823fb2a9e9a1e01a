/** Runs a command that is killed at each of its file operations, and tells what is left. */
import { execFile, spawn } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import type { TempProject } from './temp-project.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
/** After it, what a killed process left outside of a session counts as left. */
const LONG_AGO_MS = 600_000;

/** What one transition changes as a whole. */
const DOCUMENTS =
  /(?:^|\/)(?:intent\.md|plan\.md|tasks\.json|verify\.json|summary\.md|mode\.json|progress\.log|config\.yaml|approved-plan\.md|.*\.bak)$/;
/** Made anew when it is missing or odd, and in nobody's way. */
const CACHE = /^home\/\.chainlesschain\/cache\//;
const STORE = /^home\/\.chainlesschain\/stores\/[^/]+/;
const LEFTOVER = /(?:\.tmp|\/\.lock[^/]*|\/\.transition\.json|\/\.lease\.json|\/cc-index-[^/]*)$/;

/** A bundle of `crashing-cc.ts` in a folder of its own. */
export interface CrashingCc extends AsyncDisposable {
  readonly program: string;
  /** Home of compiled code: a start takes half as long with it. */
  readonly cache: string;
}

export async function bundleCrashingCc(): Promise<CrashingCc> {
  const folder = await mkdtemp(join(tmpdir(), 'cc-crashing-'));
  // As in `scripts/build.mjs`, without what only a release needs.
  const bundler = await rolldown({
    cwd: ROOT,
    input: { crashing: 'test/support/crashing-cc.ts' },
    platform: 'node',
    transform: { target: 'node20', define: { CC_VERSION: '"0.0.0"' } },
    logLevel: 'silent',
  });
  await bundler.write({
    dir: join(folder, 'dist'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    dynamicImportInCjs: false,
    minify: 'dce-only',
    comments: false,
  });
  await bundler.close();
  return {
    program: join(folder, 'dist', 'crashing.cjs'),
    cache: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface Killed {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Text by path, relative to the folder that holds project and home. */
export type State = Readonly<Record<string, string>>;

/** A prepared project that can be brought back to where it was, at the same place. */
export class CrashLab {
  readonly project: TempProject;
  readonly #cc: CrashingCc;
  readonly #base: string;

  private constructor(project: TempProject, cc: CrashingCc) {
    this.project = project;
    this.#cc = cc;
    this.#base = dirname(project.root);
  }

  static async open(project: TempProject, cc: CrashingCc): Promise<CrashLab> {
    const lab = new CrashLab(project, cc);
    await run('cp', ['-a', project.root, join(lab.#base, 'saved-project')]);
    await run('cp', ['-a', project.home, join(lab.#base, 'saved-home')]);
    return lab;
  }

  /** Puts an image of a run with `images` in place, and it is gone then. */
  async restore(image: string): Promise<void> {
    const { root, home } = this.project;
    await run('rm', ['-rf', root, home]);
    await rename(join(this.#base, 'images', image, 'project'), root);
    await rename(join(this.#base, 'images', image, 'home'), home);
  }

  async reset(): Promise<void> {
    const { root, home } = this.project;
    await run('rm', ['-rf', root, home]);
    await run('cp', ['-a', join(this.#base, 'saved-project'), root]);
    await run('cp', ['-a', join(this.#base, 'saved-home'), home]);
  }

  /** @param at Side and operation, as in `before 7`; empty to let it end. */
  start(argv: readonly string[], at: string, env: Readonly<Record<string, string>> = {}) {
    const { root, home } = this.project;
    const child = spawn(process.execPath, [this.#cc.program, at, this.#base, ...argv], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: this.#cc.cache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const text = { stdout: '', stderr: '' };
    child.stdout.on('data', (bytes: Buffer) => (text.stdout += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (text.stderr += bytes.toString()));
    const ended = new Promise<Killed>((done) => {
      // Not `close`: what the killed process left running may hold the pipes.
      child.once('exit', (code, signal) => {
        setImmediate(() =>
          done({ exitCode: code ?? undefined, signal: signal ?? undefined, ...text }),
        );
      });
    });
    return { child, ended };
  }

  async crash(argv: readonly string[], at: string): Promise<Killed> {
    await writeFile(this.#trace, '');
    return this.start(argv, at).ended;
  }

  /** The operations of the last run, as in `7 rename /…/mode.json`. */
  async operations(): Promise<readonly string[]> {
    return (await readFile(this.#trace, 'utf8')).split('\n').filter((line) => line !== '');
  }

  get #trace(): string {
    return join(this.#base, 'trace');
  }

  /** Names and sizes in the private stores of trees: what they hold differs from moment to moment. */
  async stores(): Promise<string> {
    const paths = (await this.#list()).filter((path) => STORE.test(path));
    const names = paths.filter((path) => !/\/objects\/../.test(path.replace(STORE, '')));
    return normalised(names.map((path) => path.replace(STORE, '')).join('\n'));
  }

  /** Every file of project and home that `cc` or a person wrote, times and chance taken out. */
  async state(): Promise<State> {
    const found: Record<string, string> = {};
    for (const path of await this.#list()) {
      if (/\/\.git\/(?!cc-index)|\/seal\.key$/.test(path) || STORE.test(path)) continue;
      const text = await readFile(join(this.#base, path), 'utf8');
      found[normalised(path)] = normalised(text);
    }
    return found;
  }

  async documents(): Promise<State> {
    const all = Object.entries(await this.state());
    return Object.fromEntries(all.filter(([path]) => DOCUMENTS.test(path)));
  }

  async leftovers(): Promise<readonly string[]> {
    // A draft of the record of approvals is cleared by the next approval, and in nobody's way.
    return (await this.#list())
      .filter((path) => LEFTOVER.test(path) && !path.includes('/approvals/'))
      .map(normalised);
  }

  /** Ages the drafts that a killed process left: of one that is cut short nobody can prove whose it was. */
  async age(): Promise<void> {
    for (const path of await this.#list()) {
      if (!path.endsWith('.tmp')) continue;
      const then = new Date(Date.now() - LONG_AGO_MS);
      await utimes(join(this.#base, path), then, then);
    }
  }

  /** Only these two folders: copies of hundreds of moments lie beside them. */
  async #list(): Promise<readonly string[]> {
    const lists = ['home', 'project'].map((side) => listAll(join(this.#base, side)));
    return (await Promise.all(lists))
      .flat()
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.#base.length + 1))
      .filter((path) => !CACHE.test(path))
      .sort();
  }
}

/** A git that its killed parent left behind may still be tidying up. */
async function listAll(folder: string) {
  for (let left = 50; ; left--) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || left === 0) throw error;
    }
  }
}

const CHANCE: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, '<time>'],
  [/\bs1:[0-9a-f]{64}\b/g, '<seal>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/"durationMs": ?\d+/g, '"durationMs": 0'],
  [/"(pid|startTime)": ?"?\d+"?/g, '"$1": 0'],
  // A check may have passed before the kill, and its receipt be on the disk.
  [/,\n\s*"(?:reused|ranAt)": [^,\n]+/g, ''],
  [/\bin \d+(?:\.\d+)? ?m?s\b/g, 'in 0 s'],
];

function normalised(text: string): string {
  return CHANCE.reduce((now, [pattern, by]) => now.replaceAll(pattern, by), text);
}

export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** For messages: which operation a number stands for. */
export function shortOf(operation: string | undefined): string {
  if (operation === undefined) return 'the end';
  const [number = '', name = '', path = ''] = operation.split(' ');
  return `${number} ${name} ${normalised(basename(path))}`;
}
