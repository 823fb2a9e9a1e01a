import ts from 'typescript';
import { expect, test } from 'vitest';
import { listSources, nodesOf, parseSource, placeOf, readSource } from '../support/sources.ts';

/** Who may write to a disk past the file port, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  'src/kernel/base/node-files.ts': 'it is the port',
  'src/cli/code-cache-folder.ts': 'part of the code cache',
  'src/cli/code-cache.ts':
    'runs before anything is loaded, and writes at exit, where nothing can wait',
};

const MODULES = /^(?:node:)?fs(?:\/promises)?$/;
/** `open` counts: its flags are values, and reading has `readFile` and `createReadStream`. */
const WRITES =
  /^(?:write|writev|writeFile|appendFile|mkdir|mkdtemp|rename|rm|rmdir|unlink|link|symlink|chmod|lchmod|fchmod|chown|lchown|fchown|copyFile|cp|truncate|ftruncate|utimes|lutimes|futimes|open|openAsBlob|createWriteStream|WriteStream)(?:Sync)?$/;

/** Names by which a module could write; the whole module under one name counts as all of them. */
function writesOf(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (!ts.isStringLiteralLike(node) || !MODULES.test(node.text)) return [];
    return namesFrom(node.parent).map((name) => `${placeOf(file, node)} ${name}`);
  });
}

function namesFrom(holder: ts.Node): string[] {
  if (!ts.isImportDeclaration(holder)) return isTypeNode(holder) ? [] : ['(all)'];
  const clause = holder.importClause;
  if (clause === undefined || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const bindings = clause.namedBindings;
  if (bindings === undefined || ts.isNamespaceImport(bindings)) return ['(all)'];
  const values = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  const names = values.map(({ name, propertyName }) => (propertyName ?? name).text);
  return names.filter((name) => WRITES.test(name) || name === 'default' || name === 'promises');
}

function isTypeNode(node: ts.Node): boolean {
  return ts.isLiteralTypeNode(node);
}

/** `reads` are opens for reading that say so in their flags, or by having none. */
function isReadingOpen(file: ts.SourceFile): boolean {
  const opens = nodesOf(file).filter(
    (node): node is ts.CallExpression =>
      ts.isCallExpression(node) && /^open(?:Sync)?$/.test(node.expression.getText()),
  );
  return opens.every(({ arguments: [, flags] }) =>
    /^(?:'r'|constants\.O_RDONLY\b[^+]*|)$/.test(flags?.getText() ?? ''),
  );
}

function faultsOf(file: ts.SourceFile): string[] {
  const faults = writesOf(file);
  const others = faults.filter((fault) => !/ open(?:Sync)?$/.test(fault));
  return isReadingOpen(file) ? others : faults;
}

test('only the file port writes', async () => {
  const paths = await listSources('src');
  const judged = paths.filter((path) => !Object.keys(EXEMPT).includes(path));
  const files = await Promise.all(
    judged.map(async (path) => parseSource(path, await readSource(path))),
  );
  expect(files.flatMap(faultsOf)).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

test('every exemption is used', async () => {
  for (const path of Object.keys(EXEMPT)) {
    expect(faultsOf(parseSource(path, await readSource(path))), path).not.toEqual([]);
  }
});

test.each([
  ["import { writeFile } from 'node:fs/promises';", ['a.ts:1 writeFile']],
  ["import { rmSync as gone, readFileSync } from 'node:fs';", ['a.ts:1 rmSync']],
  ["import * as fs from 'node:fs';", ['a.ts:1 (all)']],
  ["import fs from 'fs';", ['a.ts:1 (all)']],
  ["import { promises } from 'node:fs';", ['a.ts:1 promises']],
  ["const fs = await import('node:fs');", ['a.ts:1 (all)']],
  ["export * from 'node:fs';", ['a.ts:1 (all)']],
  ["import { open } from 'node:fs/promises'; await open(a, 'a');", ['a.ts:1 open']],
  ["import { open } from 'node:fs/promises'; await open(a, flags);", ['a.ts:1 open']],
  ["import { open } from 'node:fs/promises'; await open(a, 'r');", []],
  ["import { open } from 'node:fs/promises'; await open(a);", []],
  ["import { readFile, stat } from 'node:fs/promises';", []],
  ["import type { Stats } from 'node:fs';", []],
  ["import { type Stats, lstat } from 'node:fs';", []],
])('judges %s', (text, faults) => {
  expect(faultsOf(parseSource('a.ts', text))).toEqual(faults);
});
