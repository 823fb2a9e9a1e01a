import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';

const TIMEOUT_MS = 120_000;

interface Shown {
  readonly exit: number | null;
  readonly text: string;
}

/** As a person starts it, but with nothing on standard input and no name that git could know. */
function runDemo(folder: string, env: Readonly<Record<string, string>>): Promise<Shown> {
  const { GIT_CONFIG_GLOBAL, GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, ...kept } = process.env;
  const options = { env: { ...kept, TMPDIR: folder, TMP: folder, TEMP: folder, ...env } };
  return new Promise((done, failed) => {
    const script = join(ROOT, 'scripts', 'demo.mjs');
    const child = spawn(process.execPath, [script], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    const note = (chunk: Buffer) => {
      text += chunk.toString('utf8');
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    child.on('error', failed);
    child.on('close', (exit) => done({ exit, text }));
  });
}

async function inTempFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'cc-demo-test-')));
  const folder = join(base, 'with a space');
  try {
    await mkdir(folder);
    await work(folder);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

test('shows every stage, ends with the test passing and the folder', { timeout: TIMEOUT_MS }, () =>
  inTempFolder(async (folder) => {
    const { exit, text } = await runDemo(folder, { NO_COLOR: '1', LANG: 'zh_CN.UTF-8' });
    expect(text).not.toContain('The demo stopped');
    expect(exit).toBe(0);
    expect(text).not.toContain('\u001b');

    const typed = text.split('\n').filter((line) => line.startsWith('$ '));
    expect(typed.map((line) => line.replace(/ \\$/, ''))).toEqual([
      '$ npm test',
      '$ cc init',
      '$ cc deep-interview "add a --json flag to the report command"',
      '$ cc ralplan',
      expect.stringMatching(/^\$ \$EDITOR \.chainlesschain\/sessions\/\d{8}-[\w-]+\/plan\.md$/),
      '$ cc ralplan',
      expect.stringMatching(/^\$ cc ralplan --approve --session \d{8}-[\w-]+$/),
      '$ cc ralph',
      '$ cc verify',
      '$ cc complete',
      '$ npm test',
      '$ git status --short',
    ]);
    for (const written of ['+ intent.md', '+ plan.md', '~ src/cli.js', '+ verify.json']) {
      expect(text).toContain(written);
    }
    expect(text).toContain('# Summary: ');

    const [before, after] = text.split('\nAfter');
    expect(before).toMatch(/│ (?:# |ℹ )fail 1\n/);
    expect(after).toMatch(/│ (?:# |ℹ )fail 0\n/);

    const project = text.trimEnd().split('\n').at(-1) ?? '';
    expect(project.startsWith(`${folder}/`)).toBe(true);
    expect(await readdir(project)).toContain('.chainlesschain');
    // One folder holds all of it, the home too.
    expect(await readdir(folder)).toHaveLength(1);
  }),
);

test('is coloured where that is wished, and says where it stopped', { timeout: TIMEOUT_MS }, () =>
  inTempFolder(async (folder) => {
    const { exit, text } = await runDemo(folder, { FORCE_COLOR: '1', PATH: folder });
    expect(exit).toBe(1);
    expect(text).toContain('\u001b[1m');
    expect(text).toContain('The demo stopped: `git` does not start');
  }),
);
