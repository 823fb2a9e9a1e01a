import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodesOf, parseSource, ROOT } from '../support/sources.ts';

const PROGRAM = join(ROOT, 'dist/cc.cjs');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cc-launcher-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function cc(args: readonly string[], nodeArgs: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, PROGRAM, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** A script that Node runs first. */
async function preload(name: string, text: string): Promise<string[]> {
  const path = join(folder, name);
  await writeFile(path, text);
  return ['--require', path];
}

const onNode = (version: string) =>
  preload(
    `node-${version}.cjs`,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );

/** Tells every file of ours that is loaded. */
const tellFiles = () =>
  preload(
    'tell.cjs',
    `const { Module } = require('node:module');
    const load = Module._load;
    Module._load = function (id, ...rest) {
      process.stderr.write('load ' + id + '\\n');
      return load.call(this, id, ...rest);
    };`,
  );

test.each([['--version'], ['-V']])('%s answers and loads nothing else', async (flag) => {
  const run = cc([flag], await tellFiles());
  expect(run).toEqual({ status: 0, stdout: '0.1.0\n', stderr: `load ${PROGRAM}\n` });
});

test("with more arguments, --version is not the launcher's", async () => {
  const { stderr } = cc(['--version', '--json'], await tellFiles());
  expect(stderr).toMatch(/^load \.\/chunks\/bin-[\w-]+\.cjs$/m);
});

test.each([['20.18.3'], ['18.20.0'], ['8.17.0']])(
  'on Node %s says what it needs',
  async (version) => {
    const run = cc(['status'], [...(await onNode(version)), ...(await tellFiles())]);
    expect(run).toEqual({
      status: 6,
      stdout: '',
      stderr: `load ${PROGRAM}\nCONFIG_INVALID: cc needs Node 20.19 or newer; this is ${version}\n`,
    });
  },
);

test.each([['20.19.0'], ['22.1.0'], ['100.0.0']])('Node %s is new enough', async (version) => {
  const run = cc(['--help'], await onNode(version));
  expect(run.stderr).not.toContain('needs Node');
});

test('an old Node can parse it: nothing newer than 2017, and no import on top', () => {
  const file = parseSource('cc.cjs', readFileSync(PROGRAM, 'utf8').replace(/^#!.*/, ''));
  const downlevel = (target: ts.ScriptTarget) =>
    ts.transpile(file.text, { target, removeComments: true, alwaysStrict: false });
  expect(downlevel(ts.ScriptTarget.ES2017)).toBe(downlevel(ts.ScriptTarget.ESNext));
  // The transpiler leaves a `catch` without a binding and `import()` alone in some modes.
  const newer = nodesOf(file).filter(
    (node) =>
      (ts.isCatchClause(node) && node.variableDeclaration === undefined) ||
      node.kind === ts.SyntaxKind.ImportKeyword,
  );
  expect(newer).toEqual([]);
  const calls = file.statements.filter((statement) => /\brequire\(/.test(statement.getText(file)));
  expect(calls.map((statement) => ts.isFunctionDeclaration(statement))).toEqual([true]);
});

test('the program can be run as it is', () => {
  expect(statSync(PROGRAM).mode & 0o777).toBe(0o755);
  expect(readFileSync(PROGRAM, 'utf8').split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  expect(spawnSync(PROGRAM, ['-V'], { encoding: 'utf8' }).stdout).toBe('0.1.0\n');
});

test('a damaged installation is told, with status 1', async () => {
  const broken = await preload(
    'broken.cjs',
    `const { Module } = require('node:module');
    const load = Module._load;
    Module._load = function (id, ...rest) {
      if (/chunks.bin-/.test(id)) throw new Error('cannot find ' + 'bin');
      return load.call(this, id, ...rest);
    };`,
  );
  const run = cc(['status'], broken);
  expect(run.status).toBe(1);
  expect(run.stderr).toContain('RUNTIME_INTERNAL_ERROR: Error: cannot find bin');
});
