import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles } from '../../src/kernel/base/node-files.ts';
import { DocumentCache } from '../../src/workflow/document-cache.ts';
import type { DocumentTexts } from '../../src/workflow/parse-documents.ts';
import { INTENT, PLAN } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const ENTRY = '.chainlesschain/cache/documents';

const textsOf = (plan: string): DocumentTexts => ({
  'mode.json': '{"stage":"plan"}',
  'intent.md': INTENT,
  'plan.md': plan,
  'tasks.json': undefined,
  'verify.json': undefined,
});
const TEXTS = textsOf(PLAN);

function cacheOf({ root, home }: TempProject, build = '1'): DocumentCache {
  return new DocumentCache({ root, home: join(home, '.chainlesschain'), files: nodeFiles, build });
}

async function filesOf({ home }: TempProject): Promise<readonly string[]> {
  const found = await readdir(join(home, ENTRY), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What is read from the file tells of another goal than the text, so that it shows who was asked. */
async function withMarkedFile(project: TempProject): Promise<string> {
  const cache = cacheOf(project);
  const { intent } = await cache.parse('s1', TEXTS);
  await cache.save();
  const [path = ''] = await filesOf(project);
  const kept = await readFile(path, 'utf8');
  await writeFile(path, kept.replace(`"goal":${JSON.stringify(intent.goal)}`, '"goal":"kept"'));
  return path;
}

async function goalFrom(cache: DocumentCache, id = 's1', texts = TEXTS): Promise<string> {
  return (await cache.parse(id, texts)).intent.goal;
}

test('what was parsed is kept as it was', async () => {
  await using project = await TempProject.create();
  const cache = cacheOf(project);
  const { head: parsedHead, ...parsed } = await cache.parse('s1', TEXTS);
  await cache.save();
  const { head, ...kept } = await cacheOf(project).parse('s1', TEXTS);
  expect(kept).toEqual(parsed);
  const keys = ['session', 'approved', 'none'];
  const linesOf = (one: typeof head) => (one?.ok ? keys.map((key) => one.lineOf(key)) : []);
  expect(linesOf(head)).toEqual(linesOf(parsedHead));
  expect(head).toMatchObject({ ok: true, data: { session: 's1', approved: false } });
});

test('the same texts are not parsed again', async () => {
  await using project = await TempProject.create();
  await withMarkedFile(project);
  expect(await goalFrom(cacheOf(project))).toBe('kept');
});

test.each<[string, (project: TempProject) => Promise<string>]>([
  ['another text', (project) => goalFrom(cacheOf(project), 's1', textsOf(`${PLAN}\n`))],
  [
    'a text that is gone',
    (project) => goalFrom(cacheOf(project), 's1', { ...TEXTS, 'plan.md': undefined }),
  ],
  ['another session', (project) => goalFrom(cacheOf(project), 's2')],
  ['another build', (project) => goalFrom(cacheOf(project, '2'))],
])('%s is parsed', async (_title, ask) => {
  await using project = await TempProject.create();
  await withMarkedFile(project);
  expect(await ask(project)).toBe('Say 42');
});

test.each<[string, (text: string) => string]>([
  ['empty', () => ''],
  ['cut', (text) => text.slice(0, text.length / 2)],
  ['cut in the first line', (text) => text.slice(0, 12)],
  ['all zeros', (text) => '\0'.repeat(text.length)],
])('a file that is %s counts as none, and is made anew', async (_title, damage) => {
  await using project = await TempProject.create();
  const path = await withMarkedFile(project);
  await writeFile(path, damage(await readFile(path, 'utf8')));
  const cache = cacheOf(project);
  expect(await goalFrom(cache)).toBe('Say 42');
  await cache.save();
  expect(await readFile(path, 'utf8')).toContain('"goal":"Say 42"');
});

test('many sessions share few files, and none pushes another out', async () => {
  await using project = await TempProject.create();
  const ids = Array.from({ length: 300 }, (_, at) => `20260101-change-${at}`);
  for (const id of ids) {
    const cache = cacheOf(project);
    await cache.parse(id, TEXTS);
    await cache.save();
  }
  const paths = await filesOf(project);
  expect(paths.length).toBeLessThanOrEqual(64);
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const kept = texts.flatMap((text) => [...text.matchAll(/^\{"id":"(.*?)"/gm)].map(([, id]) => id));
  expect(kept).toHaveLength(ids.length);
  expect(new Set(kept)).toEqual(new Set(ids));
});

test('what cannot be written is parsed each time', async () => {
  await using project = await TempProject.create();
  await writeFile(join(project.home, '.chainlesschain'), 'in the way');
  const cache = cacheOf(project);
  expect(await goalFrom(cache)).toBe('Say 42');
  await cache.save();
  expect(await goalFrom(cacheOf(project))).toBe('Say 42');
});
