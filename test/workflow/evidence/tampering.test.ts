import { cp, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, sessionAt } from '../../support/sessions.ts';
import { TAMPERED_FILES, TAMPERINGS, UNTRACKED } from '../../support/tamperings.ts';
import type { TempProject } from '../../support/temp-project.ts';

const MINUTES_MS = 60_000;
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

async function restore(project: TempProject, saved: string): Promise<void> {
  for (const name of await readdir(project.root)) {
    await rm(join(project.root, name), { recursive: true });
  }
  await cp(saved, project.root, { recursive: true, verbatimSymlinks: true });
}

test('no tampering between verify and complete completes a session', {
  timeout: 5 * MINUTES_MS,
}, async () => {
  await using project = await verifiedProject();
  const saved = join(project.home, 'saved');
  await cp(project.root, saved, { recursive: true, verbatimSymlinks: true });
  const wrong: string[] = [];
  for (const { title, apply } of TAMPERINGS) {
    await apply(project);
    const before = await project.snapshot();
    const { exitCode, value } = await project.ccJson(...COMPLETE);
    const code = String((value['error'] as { code?: unknown } | undefined)?.code);
    if (exitCode !== 7 || !REFUSALS.test(code)) wrong.push(`${title}: ${exitCode} ${code}`);
    const after = await project.snapshot();
    const touched = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = touched.filter((path) => before[path] !== after[path]);
    if (changed.length > 0) wrong.push(`${title}: changed ${changed.join(', ')}`);
    await restore(project, saved);
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
