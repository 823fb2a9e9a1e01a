import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);
const PROGRAM = resolve(import.meta.dirname, '../../dist/cc.cjs');

/** A real terminal with the built program in it, on a server of its own. */
export class Screen implements AsyncDisposable {
  readonly #socket: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#socket = join(folder, 'tmux');
  }

  /**
   * @param line What follows `cc`, for a shell. Its status and the terminal's modes before and after are
   *   kept for `ended`.
   */
  static async open(
    cwd: string,
    line: string,
    { columns = 100, env = {} }: { columns?: number; env?: Readonly<Record<string, string>> } = {},
  ): Promise<Screen> {
    const folder = await mkdtemp(join(tmpdir(), 'cc-tmux-'));
    const screen = new Screen(folder);
    const exports = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
    const script = [
      // Ctrl-C is for the program: the script goes on and tells how it ended.
      'trap : INT',
      ...exports,
      `stty -a > '${folder}/before'`,
      `'${process.execPath}' '${PROGRAM}' ${line}`,
      `echo $? > '${folder}/status'`,
      `stty -a > '${folder}/after'`,
      `touch '${folder}/done'`,
      'sleep 60',
    ].join('\n');
    await writeFile(join(folder, 'script'), script);
    await screen.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-c',
      cwd,
      '-x',
      String(columns),
      '-y',
      '50',
      'sh',
      join(folder, 'script'),
    );
    return screen;
  }

  /** Key names as tmux knows them, such as `Enter`, `C-c`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', text);
  }

  /** Marked as a paste where the program asked for marks. */
  async paste(text: string): Promise<void> {
    await this.#tmux('set-buffer', text);
    await this.#tmux('paste-buffer', '-p');
  }

  async text(): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-J');
    return stdout;
  }

  async shows(text: string | RegExp): Promise<void> {
    const poll = expect.poll(() => this.text(), { timeout: 15_000 });
    await (typeof text === 'string' ? poll.toContain(text) : poll.toMatch(text));
  }

  /** Waits for the end of the program. */
  async ended(): Promise<{ readonly exit: number; readonly isRestored: boolean }> {
    const read = (name: string) => readFile(join(this.#folder, name), 'utf8');
    await expect.poll(() => read('done').catch(() => undefined), { timeout: 15_000 }).toBe('');
    const exit = Number(await read('status'));
    return { exit, isRestored: (await read('before')) === (await read('after')) };
  }

  async #tmux(...args: readonly string[]): Promise<{ readonly stdout: string }> {
    return run('tmux', ['-S', this.#socket, ...args]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux('kill-server').catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
