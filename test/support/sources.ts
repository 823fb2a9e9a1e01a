/** The sources as the invariants read them. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Source files below a folder of the project, sorted, with `/`; none when the folder is not there. */
export async function listSources(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true }).catch(() => []);
  const sources = names.filter((name) => /\.[cm]?[jt]sx?$/.test(name));
  return sources.map((name) => `${folder}/${name}`.replaceAll('\\', '/')).sort();
}

export function readSource(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

/** The syntax tree of a text; nodes know their parents. */
export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Relative imports of a text, dynamic ones and types too, as paths from the root. */
export function importsOf(path: string, text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text);
  const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
  return own.map(({ fileName }) => join(dirname(path), fileName).replaceAll('\\', '/'));
}

/** Every node below `node`, itself included. */
export function nodesOf(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (inner: ts.Node) => {
    found.push(inner);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

/** `path:line`, as a person would open it. */
export function placeOf(file: ts.SourceFile, node: ts.Node): string {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return `${file.fileName}:${line + 1}`;
}
