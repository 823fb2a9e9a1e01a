import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../../../src/kernel/base/node-files.ts';
import { isDead, selfHolder } from '../../../src/kernel/base/processes.ts';
import {
  openTreeStore,
  type TreeStore,
  type TreeStoreOptions,
} from '../../../src/kernel/worktree/private-store.ts';

/** A project, a home for `cc` and a home for git, all real and gone at the end of the test. */
export class TempTree implements AsyncDisposable {
  readonly folder: string;
  readonly top: string;
  /** Environment of the person: a home with a git config of its own. */
  readonly env: Readonly<Record<string, string>>;

  private constructor(folder: string) {
    this.folder = folder;
    this.top = join(folder, 'project');
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(folder, 'person'),
      GIT_CONFIG_NOSYSTEM: '1',
    };
  }

  /** @param kind Whether `git init` is run in it. */
  static async create(
    files: Readonly<Record<string, string>> = {},
    kind: 'repository' | 'folder' = 'repository',
  ): Promise<TempTree> {
    const tree = new TempTree(await realpath(await mkdtemp(join(tmpdir(), 'cc-tree-'))));
    await mkdir(tree.top);
    const identity =
      '[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n';
    await tree.write('../person/.gitconfig', identity);
    for (const [path, text] of Object.entries(files)) await tree.write(path, text);
    if (kind === 'repository') tree.git('init', '-q');
    return tree;
  }

  path(path: string): string {
    return join(this.top, path);
  }

  async write(path: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), text);
  }

  read(path: string): Promise<string> {
    return readFile(this.path(path), 'utf8');
  }

  /** Git as the person would run it, from the top. */
  git(...args: readonly string[]): string {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    return execFileSync('git', args, {
      cwd: this.top,
      env: this.env,
      stdio: [...stdio],
    }).toString();
  }

  sh(script: string): string {
    return execFileSync('sh', ['-c', script], { cwd: this.top, env: this.env }).toString();
  }

  store(options: Partial<TreeStoreOptions> = {}): TreeStore {
    const locks = { files: nodeFiles, self: () => selfHolder(randomUUID()), isDead };
    const { top: root, env } = this;
    return openTreeStore({
      root,
      env,
      home: join(this.folder, 'cc'),
      files: nodeFiles,
      locks,
      ...options,
    });
  }

  async hash(options: Partial<TreeStoreOptions> = {}): Promise<string> {
    return (await this.store(options).hash()).hash;
  }

  /** As another machine would see it, which never saw this tree before. */
  hashAfresh(): Promise<string> {
    return this.hash({ home: join(this.folder, `cc-${randomUUID()}`) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
