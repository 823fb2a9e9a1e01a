import ts from 'typescript';
import { expect, test } from 'vitest';
import { listSources, nodesOf, parseSource, placeOf, readSource } from '../support/sources.ts';

/** Who may, besides `src/cli`, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  'src/kernel/base/processes.ts': 'spawns, signals and ends processes; it is the port itself',
  'src/kernel/base/lock.ts': 'bounds its own waiting; no visible time comes from it',
};

/** What ties a module to the process that it runs in. */
function tiesOf(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    const tie = tieOf(node);
    return tie === undefined ? [] : [`${placeOf(file, node)} ${tie}`];
  });
}

function tieOf(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) && isGlobalUse(node)) return node.text;
  if (ts.isStringLiteral(node) && /^(?:node:)?(?:process|console)$/.test(node.text)) {
    return ts.isImportDeclaration(node.parent) ? node.text : undefined;
  }
  if (ts.isPropertyAccessExpression(node) && /^Date\??\.now$/.test(node.getText()))
    return 'Date.now';
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date') {
    return (node.arguments?.length ?? 0) === 0 ? 'new Date()' : undefined;
  }
  return undefined;
}

/** The global itself, not a key, member, parameter or type of that name. */
function isGlobalUse(node: ts.Identifier): boolean {
  if (node.text !== 'process' && node.text !== 'console') return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !ts.isTypeElement(parent) && !ts.isNamedTupleMember(parent) && !ts.isQualifiedName(parent);
}

test('outside of cli nothing touches process, console or the clock', async () => {
  const paths = (await listSources('src')).filter((path) => !path.startsWith('src/cli/'));
  const judged = paths.filter((path) => !Object.keys(EXEMPT).includes(path));
  const files = await Promise.all(
    judged.map(async (path) => parseSource(path, await readSource(path))),
  );
  expect(files.flatMap(tiesOf)).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

test('every exemption is used', async () => {
  const unused: string[] = [];
  for (const path of Object.keys(EXEMPT)) {
    const text = await readSource(path).catch(() => '');
    if (tiesOf(parseSource(path, text)).length === 0) unused.push(path);
  }
  expect(unused).toEqual([]);
});

test.each([
  ['const a = process.env;', ['a.ts:1 process']],
  ['console.log(1);', ['a.ts:1 console']],
  ["import { env } from 'node:process';", ['a.ts:1 node:process']],
  ['const a = Date.now();', ['a.ts:1 Date.now']],
  ['const a = new Date();', ['a.ts:1 new Date()']],
  ['const a = [process];', ['a.ts:1 process']],
  ['const a = { ...b, process: 1 };', []],
  ['const a = b.process.pid;', []],
  ["const a = new Date('2026-01-01');", []],
  ['const a = "process"; // console', []],
])('judges %s', (text, ties) => {
  expect(tiesOf(parseSource('a.ts', text))).toEqual(ties);
});
