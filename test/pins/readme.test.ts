import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GLOBAL_OPTIONS } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { dashed } from '../../src/cli/options.ts';
import { ROOT } from '../support/sources.ts';

const read = (path: string) => readFile(join(ROOT, path), 'utf8');

test.each(['README.md', 'README.zh-CN.md'])('%s begins with the two commands', async (path) => {
  const blocks = [...(await read(path)).matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text]) => text);
  expect(blocks).toEqual(['npm ci && npm run demo\n', 'npm ci && npm test\n']);
});

/** `cc` with what stands behind it, in code: what a reader would type. */
function calls(text: string): string[] {
  const code = [...text.matchAll(/`+([^`]+)`+/g)].map(([, inner]) => inner ?? '');
  const lines = code.flatMap((inner) => inner.split('\n'));
  return lines.flatMap((line) => {
    const typed = /^(?:\$ )?cc (?<call>[a-z].*)$/.exec(line.trim())?.groups?.['call'];
    return typed === undefined ? [] : [typed.replace(/\s+#.*$/, '')];
  });
}

async function problemOf(call: string): Promise<string | undefined> {
  const [name = '', ...words] = call.split(' ');
  const entry = COMMANDS[name];
  if (entry === undefined) return `cc ${call}: there is no such command`;
  const { command } = await entry.load();
  const known = [...Object.keys(command.options), ...Object.keys(GLOBAL_OPTIONS)].map(dashed);
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
  // In quotes it is a word of a goal, and no option.
  const typed = options.filter((option) => !call.includes(`"`) || known.includes(option));
  const unknown = typed.find((option) => !known.includes(option));
  return unknown === undefined ? undefined : `cc ${call}: --${unknown} is no option of it`;
}

test('the texts name only commands and options that there are', async () => {
  const decisions = (await readdir(join(ROOT, 'docs/decisions'))).map(
    (name) => `docs/decisions/${name}`,
  );
  const texts = ['README.md', 'README.zh-CN.md', 'AGENTS.md', 'CHANGELOG.md', ...decisions];
  const docs = ['docs/architecture.md', 'docs/files.md', 'docs/security.md'];
  const templates = ['templates/coding-workflow/README.md'];
  const found = (await Promise.all([...texts, ...docs, ...templates].map(read))).flatMap(calls);
  expect(found.length).toBeGreaterThan(60);
  const problems = await Promise.all(found.map(problemOf));
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});

test.each([
  ['`cc complete --commit`', undefined],
  ['`cc finish`', 'cc finish: there is no such command'],
  ['`cc complete --push`', 'cc complete --push: --push is no option of it'],
])('would notice %s', async (text, problem) => {
  const [call = ''] = calls(text);
  expect(await problemOf(call)).toBe(problem);
});

test('AGENTS.md has at most 120 lines', async () => {
  expect((await read('AGENTS.md')).split('\n').length).toBeLessThanOrEqual(120);
});

test('every page of the texts that is linked is there', async () => {
  for (const path of ['README.md', 'README.zh-CN.md', 'docs/architecture.md']) {
    const links = [...(await read(path)).matchAll(/\]\((?<to>[^)#]+)\)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      const to = join(ROOT, path, '..', link.groups?.['to'] ?? '');
      const isThere = await readFile(to).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'EISDIR',
      );
      expect(isThere, `${path}: ${link.groups?.['to']}`).toBe(true);
    }
  }
});
