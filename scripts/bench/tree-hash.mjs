// The tree hash of a large unchanged tree against `git status` of the same tree, in one process.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { benchEnv, makeRepository } from './environment.mjs';
import { runOnce, summarize } from './measure.mjs';

const FOLDERS = 200;
const FILES_PER_FOLDER = 100;
const FACTOR = 1.5;

/** Rows of the table for the tree hash. */
export async function measureTreeHash({ root, scratch }) {
  const name = `tree hash, ${(FOLDERS * FILES_PER_FOLDER).toLocaleString('en')} files, unchanged`;
  const budget = `≤ ${FACTOR} × git status`;
  const tree = join(scratch, 'tree');
  const env = await benchEnv(join(scratch, 'home'));
  await writeTree(tree);
  makeRepository(tree, env);
  const run = await runEntry({ root, scratch, tree, env });
  if (run.problem !== undefined) return [{ name, problem: run.problem, budget, isOver: true }];

  const told = JSON.parse(run.stdout);
  const status = summarize(told.statusMs);
  const hash = summarize(told.hashMs);
  return [
    { name: 'git status of that tree', ...status, ratioTo: status },
    { name, ...hash, ratioTo: status, budget, isOver: hash.minMs > FACTOR * status.minMs },
  ];
}

async function runEntry({ root, scratch, tree, env }) {
  const file = join(scratch, 'tree-hash.cjs');
  try {
    const bundler = await rolldown({
      input: join(root, 'scripts/bench/tree-hash-entry.mjs'),
      platform: 'node',
      transform: { target: 'node20' },
      logLevel: 'silent',
    });
    await bundler.write({ file, format: 'cjs', codeSplitting: false });
  } catch (error) {
    return { problem: `does not build: ${error.message.split('\n', 1)[0]}` };
  }
  const home = join(scratch, 'home/.chainlesschain');
  return runOnce({ argv: [process.execPath, file, tree, home], cwd: tree, env });
}

async function writeTree(root) {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, 'src', `part-${folder}`);
    await mkdir(path, { recursive: true });
    const files = Array.from({ length: FILES_PER_FOLDER }, (_, n) => join(path, `file-${n}.ts`));
    await Promise.all(files.map((file) => writeFile(file, `export const at = '${file}';\n`)));
  }
  await writeFile(join(root, '.gitignore'), 'node_modules/\ndist/\n');
}
