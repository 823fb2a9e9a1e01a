/** A `cc ralph` in a process of its own that sits in a check until somebody ends it. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, selfHolder } from '../../src/kernel/base/processes.ts';
import type { CrashingCc, Killed } from './crash-lab.ts';
import { CrashLab } from './crash-lab.ts';
import { FOLDER, ID, PLAN, sessionAt } from './sessions.ts';
import type { TempProject } from './temp-project.ts';

const PATIENCE_MS = 15_000;

/** Tells its number outside of the tree, and goes on for longer than any test. */
const SLEEPING_CHECK = 'echo $$ > "$HOME/check.pid"; exec sleep 60';

/** Two steps, so that a run that goes on where it should not has something to write. */
export const SLEEPING_PLAN = PLAN.replace(
  '   - criteria: AC1\n',
  // A function: in a text, `$$` would mean something else.
  () => `   - criteria: AC1\n   - verify: \`${SLEEPING_CHECK}\`\n`,
).replace('## Verification', '2. Tell Ben\n   - id: tell\n\n## Verification');

export interface LiveRun {
  readonly project: TempProject;
  readonly pid: number;
  readonly ended: Promise<Killed>;
  /** Process number of the check. */
  readonly check: number;
  signal(name: NodeJS.Signals): void;
  isCheckAlive(): boolean;
}

/** @returns once the check runs. The project belongs to the caller. */
export async function startRun(cc: CrashingCc, project: TempProject): Promise<LiveRun> {
  const lab = await CrashLab.open(project, cc);
  const file = join(project.home, 'check.pid');
  await rm(file, { force: true });
  const { child, ended } = lab.start(['ralph', '--session', ID], '');
  const check = Number(await until(async () => (await readFile(file, 'utf8')).trim()));
  if (!Number.isInteger(check)) throw new Error('The check did not tell its number');
  const holder = selfHolder('00000000-0000-4000-8000-000000000000', check);
  return {
    project,
    pid: child.pid ?? 0,
    ended,
    check,
    signal: (name) => void child.kill(name),
    isCheckAlive: () => isAlive(holder),
  };
}

export function sleepingSession(): Promise<TempProject> {
  return sessionAt('approved', { plan: SLEEPING_PLAN });
}

/** Asks again and again until there is an answer. */
export async function until<T>(ask: () => Promise<T | undefined | '' | false>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && answer !== '' && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`No answer in ${PATIENCE_MS} ms to ${ask.toString()}`);
    await sleep(20);
  }
}

export const LEASE = `${FOLDER}/.lease.json`;
export const LOCK = `${FOLDER}/.lock`;
