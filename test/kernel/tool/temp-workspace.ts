/** A real folder for tools to work in, and everything around it that must stay as it is. */
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../../../src/kernel/base/node-files.ts';
import { guardWrite } from '../../../src/kernel/policy/policy.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../../src/kernel/tool/tool.ts';

export class TempWorkspace implements AsyncDisposable {
  /** Holds the workspace and its neighbours. */
  readonly outside: string;
  /** Real path of the workspace. */
  readonly root: string;

  private constructor(outside: string) {
    this.outside = outside;
    this.root = join(outside, 'ws');
  }

  /** @param files Contents by path, relative to the workspace. */
  static async create(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    const workspace = new TempWorkspace(await realpath(await mkdtemp(join(tmpdir(), 'cc-tool-'))));
    await mkdir(workspace.root);
    for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
    return workspace;
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), content);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }

  /** Permission bits, octal. */
  async modeOf(path: string): Promise<string> {
    return ((await lstat(join(this.root, path))).mode & 0o777).toString(8);
  }

  /** Everything in and beside the workspace: kind, mode and bytes. */
  async snapshot(): Promise<Record<string, string>> {
    const names = (await readdir(this.outside, { recursive: true })).sort();
    const rows = names.map(
      async (name) => [name, await describe(join(this.outside, name))] as const,
    );
    return Object.fromEntries(await Promise.all(rows));
  }

  context(overrides: Partial<ToolContext> & { readonly scope?: readonly string[] } = {}) {
    const { scope = [], ...rest } = overrides;
    const context: ToolContext = {
      workspace: this.root,
      signal: new AbortController().signal,
      files: nodeFiles,
      env: { PATH: process.env['PATH'] ?? '' },
      marker: `test-${crypto.randomUUID()}`,
      now: () => performance.now(),
      mayWrite: (path) => guardWrite({ root: this.root, gitDirs: [], scope, path }),
      hasRead: () => true,
      ...rest,
    };
    return context;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.outside, { recursive: true, force: true });
  }
}

/** Calls a tool past its schema, as the kernel does. */
export async function call(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const prepared = tool.prepare(input);
  return prepared.ok ? prepared.run(context) : prepared;
}

async function describe(path: string): Promise<string> {
  const found = await lstat(path);
  const mode = (found.mode & 0o777).toString(8);
  if (found.isSymbolicLink()) return `link ${await readlink(path)}`;
  if (!found.isFile()) return `${found.isDirectory() ? 'folder' : 'other'} ${mode}`;
  return `file ${mode} ${await readFile(path, 'base64')}`;
}
