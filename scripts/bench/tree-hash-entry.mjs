// Prints, as JSON, times in milliseconds of `git status` and of the tree hash, taken in turns.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { nodeFiles } from '../../src/kernel/base/node-files.ts';
import { isDead, selfHolder } from '../../src/kernel/base/processes.ts';
import { openTreeStore } from '../../src/kernel/worktree/private-store.ts';

const ROUNDS = 10;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const [root, home] = process.argv.slice(2);
const git = promisify(execFile);
const locks = { files: nodeFiles, self: () => selfHolder(randomUUID()), isDead };
const store = openTreeStore({ root, home, files: nodeFiles, locks, env: process.env });

async function timeOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const status = () =>
  git('git', ['status', '--porcelain'], { cwd: root, maxBuffer: MAX_OUTPUT_BYTES });
const hash = () => store.hash();

async function main() {
  await status();
  await hash();
  const statusMs = [];
  const hashMs = [];
  for (let round = 0; round < ROUNDS; round++) {
    statusMs.push(await timeOf(status));
    hashMs.push(await timeOf(hash));
  }
  console.log(JSON.stringify({ statusMs, hashMs }));
}

// Bundled as CommonJS, which cannot wait at its top.
void main();
