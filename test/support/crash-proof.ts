import { createHash } from 'node:crypto';
import { type CrashingCc, CrashLab, type State } from './crash-lab.ts';
import type { CrashVerb } from './crash-verbs.ts';
import { ID } from './sessions.ts';
import type { CcResult, TempProject } from './temp-project.ts';

export interface Proof {
  readonly operations: number;
  /** Moments at which a kill leaves something of its own. */
  readonly moments: number;
  /** Times that the program asked a person to look at an interrupted script. */
  readonly remedies: number;
  /** What was wrong, in words; empty when the command is safe. */
  readonly problems: readonly string[];
}

/** Far more than any path from here to its end. */
const MAX_COMMANDS = 14;

/** Kills a command at the moments that `choose` takes, and looks at what is left each time. */
export class CrashProof {
  readonly #verb: CrashVerb;
  readonly #lab: CrashLab;
  readonly #before: State;
  #after: State = {};
  #remedies = 0;
  readonly #seen = new Set<string>();
  readonly #tried = new Set<string>();
  /** Outcome of the rest of the path by the state from which it was gone. */
  readonly #paths = new Map<string, string | undefined>();
  readonly #problems: string[] = [];

  private constructor(verb: CrashVerb, lab: CrashLab, before: State) {
    this.#verb = verb;
    this.#lab = lab;
    this.#before = before;
  }

  /**
   * Before each operation and after the last: the disk as a kill would leave it, copied while the command goes
   * on. After an operation is before the next one.
   */
  static async byImages(verb: CrashVerb, cc: CrashingCc): Promise<Proof> {
    return CrashProof.#prove(verb, cc, async (proof) => {
      const lab = proof.#lab;
      await lab.reset();
      await lab.crash(verb.argv, 'images');
      const { length } = await lab.operations();
      const before = Array.from({ length }, (_, index) => `before ${index + 1}`);
      for (const at of [...before, `after ${length}`]) {
        await lab.restore(at);
        await proof.#examine(at);
      }
    });
  }

  /** A real SIGKILL in a real process, at the moments chosen from all of them. */
  static async byKills(
    verb: CrashVerb,
    cc: CrashingCc,
    choose: (all: readonly string[]) => readonly string[],
  ): Promise<Proof> {
    return CrashProof.#prove(verb, cc, async (proof, operations) => {
      for (const at of choose(moments(operations))) {
        await proof.#lab.reset();
        const { signal } = await proof.#lab.crash(verb.argv, at);
        if (signal !== 'SIGKILL') proof.#problems.push(`${at}: was not killed`);
        await proof.#examine(at);
      }
    });
  }

  static async #prove(
    verb: CrashVerb,
    cc: CrashingCc,
    work: (proof: CrashProof, operations: number) => Promise<void>,
  ): Promise<Proof> {
    await using project = await verb.prepare();
    const lab = await CrashLab.open(project, cc);
    const proof = new CrashProof(verb, lab, await lab.documents());
    const whole = await lab.crash(verb.argv, '');
    if (whole.exitCode !== (verb.exit ?? 0)) throw new Error(`${verb.title}: ${whole.stderr}`);
    proof.#after = await lab.documents();
    const operations = (await lab.operations()).length;
    await work(proof, operations);
    const counts = { operations, moments: proof.#seen.size, remedies: proof.#remedies };
    return { ...counts, problems: proof.#problems };
  }

  async #examine(at: string): Promise<void> {
    const lab = this.#lab;
    if (!(await this.#isNew(this.#seen))) return;
    const { project } = lab;
    const complain = (text: string) => this.#problems.push(`${this.#verb.title}, ${at}: ${text}`);

    // What is broken from the start waits for the command itself.
    const isForPerson = /^(?:repair|unlock)$/.test(this.#verb.argv[0] ?? '');
    const looked = await project.ccJson('status', '--session', ID);
    if (!isForPerson && looked.exitCode !== 0 && !isUnknown(looked.value)) {
      complain(`status says ${JSON.stringify(looked.value)}`);
    }
    // Any command that reads the session ends what was begun, whatever it says in the end.
    await project.cc('ralplan', '--diff', '--session', ID);
    const settled = await lab.documents();
    const problem = this.#verb.isSequence === true ? disagreement(settled) : this.#between(settled);
    if (problem !== undefined) complain(problem);

    // Drafts of a lock are in nobody's way, and go with their age.
    const remains = (await lab.leftovers()).filter(
      (path) => path.includes('/sessions/') && !/\/\.lock\..*tmp$/.test(path),
    );
    if (!isForPerson && remains.length > 0) complain(`remains: ${remains.join(', ')}`);

    // What comes next depends on nothing but this, so that it is tried once for each.
    if (!(await this.#isNew(this.#tried))) return;
    await lab.age();
    const again = await this.#again();
    const fine = [0, this.#verb.exit ?? 0, ...(this.#verb.again ?? [])];
    if (!fine.includes(again.exitCode)) complain(`again: ${again.exitCode} ${again.stderr}`);
    const wasBefore = isSame(settled, this.#before) && this.#verb.isSequence !== true;
    const now = await lab.documents();
    if (wasBefore && !isSame(now, this.#after)) complain(`again: ${difference(now, this.#after)}`);
    // Writes the one file that belongs to no session, and so clears what was left of it.
    await project.cc('session', 'use', ID);
    const left = await lab.leftovers();
    if (left.length > 0) complain(`left over: ${left.join(', ')}`);

    const key = digest(await lab.state());
    if (!this.#paths.has(key)) this.#paths.set(key, await this.#toTheEnd(at));
    const end = this.#paths.get(key);
    if (end !== undefined) complain(end);
  }

  /** What a moment leaves has two parts that are cleared by different code, so one news is enough. */
  async #isNew(seen: Set<string>): Promise<boolean> {
    const keys = [digest(await this.#lab.state()), digest(await this.#lab.stores())];
    const isNew = keys.some((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  }

  #between(settled: State): string | undefined {
    if (isSame(settled, this.#before) || isSame(settled, this.#after)) return undefined;
    return `between: ${difference(settled, this.#before)}; ${difference(settled, this.#after)}`;
  }

  /** The same command; an interrupted script says which one it wants instead. */
  async #again(): Promise<CcResult> {
    const { project } = this.#lab;
    const again = await project.cc(...this.#verb.argv);
    const [, task] = /`?cc ralph --task ([\w-]+)/.exec(again.stdout) ?? [];
    if (again.exitCode !== 8 || task === undefined) return again;
    this.#remedies++;
    return project.cc('ralph', '--task', task, '--session', ID);
  }

  async #toTheEnd(at: string): Promise<string | undefined> {
    const { project } = this.#lab;
    const typed: string[] = [];
    let next: string | undefined;
    for (let count = 0; count < MAX_COMMANDS; count++) {
      const status = await project.ccJson('status', '--session', ID);
      if (status.value['stage'] === 'complete') return undefined;
      const proposed = status.value['due'];
      const due = next ?? (typeof proposed === 'string' ? proposed : 'cc deep-interview');
      if (/repair|unlock/.test(due)) return `the path needs ${due}`;
      const argv = isUnknown(status.value)
        ? ['deep-interview', 'answer.txt says 42', '--yes']
        : due
            .replace(/ --session \S+/, '')
            .split(' ')
            .slice(1);
      const { exitCode, value } = await project.ccJson(...argv, '--session', ID);
      typed.push(`${argv.join(' ')} → ${exitCode}`);
      next = undefined;
      if (exitCode === 0) continue;
      await (this.#verb.finish?.(project) ?? fixByHand(project));
      if (exitCode === 8 && typeof value['next'] === 'string') next = value['next'];
      // The person did their part before the step was shown.
      const said = JSON.stringify(value['stop'] ?? '');
      if (next === 'cc ralph' && said.includes('Nothing changed')) next = 'cc ralph --done';
    }
    return `the path does not end: ${typed.join('; ')} (${at})`;
  }
}

function moments(operations: number): readonly string[] {
  const numbers = Array.from({ length: operations }, (_, index) => index + 1);
  return numbers.flatMap((number) => [`before ${number}`, `after ${number}`]);
}

function fixByHand(project: TempProject): Promise<void> {
  return project.write('answer.txt', '42\n');
}

function isUnknown(value: Record<string, unknown>): boolean {
  return JSON.stringify(value).includes('SESSION_NOT_FOUND') || value['sessions'] === 0;
}

/** Whether tasks.json and progress.log tell the same story. */
function disagreement(documents: State): string | undefined {
  const [, tasksText] =
    Object.entries(documents).find(([path]) => path.endsWith('/tasks.json')) ?? [];
  const [, log = ''] =
    Object.entries(documents).find(([path]) => path.endsWith('/progress.log')) ?? [];
  const { tasks } = JSON.parse(tasksText ?? '{"tasks":[]}') as {
    tasks: readonly { readonly id: string; readonly status: string }[];
  };
  const odd = tasks.find(({ id, status }) => {
    const lines = log.split('\n').filter((line) => line.includes(`[ralph] ${id} ok`));
    return lines.length !== (status === 'completed' ? 1 : 0);
  });
  return odd && `${odd.id} is ${odd.status}, and progress.log says ${log}`;
}

function isSame(a: State, b: State): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Names and the first line that differs: enough to know where to look. */
function difference(a: State, b: State): string {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const odd = names.filter((name) => a[name] !== b[name]);
  return odd.map((name) => `${name}: ${firstOther(a[name], b[name])}`).join('; ');
}

function firstOther(a = '(missing)', b = '(missing)'): string {
  const others = b.split('\n');
  const at = a.split('\n').findIndex((line, index) => line !== others[index]);
  return `"${a.split('\n')[at] ?? ''}" instead of "${others[at] ?? ''}"`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
