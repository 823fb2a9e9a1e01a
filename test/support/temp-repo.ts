import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'dist', 'cc.cjs');
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** How a program ended. */
export interface Ended {
  /** -1 when it was killed or did not start. */
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A git repository in a temporary folder, and the built program in it, as a person would call it without a terminal. */
export class TempRepo implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** @param source A folder relative to this repository, copied and committed; without one, one README.md. */
  static async create(source?: string): Promise<TempRepo> {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'cc-repo-')));
    // A space in the path, as on many a desktop.
    const repo = new TempRepo(join(base, 'my project'));
    await mkdir(repo.root);
    if (source === undefined) await repo.write('README.md', '# A project\n');
    else await cp(join(ROOT, source), repo.root, { recursive: true });
    await repo.git('init', '--quiet');
    await repo.git('add', '--all');
    await repo.git('commit', '--quiet', '--message', 'Begin');
    return repo;
  }

  async write(path: string, text: string): Promise<void> {
    const target = join(this.root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }

  /** SHA-256 of every file, and the target of every link, by path; all but what is git's own. */
  async snapshot(): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {};
    for (const entry of await readdir(this.root, { recursive: true, withFileTypes: true })) {
      const target = join(entry.parentPath, entry.name);
      const path = target.slice(this.root.length + 1).replaceAll('\\', '/');
      if (path === '.git' || path.startsWith('.git/') || entry.isDirectory()) continue;
      const bytes = entry.isSymbolicLink() ? await readlink(target) : await readFile(target);
      found[path] = createHash('sha256').update(bytes).digest('hex');
    }
    return found;
  }

  /** Standard output, without the last line end. Throws when git does not succeed. */
  async git(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.run('git', args);
    if (exit !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.replace(/\n$/, '');
  }

  cc(...args: readonly string[]): Promise<Ended> {
    return this.run(process.execPath, [PROGRAM, ...args]);
  }

  run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const options = {
      cwd: this.root,
      env: { ...process.env, ...env },
      maxBuffer: MAX_OUTPUT_BYTES,
    };
    return new Promise((done) => {
      const child = execFile(program, [...args], options, (error, stdout, stderr) => {
        const exit = error === null ? 0 : (child.exitCode ?? -1);
        done({ exit, stdout, stderr: stderr === '' && exit < 0 ? (error?.message ?? '') : stderr });
      });
      child.stdin?.end();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(dirname(this.root), { recursive: true, force: true });
  }
}
