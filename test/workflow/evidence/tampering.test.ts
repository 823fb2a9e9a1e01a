import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, sessionAt } from '../../support/sessions.ts';
import { TAMPERED_FILES, type Tampering, TAMPERINGS, UNTRACKED } from '../../support/tamperings.ts';
import type { TempProject } from '../../support/temp-project.ts';

const MINUTES_MS = 60_000;
/** Each waits for git most of the time. */
const AT_ONCE = 6;
const COMPLETE = ['complete', '--session', ID];
const REFUSALS =
  /^(?:VERIFICATION_(?:REQUIRED|STALE)|PLAN_(?:REQUIRED|APPROVAL_REQUIRED|CHANGED_SINCE_APPROVAL)|APPROVAL_NOT_YOURS|SESSION_DAMAGED|PATH_OUTSIDE_WORKSPACE)$/;

async function verifiedProject(): Promise<TempProject> {
  const project = await sessionAt('approved', { files: TAMPERED_FILES });
  await project.write(UNTRACKED, 'mine\n');
  await project.write('ignored/cache', 'x\n');
  for (const verb of ['ralph', 'verify']) {
    const { exitCode, stderr } = await project.cc(verb, '--session', ID);
    if (exitCode !== 0) throw new Error(`cc ${verb} exited ${exitCode}: ${stderr}`);
  }
  return project;
}

/** What is wrong with the answer to one tampering; nothing when it is refused and nothing was written. */
async function problemsOf({ title, apply }: Tampering, verified: TempProject): Promise<string[]> {
  await using project = await verified.clone();
  await apply(project);
  const before = await project.snapshot();
  const { exitCode, value } = await project.ccJson(...COMPLETE);
  const code = String((value['error'] as { code?: unknown } | undefined)?.code);
  const isRefused = exitCode === 7 && REFUSALS.test(code);
  const after = await project.snapshot();
  const touched = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = touched.filter((path) => before[path] !== after[path]);
  return [
    ...(isRefused ? [] : [`${title}: ${exitCode} ${code}`]),
    ...(changed.length > 0 ? [`${title}: changed ${changed.join(', ')}`] : []),
  ];
}

test('no tampering between verify and complete completes a session', {
  timeout: 5 * MINUTES_MS,
}, async () => {
  await using project = await verifiedProject();
  const wrong: string[] = [];
  for (let at = 0; at < TAMPERINGS.length; at += AT_ONCE) {
    const some = TAMPERINGS.slice(at, at + AT_ONCE);
    const problems = await Promise.all(some.map((one) => problemsOf(one, project)));
    wrong.push(...problems.flat());
  }
  expect(wrong).toEqual([]);

  const areas = TAMPERINGS.map(({ area }) => area);
  const counts = [...new Set(areas)].map((area) => {
    return `${area} ${areas.filter((one) => one === area).length}`;
  });
  process.stdout.write(`${TAMPERINGS.length} tamperings (${counts.join(', ')}), 0 completed\n`);
  expect(TAMPERINGS.length).toBeGreaterThanOrEqual(100);

  expect(await project.cc(...COMPLETE)).toMatchObject({ exitCode: 0, stderr: /verify → complete/ });
});

/** Looks different and says the same: who works honestly is not stopped. */
test.each<[string, (project: TempProject) => Promise<unknown>]>([
  [
    'a cosmetic edit of plan.md',
    async (project) => {
      const text = await project.read(`${FOLDER}/plan.md`);
      await project.write(`${FOLDER}/plan.md`, text.replaceAll('\n', '\r\n'));
    },
  ],
  [
    'verify.json printed on one line',
    async (project) => {
      const path = `${FOLDER}/verify.json`;
      await project.write(path, JSON.stringify(await project.json(path)));
    },
  ],
  ['an ignored file', (project) => project.write('ignored/cache', 'y\n')],
  [
    'a touched file',
    async (project) => {
      await project.write('run.sh', await project.read('run.sh'));
    },
  ],
  [
    'a commit of the same tree',
    async (project) => {
      await project.git('add', '--all');
      await project.git('commit', '--quiet', '--message', 'same');
    },
  ],
  ['a staged file', (project) => project.git('add', 'answer.txt')],
  [
    'a note of a task',
    async (project) => {
      const path = `${FOLDER}/tasks.json`;
      const file = await project.json(path);
      await project.write(path, JSON.stringify({ ...file, board: 'blue' }));
    },
  ],
  ['a draft in the session folder', (project) => project.write(`${FOLDER}/ideas.md`, 'x\n')],
  [
    'a link that leads nowhere in the session folder',
    (project) => symlink('nowhere', join(project.root, FOLDER, 'dangling')),
  ],
])('%s is no reason to refuse', async (_title, change) => {
  await using project = await verifiedProject();
  await change(project);
  expect(await project.cc(...COMPLETE)).toMatchObject({ exitCode: 0 });
});
