/** What a crash, a second process, a long history or an odd name does to the folder of a session. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc, CrashLab } from '../support/crash-lab.ts';
import { startRun } from '../support/live-run.ts';
import { FOLDER, ID, INTENT, literalFile, PLAN, planOf, sessionAt } from '../support/sessions.ts';
import type { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const TIMEOUT_MS = 60_000;

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(() => cc[Symbol.asyncDispose]());

/** What saves work or points somewhere, and what a power cut may leave of it. */
const HELPERS: Readonly<Record<string, (project: TempProject) => string>> = {
  'the pointer to a session': ({ root }) => join(root, '.chainlesschain/current'),
  'what was parsed': ({ home }) => join(home, '.chainlesschain/cache/documents'),
  'the receipts of checks': ({ home }) => join(home, '.chainlesschain/receipts'),
  'the states of tree stores': ({ home }) => join(home, '.chainlesschain/stores'),
};
const CUTS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  empty: () => Buffer.alloc(0),
  'cut at 30 bytes': (bytes) => bytes.subarray(0, 30),
  'all zeros': (bytes) => Buffer.alloc(Math.max(bytes.length, 1)),
};

/** The small files at a place; a store's objects are git's. */
async function filesAt(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return entries.length === 0
    ? [path]
    : paths.filter((one) => /\.jsonl?$/.test(one) || one.endsWith('/index'));
}

const ROWS = Object.keys(HELPERS).flatMap((what) =>
  Object.keys(CUTS).map((how) => ({ what, how })),
);

test.each(ROWS)('$what, $how: as if it were not there', async ({ what, how }) => {
  await using project = await sessionAt('executed');
  await project.cc('session', 'use', ID);
  await project.cc('verify', ...NAMED);
  const before = await project.cc('status');
  const paths = await filesAt(HELPERS[what]?.(project) ?? '');
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) await writeFile(path, CUTS[how]?.(await readFile(path)) ?? '');

  expect(await project.cc('status')).toEqual(before);
  const [first = ''] = (await project.cc('session', 'list')).stdout.split('\n');
  expect(first).toContain('verify  Say 42');
  expect((await project.cc('verify')).exitCode).toBe(0);
  expect((await project.cc('complete')).exitCode).toBe(0);
});

test.each([
  ['empty', 0],
  ['cut', 7],
  ['a byte too long', 33],
])(
  'a key that is %s seals nothing, and nothing that it could have sealed counts',
  async (_how, size) => {
    await using project = await sessionAt('approved');
    const key = join(project.home, '.chainlesschain/seal.key');
    await writeFile(key, Buffer.concat([await readFile(key), Buffer.alloc(1)]).subarray(0, size));
    const before = await project.snapshot();
    for (const argv of [['ralph'], ['ralplan', '--approve'], ['complete']]) {
      expect(await project.ccJson(...argv, ...NAMED), argv.join(' ')).toMatchObject({
        exitCode: 6,
        value: { error: { code: 'CONFIG_INVALID', hint: `rm ${key}` } },
      });
    }
    expect(await project.snapshot()).toEqual(before);
    await rm(key);
    expect((await project.ccJson('ralph', ...NAMED)).value).toMatchObject({
      error: { code: 'APPROVAL_NOT_YOURS' },
    });
    expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
    expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
  },
);

test('twelve processes that add a step each lose none', { timeout: TIMEOUT_MS }, async () => {
  await using project = await sessionAt('plan');
  const lab = await CrashLab.open(project, cc);
  const titles = Array.from({ length: 12 }, (_, at) => `Step of process ${at}`);
  const runs = titles.map((title) => lab.start(['ralplan', '--step', title, ...NAMED], '').ended);
  const ended = await Promise.all(runs);
  expect(ended.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`)).toEqual(
    titles.map(() => expect.stringMatching(/^0 /)),
  );
  const plan = await project.read(`${FOLDER}/plan.md`);
  const lines = plan.split('\n').filter((line) => line.includes('Step of process'));
  expect(lines.map((line) => line.replace(/^\d+\. /, '')).sort()).toEqual([...titles].sort());
  const { tasks } = (await project.json(`${FOLDER}/tasks.json`)) as { tasks: unknown[] };
  expect(tasks).toHaveLength(13);
  expect(await lab.leftovers()).toEqual([]);
});

const INTERRUPTED = planOf([
  { title: 'One', lines: ['- id: one', '- verify: `test -f one`', ...literalFile('one', '1')] },
  {
    title: 'Two',
    lines: [
      '- id: two',
      '- verify: `test -f two`',
      '',
      '```sh run',
      'echo run >> two',
      'echo $$ > "$HOME/check.pid"; exec sleep 60',
      '```',
    ],
  },
]);

test('killed inside of a script: what is done stays done, the script is asked about', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sessionAt('approved', { plan: INTERRUPTED });
  const run = await startRun(cc, project);
  run.signal('SIGKILL');
  await run.ended;
  const before = await project.read(`${FOLDER}/progress.log`);
  const again = await project.ccJson('ralph', ...NAMED);
  expect(again).toMatchObject({
    exitCode: 8,
    value: {
      ending: 'blocked-on-human',
      stop: { taskId: 'two', message: expect.stringContaining('what it did is not known') },
      next: expect.stringContaining('cc ralph --task two'),
    },
  });
  expect(run.isCheckAlive()).toBe(false);
  expect(await project.read('two')).toBe('run\n');
  expect((await project.read(`${FOLDER}/progress.log`)).startsWith(before)).toBe(true);
  expect(await project.json(`${FOLDER}/tasks.json`)).toMatchObject({
    tasks: [
      { id: 'one', status: 'completed' },
      { id: 'two', status: 'running', actionBegun: true },
    ],
  });
});

test('three hundred sessions are looked through in about a second', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await sessionAt('approved');
  const log = '[2026-11-30T00:00:00.000Z] [ralph] entry\n'.repeat(2_000);
  for (let count = 0; count < 300; count++) {
    const folder = `.chainlesschain/sessions/t${count}`;
    await project.write(`${folder}/intent.md`, INTENT.replace(ID, `t${count}`));
    await project.write(`${folder}/plan.md`, PLAN.replace(ID, `t${count}`));
    await project.write(`${folder}/progress.log`, log);
  }
  const LOOKS = [
    ['session', 'list'],
    ['status', ...NAMED],
    ['log', ...NAMED],
    ['session', 'show', ID],
  ];
  // The first look at each document reads it.
  for (const argv of LOOKS) await project.cc(...argv);
  const before = process.memoryUsage().rss;
  for (const argv of LOOKS) {
    const startedAt = performance.now();
    expect((await project.cc(...argv)).exitCode, argv.join(' ')).toBe(0);
    expect(performance.now() - startedAt, argv.join(' ')).toBeLessThan(2_000);
  }
  expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(100);
  expect((await project.cc('session', 'list')).stdout.split('\n').length).toBeGreaterThan(300);
});

const UNSAFE = [
  '..',
  '.',
  '...',
  '-rf',
  'CON',
  'nul.txt',
  'a.',
  'a/../b',
  'a\\b',
  's1.m0-executor/x',
];

test.each(UNSAFE)('%j is no session, whichever way it is said', async (id) => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  const refused = async (codes: RegExp, ...argv: string[]) => {
    const { exitCode, stdout } = await project.cc('--json', ...argv);
    const { error } = JSON.parse(stdout) as { readonly error?: { readonly code: string } };
    expect({ argv, exitCode }).toEqual({ argv, exitCode: 6 });
    expect(error?.code, argv.join(' ')).toMatch(codes);
  };
  await refused(/^SESSION_ID_INVALID$/, 'session', 'use', '--', id);
  // What other programs named may be read where it exists.
  for (const action of ['show', 'workflow']) {
    await refused(/^SESSION_(?:ID_INVALID|NOT_FOUND)$/, 'session', action, '--', id);
  }
  project.env = { CC_SESSION: id };
  for (const argv of [['status'], ['ralph'], ['log'], ['complete'], ['cancel']]) {
    await refused(/^SESSION_ID_INVALID$/, ...argv);
  }
  project.env = {};
  await project.write('.chainlesschain/current', `${id}\n`);
  // A pointer that cannot be a session points nowhere, and the only open one is meant.
  expect(await project.ccJson('status')).toMatchObject({ exitCode: 0, value: { session: ID } });
  const { '.chainlesschain/current': _pointer, ...after } = await project.snapshot();
  expect(after).toEqual(before);
});
