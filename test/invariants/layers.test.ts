import { expect, test } from 'vitest';
import { importsOf, listSources, readSource } from '../support/sources.ts';

/** A file belongs to the first folder that holds it, and may import from its own and from these. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/kernel/base': [],
  'src/kernel/protocol': ['src/kernel/base'],
  'src/kernel': ['src/kernel/base', 'src/kernel/protocol'],
  'src/hooks': ['src/kernel'],
  'src/workflow': ['src/hooks', 'src/kernel'],
  'src/cli': ['src/workflow', 'src/hooks', 'src/kernel'],
};
const FOLDERS = Object.keys(MAY_IMPORT);
const homeOf = (path: string) => FOLDERS.find((folder) => isIn(folder, path)) ?? '(no layer)';

function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function isAllowed(from: string, to: string): boolean {
  const home = homeOf(from);
  return [home, ...(MAY_IMPORT[home] ?? [])].some((folder) => isIn(folder, to));
}

test('imports point one way: cli → workflow → hooks → kernel → protocol → base', async () => {
  const files = await listSources('src');
  const texts = await Promise.all(files.map(readSource));
  const imports = files.flatMap((from, at) =>
    importsOf(from, texts[at] ?? '').map((to) => ({ from, to })),
  );

  expect(imports.filter(({ from, to }) => !isAllowed(from, to))).toEqual([]);
  // An empty search proves nothing: every layer was seen, and imports of its files were.
  expect(new Set(files.map(homeOf))).toEqual(new Set(FOLDERS));
  expect(new Set(imports.map(({ from }) => homeOf(from)))).toEqual(new Set(FOLDERS));
});

test.each([
  ['base sees the protocol', 'src/kernel/base/a.ts', 'src/kernel/protocol/b.ts'],
  ['the kernel sees hooks', 'src/kernel/loop/a.ts', 'src/hooks/b.ts'],
  ['the workflow sees the terminal', 'src/workflow/a.ts', 'src/cli/output.ts'],
  ['a source sees a test', 'src/cli/a.ts', 'test/support/b.ts'],
])('would notice that %s', (_case, from, to) => {
  expect(isAllowed(from, to)).toBe(false);
});

test('finds imports of every kind', () => {
  const text = [
    "import { a } from './a.ts';",
    "import type { B } from '../b.ts';",
    "export { c } from './c.ts';",
    "const d = await import('./d.ts');",
    "import * as z from 'zod';",
  ].join('\n');
  expect(importsOf('src/x/y.ts', text)).toEqual([
    'src/x/a.ts',
    'src/b.ts',
    'src/x/c.ts',
    'src/x/d.ts',
  ]);
});
