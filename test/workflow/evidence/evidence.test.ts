import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, literalFile, planOf, sessionAt } from '../../support/sessions.ts';
import { answering, type TempProject } from '../../support/temp-project.ts';

const NAMED = ['--session', ID];
const VERIFY_FILE = `${FOLDER}/verify.json`;
const MIB = 1024 * 1024;

interface Verified {
  readonly status: string;
  readonly checks: readonly {
    readonly id: string;
    readonly command: string;
    readonly status: string;
    readonly reason?: string;
    readonly summary: string;
    readonly reused?: boolean;
    readonly outputFile?: string;
  }[];
  readonly criteria: readonly { readonly id: string; readonly proof?: string }[];
  readonly produced: readonly string[];
}

async function verifyFile(project: TempProject): Promise<Verified> {
  return JSON.parse(await project.read(VERIFY_FILE)) as Verified;
}

async function cc(project: TempProject, ...argv: readonly string[]) {
  return project.ccJson(...argv, ...NAMED);
}

/** The step has a check of its own, so that only the plan's checks are on trial. */
const planWith = (...verification: readonly string[]) =>
  planOf(
    [
      {
        title: 'Write the answer',
        lines: [
          '- id: write',
          '- verify: `test -f answer.txt`',
          ...literalFile('answer.txt', '42'),
        ],
      },
    ],
    verification,
  );

/** Carried out, not yet checked. */
const executed = (...verification: readonly string[]) =>
  sessionAt('executed', { plan: planWith(...verification) });

/** Each run of a check that calls it leaves a line outside of the project. */
const COUNTED = 'echo run >> "$HOME/runs" && sh check.sh';

async function countRuns(project: TempProject): Promise<number> {
  const text = await readFile(join(project.home, 'runs'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

test.each([
  ['true', 'vacuous', '`true` cannot fail'],
  [':', 'vacuous', '`:` cannot fail'],
  ['sh check.sh || true', 'vacuous', '`|| true` swallows'],
  ['sh check.sh; true', 'vacuous', '`; true` swallows'],
  ['npm test', 'vacuous', "npm's placeholder"],
  ['no-such-program --now', 'not-found', 'no-such-program'],
  ['./answer.txt', 'not-executable', ''],
  ['node --test --test-name-pattern=nothing-like-it a.test.mjs', 'no-tests', ''],
  ['false | cat', 'exit-code', ''],
  ['exit 3', 'exit-code', ''],
  ['kill -9 $$', 'signal', ''],
])('`%s` is no pass: %s', async (command, reason, summary) => {
  await using project = await sessionAt('executed', {
    plan: planWith(`- \`${command}\``),
    files: {
      'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}\n',
      'a.test.mjs': 'import test from "node:test";\ntest("a", () => {});\n',
    },
  });
  const { exitCode } = await cc(project, 'verify');
  expect(exitCode).toBe(1);
  const { checks } = await verifyFile(project);
  expect(checks[0]).toMatchObject({ status: 'failed', reason, command });
  expect(checks[0]?.summary).toContain(summary);
  expect((await cc(project, 'complete')).value).toMatchObject({
    error: { code: 'VERIFICATION_REQUIRED' },
  });
});

test.each<[string, string, string]>([
  ['no checks at all', planOf([{ title: 'Write it' }], []), 'nothing was checked'],
  ['only a waiver', planOf([{ title: 'Write it' }], ['- AC1: waived: no time']), 'waived: no time'],
  ['a review that nobody gave', planOf([{ title: 'Write it' }], ['- AC1: review']), 'AC1'],
])('%s is no pass', async (_title, plan, said) => {
  await using project = await sessionAt('approved', { plan });
  expect((await project.cc('ralph', '--done', ...NAMED)).exitCode).toBe(0);
  const run = await project.cc('verify', ...NAMED);
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toContain(said);
  expect(run.stdout).toContain('s1: partial');
  expect((await cc(project, 'complete')).exitCode).toBe(7);
});

test('open steps are no pass, however green the checks', async () => {
  await using project = await sessionAt('approved', {
    plan: planOf([{ title: 'Never done' }], ['- `test -f check.sh`']),
  });
  expect((await project.cc('reset', '--to', 'execute', ...NAMED)).exitCode).toBe(0);
  const run = await project.cc('verify', ...NAMED);
  expect(run).toMatchObject({ exitCode: 1, stdout: /step never-done is pending/ });
  expect((await verifyFile(project)).checks).toMatchObject([{ status: 'passed' }]);
});

test('what stands under evidence: command, exit, time, tree', async () => {
  await using project = await sessionAt('verified');
  expect(await project.json(VERIFY_FILE)).toMatchObject({
    status: 'passed',
    checks: [{ command: 'sh check.sh', exitCode: 0, durationMs: expect.any(Number) }],
    treeHash: expect.stringMatching(/\S{40,}/),
    planHash: expect.stringMatching(/^p1:/),
    seal: expect.stringMatching(/^s1:/),
  });
});

test('the same tree and environment need no second run; another one does', async () => {
  await using project = await executed(`- \`${COUNTED}\``);
  const counts: number[] = [];
  const verify = async (...more: readonly string[]) => {
    expect((await cc(project, 'verify', ...more)).exitCode).toBe(0);
    counts.push(await countRuns(project));
  };
  await verify();
  await verify();
  expect((await verifyFile(project)).checks[0]).toMatchObject({ reused: true });
  await verify('--fresh');
  await project.write('other.txt', 'x\n');
  await verify();
  project.env = { MODE: 'other' };
  await verify();
  await rm(join(project.root, 'other.txt'));
  project.env = {};
  await verify();
  expect(counts).toEqual([1, 1, 2, 3, 4, 4]);
});

test('a receipt cannot be forged from inside of the project', async () => {
  await using project = await executed('- `echo run >> "$HOME/runs" && test -f never`');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  const forged = (await project.read(VERIFY_FILE))
    .replaceAll('"failed"', '"passed"')
    .replace(/"reason": "[^"]*",/, '"reused": true,');
  await project.write(VERIFY_FILE, forged);
  await project.write('.chainlesschain/receipts/1.json', forged);
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  await project.write(VERIFY_FILE, forged);
  expect((await cc(project, 'verify', '--only-failed')).exitCode).toBe(1);
  expect(await countRuns(project)).toBe(3);
  expect((await verifyFile(project)).checks[0]).toMatchObject({ status: 'failed' });
});

test('--only-failed runs what failed, and everything where the tree is another', async () => {
  const plan = [
    '- `echo run >> "$HOME/a" && test ! -f broken`',
    '- `echo run >> "$HOME/b" && test -f fixed`',
  ];
  await using project = await sessionAt('executed', { plan: planWith(...plan) });
  const runs = async (name: string) => {
    const text = await readFile(join(project.home, name), 'utf8').catch(() => '');
    return text.split('\n').length - 1;
  };
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  project.env = { MODE: 'no receipt of before' };
  expect((await cc(project, 'verify', '--only-failed')).exitCode).toBe(1);
  expect([await runs('a'), await runs('b')]).toEqual([1, 2]);
  expect((await verifyFile(project)).checks.slice(0, 2)).toMatchObject([
    { id: 'check-1', status: 'passed' },
    { id: 'check-2', status: 'failed' },
  ]);

  // What mends one breaks the other: a pass of another tree does not stand.
  await project.write('fixed', 'x\n');
  await project.write('broken', 'x\n');
  expect((await cc(project, 'verify', '--only-failed')).exitCode).toBe(1);
  expect((await verifyFile(project)).checks.slice(0, 2)).toMatchObject([
    { id: 'check-1', status: 'failed' },
    { id: 'check-2', status: 'passed' },
  ]);
  expect((await cc(project, 'complete')).exitCode).toBe(7);
});

test('--only-failed does not let a pass stand on a tree that the other checks change', async () => {
  await using project = await executed('- `test ! -f made`', '- `test -n "$MODE" && touch made`');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  project.env = { MODE: 'make' };
  expect((await cc(project, 'verify', '--only-failed')).exitCode).toBe(1);
  expect((await verifyFile(project)).checks.slice(0, 2)).toMatchObject([
    { id: 'check-1', status: 'failed' },
    { id: 'check-2', status: 'passed' },
  ]);
});

test('--only-failed does not let a pass stand that somebody wrote into verify.json', async () => {
  await using project = await executed('- `test -f never`', '- `test -n "$MODE"`');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  const file = await verifyFile(project);
  const checks = file.checks.map((check) =>
    check.id === 'check-1' ? { ...check, status: 'passed', exitCode: 0 } : check,
  );
  await project.write(VERIFY_FILE, JSON.stringify({ ...file, checks }));
  project.env = { MODE: 'on' };
  expect((await cc(project, 'verify', '--only-failed')).exitCode).toBe(1);
  expect((await verifyFile(project)).checks.slice(0, 2)).toMatchObject([
    { id: 'check-1', status: 'failed' },
    { id: 'check-2', status: 'passed' },
  ]);
});

test('a formatter that is still on the second run passes', async () => {
  await using project = await executed(
    '- `sh check.sh`',
    '- `test "$(cat check.sh | tail -n 1)" = "# formatted" || echo "# formatted" >> check.sh`',
  );
  expect((await cc(project, 'verify')).exitCode).toBe(0);
  expect(await project.read('check.sh')).toMatch(/# formatted\n$/);
  expect((await cc(project, 'complete')).exitCode).toBe(0);
});

test('what a check writes anew each time is listed as produced', async () => {
  await using project = await executed('- `sh check.sh && date +%s%N > coverage.txt`');
  for (const more of [[], ['--fresh']]) {
    expect((await cc(project, 'verify', ...more)).exitCode).toBe(0);
    expect((await verifyFile(project)).produced).toEqual(['coverage.txt']);
  }
  const run = await project.cc('verify', '--fresh', ...NAMED);
  expect(run.stdout).toContain('new file: coverage.txt (ignore it:');
  expect((await cc(project, 'complete')).exitCode).toBe(0);
});

test('a file of the session that nobody tracks yet is checked as the formatter leaves it', async () => {
  await using project = await executed(
    // The first check must see what the second one makes of the new file.
    '- `test ! -f new.txt || ! grep -q BAD new.txt`',
    '- `test ! -f new.txt || echo BAD > new.txt`',
  );
  await project.write('new.txt', 'good\n');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  expect((await verifyFile(project)).checks.slice(0, 2)).toMatchObject([
    { status: 'failed' },
    { status: 'passed' },
  ]);
});

test('a timeout is told from a failure, and uses up no retry', async () => {
  const plan = planOf([
    {
      title: 'Write',
      lines: ['- id: write', '- timeout: 1s', '- verify: `sleep 20`', ...literalFile('a', '1')],
    },
  ]);
  await using project = await sessionAt('approved', { plan });
  const ran = await cc(project, 'ralph');
  expect(ran).toMatchObject({
    exitCode: 1,
    value: { stop: { records: [{ status: 'failed', reason: 'timeout' }] } },
  });
  await project.write('answer.txt', '42\n');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  expect((await verifyFile(project)).checks).toMatchObject([
    { id: 'check-1', status: 'passed' },
    { id: 'write-vc0', reason: 'timeout', summary: /^No end after 1 s/ },
  ]);
  expect(await project.json(`${FOLDER}/mode.json`)).toMatchObject({
    stage: 'fix-loop',
    retries: 0,
  });
});

test('three failures after a change of the executor, then no more runs; checks always', {
  timeout: 120_000,
}, async () => {
  const steps = [1, 2, 3, 4, 5].map((count) => ({
    title: `Break it ${count}`,
    lines: ['- after: none', '- verify: `test -f broken`', ...literalFile('broken', String(count))],
  }));
  await using project = await sessionAt('approved', {
    plan: planOf(steps, ['- `test ! -f broken`']),
  });
  const seen: string[] = [];
  for (const count of [1, 2, 3, 4]) {
    await cc(project, 'ralph', '--task', String(count));
    expect((await cc(project, 'verify')).exitCode).toBe(1);
    const { stage, retries } = await project.json(`${FOLDER}/mode.json`);
    seen.push(`${String(stage)} ${String(retries)}`);
    // A person's own edit is not counted, however often it fails.
    await project.write('unrelated', `${count}\n`);
    if (count < 4) expect((await cc(project, 'verify')).exitCode).toBe(1);
    await rm(join(project.root, 'broken'));
  }
  expect(seen).toEqual(['fix-loop 1', 'fix-loop 2', 'fix-loop 3', 'failed 4']);
  expect((await cc(project, 'ralph')).value).toMatchObject({
    error: { code: 'RETRIES_EXHAUSTED' },
  });
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  expect((await verifyFile(project)).checks[0]).toMatchObject({ status: 'passed' });
  expect((await cc(project, 'reopen')).exitCode).toBe(0);
  expect(await project.json(`${FOLDER}/mode.json`)).toMatchObject({ stage: 'execute', retries: 0 });
});

test('the fix loop shows what failed, and runs only that again', async () => {
  await using project = await executed(`- \`${COUNTED}\``, '- `test -f b.txt`');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  expect((await cc(project, 'status')).value).toMatchObject({
    stage: 'fix-loop',
    next: 'cc ralph',
  });

  const shown = await cc(project, 'ralph');
  expect(shown).toMatchObject({
    exitCode: 8,
    value: { ending: 'blocked-on-human', stop: { checks: ['test -f b.txt'] } },
  });
  await project.write('b.txt', 'x\n');
  expect(await cc(project, 'ralph')).toMatchObject({ exitCode: 0, value: { next: /^cc verify/ } });
  expect(await countRuns(project)).toBe(1);
  expect((await cc(project, 'verify')).exitCode).toBe(0);
  expect((await cc(project, 'complete')).exitCode).toBe(0);
});

const REVIEWED = planWith('- `sh check.sh`', '- AC1: review');

test('a person answers for a criterion, with a reason, for this tree only', async () => {
  await using project = await sessionAt('executed', { plan: REVIEWED });
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  expect((await cc(project, 'status')).value).toMatchObject({
    next: 'cc verify --accept AC1 --reason "…"',
  });
  expect((await cc(project, 'verify', '--accept', 'AC1')).value).toMatchObject({
    error: { code: 'REQUEST_INVALID' },
  });
  project.io = { prompter: answering(false) };
  expect((await project.ccJson('verify', '--accept', 'AC1', '--reason', 'seen')).exitCode).toBe(7);
  project.io = { prompter: answering(true) };
  const accepted = await project.ccJson('verify', '--accept', 'AC1', '--reason', 'seen');
  expect(accepted).toMatchObject({
    exitCode: 0,
    value: { criteria: [{ id: 'AC1', proof: 'review', reason: 'seen', by: 'Ann (terminal)' }] },
  });

  project.io = {};
  expect((await cc(project, 'verify', '--fresh')).exitCode).toBe(0);
  await project.write('other.txt', 'x\n');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  await rm(join(project.root, 'other.txt'));
  expect((await cc(project, 'verify', '--accept', 'AC1', '--reason', 'again')).exitCode).toBe(0);
  expect((await cc(project, 'complete')).exitCode).toBe(0);
  expect(await project.read(`${FOLDER}/summary.md`)).toContain(
    'AC1 answer.txt says 42: reviewed by Ann (command line): again',
  );
});

test('an acceptance does not stand in for a check that fails', async () => {
  await using project = await executed('- `test -f never`');
  const run = await cc(project, 'verify', '--accept', 'AC1', '--reason', 'trust me');
  expect(run.exitCode).toBe(1);
  expect((await cc(project, 'complete')).exitCode).toBe(7);
});

test('a waived criterion is said first in the summary, and is no proof of anything', async () => {
  await using project = await sessionAt('complete', {
    plan: planWith('- `sh check.sh`', '- AC1: waived: no time'),
  });
  const summary = await project.read(`${FOLDER}/summary.md`);
  const notProven = summary.indexOf('## Not Proven');
  expect(summary.indexOf('AC1 answer.txt says 42: waived: no time')).toBeGreaterThan(notProven);
  expect(summary.indexOf('## Proven')).toBeGreaterThan(notProven);
});

test('what is left to CI neither passes nor fails here', async () => {
  await using project = await sessionAt('complete', {
    plan: planWith('- `sh check.sh`', '- `echo run >> "$HOME/runs" && test -f never` (ci)'),
  });
  expect(await countRuns(project)).toBe(0);
  expect(await project.json(VERIFY_FILE)).toMatchObject({
    status: 'passed',
    checks: [{ command: 'sh check.sh' }, { id: 'write-vc0' }],
    deferred: [{ command: 'echo run >> "$HOME/runs" && test -f never' }],
    criteria: [{ id: 'AC1', proof: 'checks' }],
  });
  expect(await project.read(`${FOLDER}/summary.md`)).toContain('## Left to CI');
});

test('a criterion whose only check is left to CI is not proven here', async () => {
  await using project = await executed('- `sh check.sh`', '- AC1: `test -s answer.txt` (ci)');
  expect((await cc(project, 'verify')).exitCode).toBe(1);
  expect((await verifyFile(project)).criteria).toMatchObject([{ id: 'AC1', checks: [] }]);
});

test.each([
  ['at stage plan', () => sessionAt('plan')],
  ['in the middle', () => sessionAt('executed')],
  ['after the end', () => sessionAt('complete')],
  [
    'with a damaged mode.json',
    async () => {
      const project = await sessionAt('plan');
      await project.write('answer.txt', '42\n');
      return project;
    },
  ],
])('--ci runs the listed checks %s and writes nothing', async (_title, make) => {
  await using project = await make();
  await project.write('answer.txt', '42\n');
  const before = await project.snapshot();
  const run = await project.cc('verify', '--ci', ...NAMED);
  expect(run).toMatchObject({ exitCode: 0, stdout: /^s1: passed\n {2}✓ sh check\.sh\n/ });
  expect(await project.snapshot()).toEqual(before);
});

test('--ci takes a plan that somebody else approved, without a question', async () => {
  await using project = await sessionAt('executed');
  project.env = { CC_SEAL_KEY: 'the key of CI' };
  const before = await project.snapshot();
  expect((await project.cc('verify', '--ci', ...NAMED)).exitCode).toBe(0);
  expect(await project.snapshot()).toEqual(before);
});

const TROUBLE = planOf(
  [{ title: 'Write' }],
  [
    '- `sh check.sh`',
    '- `printf \'a "b" <c> & %%d\\n::error::e\\n\\033[31mred\\001\'; exit 3`',
    '- `test -f check.sh` (ci)',
    '- AC2: review',
    '- AC3: `test -f never`',
  ],
);
const THREE = INTENT.replace(
  'says 42\n',
  'says 42\n- AC2: <b>nice</b> & "tidy"\n- AC3: 100%: sure\n',
);

test('--ci as JSON: every check and criterion, the deferred ones too', async () => {
  await using project = await sessionAt('plan', { plan: TROUBLE, intent: THREE });
  const run = await project.cc('verify', '--ci', '--format', 'json', ...NAMED);
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    session: 's1',
    passed: false,
    checks: [
      { id: 'check-1', status: 'failed', output: 'answer.txt does not say 42' },
      { id: 'check-2', status: 'failed', reason: 'exit-code' },
      { id: 'check-3', status: 'passed' },
      { id: 'AC3', status: 'failed' },
    ],
    reviews: ['AC2'],
    mutated: [],
  });
});

test('--ci as JUnit is well-formed, and counts what it holds', async () => {
  await using project = await sessionAt('plan', { plan: TROUBLE, intent: THREE });
  const report = join(project.root, 'report.xml');
  const run = await project.cc('verify', '--ci', '--format', 'junit', '--out', report, ...NAMED);
  expect(run).toMatchObject({ exitCode: 1, stdout: /wrote .*report\.xml/ });
  const xml = await project.read('report.xml');
  expect(wrongInXml(xml)).toEqual([]);
  expect(xml).toContain('<testsuite name="s1" tests="7" failures="5" errors="0" skipped="1">');
  expect(xml.match(/<testcase /g)).toHaveLength(7);
  expect(xml.match(/<failure /g)).toHaveLength(5);
  expect(xml).toContain('name="AC2 &lt;b&gt;nice&lt;/b&gt; &amp; &quot;tidy&quot;"');
});

test('--ci for GitHub: one command a line, and nothing that a check printed is one', async () => {
  await using project = await sessionAt('plan', { plan: TROUBLE, intent: THREE });
  const { stdout } = await project.cc('verify', '--ci', '--format', 'github', ...NAMED);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^::error title=[^:,\n]*::[^\n]*$/);
  expect(stdout).toContain('not proven: 100%25: sure');
});

test('--ci with a plan that lists nothing fails', async () => {
  await using project = await sessionAt('plan', { plan: planOf([{ title: 'Write' }], []) });
  const run = await project.cc('verify', '--ci', ...NAMED);
  expect(run).toMatchObject({ exitCode: 1, stdout: /nothing was checked/ });
});

/** Tags that do not close, characters that XML forbids, bare ampersands. */
function wrongInXml(xml: string): string[] {
  const wrong: string[] = [];
  if (!xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')) wrong.push('no declaration');
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(xml)) wrong.push('a control character');
  if (/&(?!(?:amp|lt|gt|quot|#10|#13);)/.test(xml)) wrong.push('a bare ampersand');
  const open: string[] = [];
  for (const [, slash, name = '', rest = ''] of xml.matchAll(
    /<(\/?)(\w+)((?:[^<>"]|"[^"<]*")*)>/g,
  )) {
    if (slash === '/') {
      if (open.pop() !== name) wrong.push(`</${name}> closes another tag`);
    } else if (!rest.endsWith('/')) open.push(name);
  }
  return [...wrong, ...open.map((name) => `<${name}> is not closed`)];
}

test('a check that prints without end fills neither memory nor disk', {
  timeout: 120_000,
}, async () => {
  await using project = await executed('- `yes | head -c 200000000; sh check.sh`');
  const before = process.memoryUsage().rss;
  expect((await cc(project, 'verify')).exitCode).toBe(0);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
  const [check] = (await verifyFile(project)).checks;
  const path = join(project.root, FOLDER, check?.outputFile ?? '');
  const { size } = await stat(path);
  expect(size).toBeGreaterThan(64 * MIB);
  expect(size).toBeLessThan(64 * MIB + 100);
  const file = await readFile(path);
  expect(file.subarray(-60).toString()).toMatch(/\[132891136 more bytes not kept\]\n$/);
});

test('bytes that are no UTF-8 stay in the file, and out of the JSON', async () => {
  await using project = await executed(
    "- `printf '\\304\\343\\272\\303\\n'; head -c 65536 /dev/urandom; printf '\\nend\\n'; sh check.sh`",
  );
  expect((await cc(project, 'verify')).exitCode).toBe(0);
  const [check] = (await verifyFile(project)).checks;
  expect(check?.summary).toMatch(/end$/);
  expect(check?.summary).not.toMatch(/[\u0000-\u001f\u007f]/);
  const file = await readFile(join(project.root, FOLDER, check?.outputFile ?? ''));
  expect(file.subarray(0, 5)).toEqual(Buffer.of(0xc4, 0xe3, 0xba, 0xc3, 0x0a));
  expect(file.length).toBe(65_536 + 5 + 5);
});

test('checks with long names have a file each', async () => {
  const id = 'a-step-with-a-name-that-is-longer-than-any-file-name-should-be';
  const checks = [
    '- criteria: AC1',
    '- verify: `test -f one && echo 1`',
    '- verify: `test -f one && echo 2`',
  ];
  await using project = await sessionAt('executed', {
    plan: planOf(
      [{ title: 'One', lines: [`- id: ${id}`, ...checks, ...literalFile('one', '1')] }],
      [],
    ),
  });
  expect((await cc(project, 'verify', '--fresh')).exitCode).toBe(0);
  const { checks: records } = await verifyFile(project);
  const outputs = await Promise.all(
    records.map(({ outputFile = '' }) => project.read(`${FOLDER}/${outputFile}`)),
  );
  expect(outputs).toEqual(['1\n', '2\n']);
});

test.each([
  ['with the key', {}, 1, 'not verified'],
  ['without the key', { CC_SEAL_KEY: 'the key of CI' }, 0, 'seal not checkable here'],
])('check --require verified, %s, on evidence that was forged', async (_title, env, exit, said) => {
  await using project = await sessionAt('verified');
  const forged = (await project.read(VERIFY_FILE)).replace(
    /"summary": "[^"]*"/,
    '"summary": "mine"',
  );
  await project.write(VERIFY_FILE, forged);
  project.env = env;
  const run = await project.cc('check', '--require', 'verified');
  expect(run.exitCode).toBe(exit);
  expect(run.stdout).toContain(said);
});

test('a stale result names up to five files that changed', async () => {
  await using project = await sessionAt('verified');
  await project.write('NOTES.txt', 'x\n');
  const messageOf = async (verb: string, ...more: readonly string[]) => {
    const { value } = await cc(project, verb, ...more);
    return value['error'];
  };
  expect(await messageOf('complete')).toMatchObject({
    code: 'VERIFICATION_STALE',
    message: 'Changed after it was verified: NOTES.txt',
  });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await project.write(name, 'x\n');
  expect(await messageOf('complete')).toMatchObject({
    message: 'Changed after it was verified: NOTES.txt, a, b, c, d and 1 more',
  });
  for (const name of ['NOTES.txt', 'a', 'b', 'c', 'd', 'e']) {
    await rm(join(project.root, name));
  }
  expect((await cc(project, 'complete')).exitCode).toBe(0);
  await project.write('LATER.txt', 'x\n');
  expect(await messageOf('complete', '--commit')).toMatchObject({
    message: 'Changed after it was verified: LATER.txt',
  });
});

test('a failing check is failed, beside others that pass', async () => {
  await using project = await executed('- `test -f check.sh`\n- `exit 3`');
  const { stdout, stderr } = await project.cc('verify', ...NAMED);
  expect(stdout).toContain('s1: failed\n');
  expect(stdout).toContain('  ✗ exit 3: exit code 3, without a word\n');
  expect(await verifyFile(project)).toMatchObject({ status: 'failed' });
  expect(stderr).not.toContain('without a word');
});

test('of TAP the words of an error are told, not the marks around them', async () => {
  const tap = "printf 'not ok 1 - adds\\n  ---\\n  error: |-\\n    3 is not 4\\n  ...\\n'; exit 1";
  await using project = await executed(`- \`${tap}\``);
  await project.cc('verify', ...NAMED);
  const { checks } = await verifyFile(project);
  expect(checks[0]?.summary).toBe('not ok 1 - adds | error: 3 is not 4');
});
