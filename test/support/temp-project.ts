import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Io, Prompter } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import { nodeFiles } from '../../src/kernel/base/node-files.ts';

const run = promisify(execFile);

export interface CcResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real project folder, and a home of its own, that go away with the test that opened them. */
export class TempProject implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  /** What `cc` sees besides its arguments. Tests replace parts of it. */
  io: Partial<Io> = {};
  env: Record<string, string | undefined> = {};

  private constructor(base: string) {
    this.root = join(base, 'project');
    this.home = join(base, 'home');
  }

  /** @param files Contents by path, relative to the project root. */
  static async create(files: Readonly<Record<string, string>> = {}): Promise<TempProject> {
    const project = new TempProject(await realpath(await mkdtemp(join(tmpdir(), 'cc-'))));
    await mkdir(project.root);
    await mkdir(project.home);
    for (const [path, text] of Object.entries(files)) await project.write(path, text);
    return project;
  }

  /** The same inside a git repository with one commit of these files. */
  static async createRepository(
    files: Readonly<Record<string, string>> = {},
  ): Promise<TempProject> {
    const project = await TempProject.create(files);
    await project.git('init', '--quiet', '--initial-branch=main');
    await project.git('config', 'user.name', 'Ann');
    await project.git('config', 'user.email', 'ann@example.invalid');
    await project.git('add', '--all');
    await project.git('commit', '--quiet', '--allow-empty', '--message', 'begin');
    return project;
  }

  /** Another project that holds the same: a repository, a session, a home. Takes a fraction of making one. */
  async clone(): Promise<TempProject> {
    const copy = new TempProject(await realpath(await mkdtemp(join(tmpdir(), 'cc-'))));
    await run('cp', ['-a', this.root, this.home, dirname(copy.root)]);
    const own = join(copy.home, '.chainlesschain');
    // What the home keeps for a project is found by the project's path.
    for (const kept of ['approvals', 'stores', 'receipts']) {
      const from = join(own, kept, placeOf(this.root));
      await rename(from, join(own, kept, placeOf(copy.root))).catch(() => undefined);
    }
    return copy;
  }

  async write(path: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), text);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }

  async json(path: string): Promise<Record<string, unknown>> {
    return JSON.parse(await this.read(path)) as Record<string, unknown>;
  }

  async git(...args: string[]): Promise<string> {
    const { stdout } = await run('git', args, { cwd: this.root });
    return stdout;
  }

  /** Every file below `folder` with its bytes, mode and link target. Equal snapshots prove that nothing was touched. */
  async snapshot(folder = '.'): Promise<Record<string, string>> {
    const start = join(this.root, folder);
    const entries = await readdir(start, { recursive: true, withFileTypes: true });
    const found: Record<string, string> = {};
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const { mode } = await lstat(path);
      const name = path.slice(this.root.length + 1);
      if (entry.isSymbolicLink()) found[name] = `link ${await readlink(path)}`;
      else if (entry.isFile())
        found[name] = `${mode.toString(8)} ${await readFile(path, 'base64')}`;
      else found[name] = 'folder';
    }
    return found;
  }

  /** Runs `cc` here, in this process. `test/e2e` runs the built binary instead. */
  async cc(...argv: string[]): Promise<CcResult> {
    const stdout: string[] = [];
    const stderr: string[] = [];
    const timers = new Set<NodeJS.Timeout>();
    const exitCode = await main(argv, {
      cwd: this.root,
      home: this.home,
      env: { PATH: process.env['PATH'], HOME: this.home, ...this.env },
      files: nodeFiles,
      clock: {
        now: () => new Date(),
        every(ms, work) {
          const timer = setInterval(work, ms).unref();
          timers.add(timer);
          return () => clearInterval(timer);
        },
      },
      stdout: (text) => stdout.push(text),
      stderr: (text) => stderr.push(text),
      isTerminal: { stdout: false, stderr: false },
      columns: undefined,
      prompter: undefined,
      readInput: async () => '',
      handOver: async () => 127,
      signal: new AbortController().signal,
      readerGone: new AbortController().signal,
      ...this.io,
    });
    for (const timer of timers) clearInterval(timer);
    return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
  }

  /** The same with `--json`, its one document parsed. */
  async ccJson(...argv: string[]): Promise<{ exitCode: number; value: Record<string, unknown> }> {
    const { exitCode, stdout } = await this.cc(...argv, '--json');
    return { exitCode, value: JSON.parse(stdout) as Record<string, unknown> };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(dirname(this.root), { recursive: true, force: true });
  }
}

function placeOf(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16);
}

/** Answers in order; a question too many is given up. */
export function answering(...answers: readonly (boolean | string)[]): Prompter {
  const left = [...answers];
  return {
    async confirm() {
      const answer = left.shift();
      return typeof answer === 'boolean' ? answer : undefined;
    },
    async text(_question, recommended) {
      const answer = left.shift();
      return typeof answer === 'string' ? answer : recommended;
    },
  };
}
