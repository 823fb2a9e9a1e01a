import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real folder that goes away with the test that opened it. */
export class TempFolder implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** @param files Contents by path, relative to the root. */
  static async create(files: Readonly<Record<string, string>> = {}): Promise<TempFolder> {
    const folder = new TempFolder(await mkdtemp(join(tmpdir(), 'cc-intake-')));
    for (const [path, text] of Object.entries(files)) await folder.write(path, text);
    return folder;
  }

  async write(path: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
