#!/usr/bin/env node
// Measures what has a budget and prints a table: `npm run bench [-- start-up tree-hash size]`.
// Ends with status 1 when something is over its budget or did not run.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { productionBytes, tarballBytes } from './bench/size.mjs';
import { measureStartUp } from './bench/start-up.mjs';
import { measureTreeHash } from './bench/tree-hash.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const MB = 1_000_000;
const MAX_TARBALL_MB = 5;
const MAX_PRODUCTION_MB = 60;

const PARTS = {
  'start-up': measureStartUp,
  'tree-hash': measureTreeHash,
  size: measureSize,
};

async function measureSize({ root }) {
  return [
    sizeRow('tarball', tarballBytes(root), MAX_TARBALL_MB),
    sizeRow('npm ci --omit=dev', await productionBytes(root), MAX_PRODUCTION_MB),
  ];
}

function sizeRow(name, bytes, maxMb) {
  const told = `${(bytes / MB).toFixed(1)} MB`;
  return { name, told, budget: `≤ ${maxMb} MB`, isOver: bytes > maxMb * MB };
}

function toLine({ name, told, minMs, p25Ms, ratioTo, budget = '', isOver = false, problem }) {
  const min = told ?? timeOf(minMs, ratioTo?.minMs);
  const p25 = told === undefined ? timeOf(p25Ms, ratioTo?.p25Ms) : '';
  const verdict = problem === undefined ? verdictOf(budget, isOver) : `failed: ${problem}`;
  return `| ${[name, problem ? '' : min, problem ? '' : p25, budget, verdict].join(' | ')} |`;
}

function verdictOf(budget, isOver) {
  if (budget === '') return '';
  return isOver ? '**over**' : 'ok';
}

function timeOf(ms, ofMs) {
  if (ms === undefined) return '';
  const ratio = ofMs === undefined ? '' : ` (${(ms / ofMs).toFixed(2)} ×)`;
  return `${ms.toFixed(1)} ms${ratio}`;
}

function chosenParts(names) {
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length === 0) return names.length === 0 ? Object.keys(PARTS) : names;
  console.error(`No part ${unknown.join(', ')}; there are: ${Object.keys(PARTS).join(', ')}`);
  process.exitCode = 6;
  return [];
}

async function main() {
  const names = chosenParts(process.argv.slice(2));
  if (names.length === 0) return;
  const rows = [];
  for (const name of names) {
    const scratch = await mkdtemp(join(tmpdir(), 'cc-bench-'));
    const place = { root: ROOT, program: join(ROOT, 'dist/cc.cjs'), scratch };
    rows.push(...(await PARTS[name](place).finally(() => rm(scratch, { recursive: true }))));
  }
  console.log(
    `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores\n`,
  );
  console.log('| what | minimum | lower quartile | budget | |\n|---|---|---|---|---|');
  for (const row of rows) console.log(toLine(row));
  if (rows.some(({ isOver }) => isOver)) process.exitCode = 1;
}

await main();
