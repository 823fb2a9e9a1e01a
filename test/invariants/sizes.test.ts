import ts from 'typescript';
import { expect, test } from 'vitest';
import { listSources, nodesOf, parseSource, placeOf, readSource } from '../support/sources.ts';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 80;

/** Files that are one table, where a limit would only cut the table. */
const TABLES: readonly string[] = [];

function linesOf(file: ts.SourceFile, node: ts.Node): number {
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  return lineAt(node.getEnd()) - lineAt(node.getStart(file)) + 1;
}

function functionsOf(file: ts.SourceFile): ts.SignatureDeclaration[] {
  return nodesOf(file).filter(ts.isFunctionLike);
}

function longFunctions(file: ts.SourceFile): string[] {
  const long = functionsOf(file).filter((node) => linesOf(file, node) > MAX_FUNCTION_LINES);
  return long.map((node) => `${placeOf(file, node)} has ${linesOf(file, node)} lines`);
}

async function parseAll(): Promise<ts.SourceFile[]> {
  const paths = await listSources('src');
  return Promise.all(paths.map(async (path) => parseSource(path, await readSource(path))));
}

test('no file is longer than 400 lines', async () => {
  const files = await parseAll();
  const long = files
    .filter(({ fileName }) => !TABLES.includes(fileName))
    .map((file) => ({ path: file.fileName, lines: file.getLineStarts().length - 1 }))
    .filter(({ lines }) => lines > MAX_FILE_LINES);
  expect(long).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

test('no function is longer than 80 lines', async () => {
  const files = await parseAll();
  expect(files.flatMap(longFunctions)).toEqual([]);
  expect(files.flatMap(functionsOf).length).toBeGreaterThan(50);
});

test('would notice a long function and a long method', () => {
  const body = '  work();\n'.repeat(80);
  const text = `function f() {\n${body}}\nconst o = {\nm() {\n${body}} };\nfunction g() {\n}\n`;
  expect(longFunctions(parseSource('a.ts', text))).toEqual([
    'a.ts:1 has 82 lines',
    'a.ts:84 has 82 lines',
  ]);
});
