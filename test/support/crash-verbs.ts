/** Every command that changes something, and a session in the state in which it does. */
import { join } from 'node:path';
import { FOLDER, ID, PLAN, PROJECT, sessionAt } from './sessions.ts';
import { TempProject } from './temp-project.ts';

export interface CrashVerb {
  readonly title: string;
  readonly argv: readonly string[];
  prepare(): Promise<TempProject>;
  /** Several transitions in a row: a kill may fall between two of them. */
  readonly isSequence?: boolean;
  /** Exit status of the uninterrupted command; 0 unless given. */
  readonly exit?: number;
  /** What the same command may answer when it had already done its work; 0 unless given. */
  readonly again?: readonly number[];
  /** What a person does to a session that is ready for them, so that the path can be ended. */
  finish?(project: TempProject): Promise<void>;
}

/** A file, a patch and a script in two steps, each with a check. */
export const LITERAL_PLAN = [
  '# Plan: Say 42',
  '',
  '## Steps',
  '',
  '1. Write the answer',
  '   - id: write',
  '   - scope: `answer.txt`, `notes.txt`',
  '   - criteria: AC1',
  '',
  '   ```text file=answer.txt',
  '   41',
  '   ```',
  '',
  '   ```diff apply',
  '   --- a/answer.txt',
  '   +++ b/answer.txt',
  '   @@ -1 +1 @@',
  '   -41',
  '   +42',
  '   ```',
  '',
  '2. Note it',
  '   - id: note',
  '   - scope: `notes.txt`',
  '   - verify: `test -s notes.txt`',
  '',
  '   ```sh run',
  '   echo done > notes.txt',
  '   ```',
  '',
  '## Verification',
  '',
  '- `sh check.sh`',
  '',
].join('\n');

const named = (...words: string[]) => [...words, '--session', ID];
const answer = (project: TempProject) => project.write('answer.txt', '42\n');

async function broken(file: string, text: string): Promise<TempProject> {
  const project = await sessionAt('executed');
  await project.write(join(FOLDER, file), text);
  return project;
}

export const VERBS: readonly CrashVerb[] = [
  {
    title: 'init',
    argv: ['init'],
    prepare: () => TempProject.createRepository(PROJECT),
  },
  {
    title: 'init --private',
    argv: ['init', '--private'],
    prepare: () => TempProject.createRepository(PROJECT),
  },
  {
    title: 'deep-interview, new',
    argv: named('deep-interview', 'answer.txt says 42', '--yes'),
    prepare: () => TempProject.createRepository(PROJECT),
    again: [0, 6],
    finish: answer,
  },
  {
    title: 'deep-interview, continued',
    argv: named('deep-interview', '--non-goal', 'no network'),
    exit: 8,
    again: [0, 8],
    prepare: () => sessionAt('intent'),
    finish: answer,
  },
  {
    title: 'ralplan, draft',
    argv: named('ralplan'),
    prepare: () => sessionAt('intent'),
    finish: answer,
  },
  { title: 'ralplan, compile', argv: named('ralplan'), prepare: () => sessionAt('plan') },
  {
    title: 'ralplan --step',
    argv: named('ralplan', '--step', 'Tell Ben'),
    prepare: () => sessionAt('approved'),
    again: [0],
  },
  {
    title: 'ralplan --revise',
    argv: named('ralplan', '--revise'),
    prepare: () => sessionAt('approved'),
    finish: answer,
  },
  {
    title: 'ralplan --approve',
    argv: named('ralplan', '--approve'),
    prepare: () => sessionAt('plan'),
  },
  {
    title: 'ralplan --approve, amending',
    argv: named('ralplan', '--approve'),
    async prepare() {
      const project = await sessionAt('executed');
      await project.write(
        `${FOLDER}/plan.md`,
        `${(await project.read(`${FOLDER}/plan.md`)).trimEnd()}\n- \`test -s answer.txt\`\n`,
      );
      return project;
    },
  },
  {
    title: 'ralplan --reject',
    argv: named('ralplan', '--reject', '--reason', 'not now'),
    prepare: () => sessionAt('approved'),
  },
  {
    title: 'ralph, literal actions',
    argv: named('ralph'),
    isSequence: true,
    prepare: () => sessionAt('approved', { plan: LITERAL_PLAN }),
  },
  {
    title: 'verify, passing',
    argv: named('verify'),
    prepare: () => sessionAt('executed'),
  },
  {
    title: 'verify, failing',
    argv: named('verify'),
    exit: 1,
    again: [1],
    async prepare() {
      const project = await sessionAt('executed');
      await project.write('answer.txt', '43\n');
      return project;
    },
    finish: answer,
  },
  {
    title: 'ralph, fixing checks',
    argv: named('ralph'),
    isSequence: true,
    async prepare() {
      const project = await sessionAt('executed');
      await project.write('answer.txt', '43\n');
      await project.cc(...named('verify'));
      await project.write('answer.txt', '42\n');
      return project;
    },
  },
  {
    title: 'complete',
    argv: named('complete'),
    again: [0, 7],
    prepare: () => sessionAt('verified'),
  },
  {
    title: 'complete --commit',
    argv: named('complete', '--commit'),
    again: [0, 1],
    prepare: () => sessionAt('verified'),
  },
  {
    title: 'reset --to plan',
    argv: named('reset', '--to', 'plan'),
    prepare: () => sessionAt('executed'),
  },
  { title: 'reopen', argv: named('reopen'), again: [0, 7], prepare: () => sessionAt('complete') },
  {
    title: 'session use',
    argv: ['session', 'use', ID],
    prepare: () => sessionAt('intent', { files: {} }),
    finish: answer,
  },
  {
    title: 'config set',
    argv: ['config', 'set', 'retries.max', '5'],
    prepare: () => sessionAt('executed'),
  },
  {
    title: 'config set --project',
    argv: ['config', 'set', 'retries.max', '5', '--project'],
    prepare: () => sessionAt('executed'),
  },
  {
    title: 'repair of mode.json',
    argv: named('repair'),
    prepare: () => broken('mode.json', '{"stage":'),
  },
  {
    title: 'repair of tasks.json and verify.json',
    argv: named('repair'),
    async prepare() {
      const project = await broken('tasks.json', '');
      await project.write(`${FOLDER}/verify.json`, '\0\0\0');
      return project;
    },
  },
  {
    title: 'repair of the plan',
    argv: named('repair'),
    prepare: () =>
      broken('plan.md', `---\napproved: true\n\n${PLAN.slice(PLAN.indexOf('# Plan'))}`),
  },
  {
    title: 'repair of the journal',
    argv: named('repair'),
    prepare: () => broken('.transition.json', '{"renames":[{"from":"../x"'),
  },
  {
    title: 'unlock',
    argv: named('unlock'),
    prepare: () => broken('.lock', '{'),
  },
];
