import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { CcError, ERROR_CODES } from '../../src/kernel/base/errors.ts';
import { nodeFiles } from '../../src/kernel/base/node-files.ts';
import { FOLDER, ID, INTENT, literalFile, PLAN, planOf, sessionAt } from '../support/sessions.ts';
import { answering, TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const PLAN_FILE = `${FOLDER}/plan.md`;

/** What a refusal is about, and what the command that it names does about it. */
interface Row {
  readonly title: string;
  readonly setup: () => Promise<TempProject>;
  readonly argv: readonly string[];
  readonly code: string;
  readonly exit: number;
  /** The command behind `Next:`. */
  readonly remedy: string;
  /** What a person does at the terminal while the remedy runs. */
  readonly answers?: readonly (boolean | string)[];
  /** What they write in their editor, for remedies that open it. */
  readonly edit?: (project: TempProject) => Promise<void>;
  /** What they put right before they type the remedy, where only they can. */
  readonly before?: (project: TempProject) => Promise<unknown>;
}

const produced = new Set<string>();

const withMode = async (project: TempProject, change: object) => {
  const path = `${FOLDER}/mode.json`;
  await project.write(path, JSON.stringify({ ...(await project.json(path)), ...change }));
  return project;
};
const withFile = async (made: Promise<TempProject>, path: string, text: string) => {
  const project = await made;
  await project.write(path, text);
  return project;
};
const inRun = async (made: Promise<TempProject>) => {
  const project = await made;
  project.env = { CC_RUN: '1' };
  return project;
};
const outOfRun = async (project: TempProject) => {
  project.env = {};
};
const withIo = async (made: Promise<TempProject>, io: Partial<Io>) => {
  const project = await made;
  project.io = io;
  return project;
};
const rewrite = (path: string, from: string, to: string) => async (project: TempProject) => {
  const text = await project.read(path);
  if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
  await project.write(
    path,
    text.replace(from, () => to),
  );
};
const rewritten = async (made: Promise<TempProject>, path: string, from: string, to: string) => {
  const project = await made;
  await rewrite(path, from, to)(project);
  return project;
};
const HOOK = '.chainlesschain/hooks/pre-plan.js';
const withHook = (made: Promise<TempProject>) =>
  withFile(made, HOOK, 'module.exports = () => {};\n');
const tasksOf = (...rows: readonly (readonly [string, readonly string[]])[]) =>
  JSON.stringify({ tasks: rows.map(([id, dependsOn]) => ({ id, title: id, dependsOn })) });
const LOOP = planOf([
  { title: 'One', lines: ['- id: one', '- after: two'] },
  { title: 'Two', lines: ['- id: two', '- after: one'] },
]);
const REVIEWED = PLAN.replace('- `sh check.sh`', '- `sh check.sh`\n- AC1: review');
const UNPROVEN = PLAN.replace('- `sh check.sh`', '- AC1: waived: no time');

/** Verified, but not passed: the plan leaves something to the person. */
const partial = async (plan: string) => {
  const project = await sessionAt('executed', { plan });
  await project.cc('verify', ...NAMED);
  return project;
};

const GATES: readonly Row[] = [
  {
    title: 'a plan without a goal',
    setup: () => sessionAt('intent', { intent: '# Intent\n' }),
    argv: ['ralplan', ...NAMED],
    code: 'INTENT_REQUIRED',
    exit: 7,
    remedy: 'cc deep-interview --session s1',
    answers: ['say 42', '.', 'answer.txt says 42'],
  },
  {
    title: 'an approval of a plan whose intent is gone',
    setup: async () => {
      const project = await sessionAt('plan');
      await rm(join(project.root, FOLDER, 'intent.md'));
      return project;
    },
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'INTENT_REQUIRED',
    exit: 7,
    remedy: 'cc reset --to intent --session s1',
    answers: [true],
    before: (project) => project.write(`${FOLDER}/intent.md`, INTENT),
  },
  {
    title: 'a run without a plan',
    setup: () => sessionAt('intent'),
    argv: ['ralph', ...NAMED],
    code: 'PLAN_REQUIRED',
    exit: 7,
    remedy: 'cc ralplan --session s1',
  },
  {
    title: 'an approval without a plan',
    setup: () => sessionAt('intent'),
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'PLAN_REQUIRED',
    exit: 7,
    remedy: 'cc ralplan --session s1',
  },
  {
    title: 'CI without a plan',
    setup: () => sessionAt('intent'),
    argv: ['verify', '--ci', ...NAMED],
    code: 'PLAN_REQUIRED',
    exit: 7,
    remedy: 'cc ralplan --session s1',
  },
  {
    title: 'an approval of a plan whose steps wait for each other',
    setup: () => sessionAt('plan', { plan: LOOP }),
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'PLAN_INVALID',
    exit: 7,
    remedy: 'cc ralplan --edit --session s1',
    edit: rewrite(PLAN_FILE, '- after: two', '- after: none'),
  },
  {
    title: 'an approval of a plan without steps',
    setup: () => sessionAt('plan', { plan: '# Plan\n' }),
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'PLAN_INVALID',
    exit: 7,
    remedy: 'cc ralplan --edit --session s1',
    edit: (project) => project.write(PLAN_FILE, '# Plan\n\n1. do it\n'),
  },
  {
    title: 'a run of a draft',
    setup: () => sessionAt('plan'),
    argv: ['ralph', ...NAMED],
    code: 'PLAN_APPROVAL_REQUIRED',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'a run of a plan that was approved by hand',
    setup: () => sessionAt('plan', { plan: PLAN.replace('approved: false', 'approved: true') }),
    argv: ['ralph', ...NAMED],
    code: 'PLAN_APPROVAL_REQUIRED',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'a run of a changed plan',
    setup: () => rewritten(sessionAt('approved'), PLAN_FILE, 'Write the answer', 'Write it'),
    argv: ['ralph', ...NAMED],
    code: 'PLAN_CHANGED_SINCE_APPROVAL',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'checks of a changed plan',
    setup: () => rewritten(sessionAt('executed'), PLAN_FILE, 'Write the answer', 'Write it'),
    argv: ['verify', ...NAMED],
    code: 'PLAN_CHANGED_SINCE_APPROVAL',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'a run of a plan changed after the last retry',
    setup: async () =>
      withMode(await rewritten(sessionAt('executed'), PLAN_FILE, 'Write the answer', 'Write it'), {
        stage: 'failed',
        retries: 4,
      }),
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc reopen --session s1',
    answers: [true],
  },
  {
    title: 'a pinned approval of another plan',
    setup: () => sessionAt('plan'),
    argv: ['ralplan', '--approve', '--hash', 'p1:0', ...NAMED],
    code: 'PLAN_CHANGED_SINCE_APPROVAL',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'a no to a plan',
    setup: () => withIo(sessionAt('plan'), { prompter: answering(false) }),
    argv: ['ralplan', '--approve'],
    code: 'PLAN_REJECTED',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'a run of what somebody else approved',
    setup: async () => {
      const project = await sessionAt('approved');
      project.env = { CC_SEAL_KEY: 'the key of Ben' };
      return project;
    },
    argv: ['ralph', ...NAMED],
    code: 'APPROVAL_NOT_YOURS',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'a completion without evidence',
    setup: () => sessionAt('executed'),
    argv: ['complete', ...NAMED],
    code: 'VERIFICATION_REQUIRED',
    exit: 7,
    remedy: 'cc verify --session s1',
  },
  {
    title: 'a completion with open steps',
    setup: () => sessionAt('approved'),
    argv: ['complete', ...NAMED],
    code: 'VERIFICATION_REQUIRED',
    exit: 7,
    remedy: 'cc ralph --session s1',
  },
  {
    title: 'a completion on forged evidence',
    setup: () =>
      rewritten(
        sessionAt('verified'),
        `${FOLDER}/verify.json`,
        '"status": "passed"',
        '"status": "partial"',
      ),
    argv: ['complete', ...NAMED],
    code: 'VERIFICATION_REQUIRED',
    exit: 7,
    remedy: 'cc verify --session s1',
  },
  {
    title: 'a completion without the word of a person',
    setup: () => partial(REVIEWED),
    argv: ['complete', ...NAMED],
    code: 'VERIFICATION_REQUIRED',
    exit: 7,
    remedy: 'cc verify --accept AC1 --reason "…" --session s1',
    answers: [true],
  },
  {
    title: 'a completion where nothing was proven',
    setup: () => partial(UNPROVEN),
    argv: ['complete', ...NAMED],
    code: 'VERIFICATION_REQUIRED',
    exit: 7,
    remedy: 'cc ralplan --edit --session s1',
    edit: rewrite(PLAN_FILE, '- AC1: waived: no time', '- `sh check.sh`'),
  },
  {
    title: 'a completion of a tree that changed',
    setup: () => withFile(sessionAt('verified'), 'later.txt', 'x\n'),
    argv: ['complete', ...NAMED],
    code: 'VERIFICATION_STALE',
    exit: 7,
    remedy: 'cc verify --session s1',
  },
  {
    title: 'a run after the last retry',
    setup: async () => withMode(await sessionAt('executed'), { stage: 'failed', retries: 4 }),
    argv: ['ralph', ...NAMED],
    code: 'RETRIES_EXHAUSTED',
    exit: 7,
    remedy: 'cc verify --session s1',
  },
];

const STAGES: readonly Row[] = [
  {
    title: 'words for a new draft where a plan is',
    setup: () => sessionAt('approved'),
    argv: ['ralplan', 'with', 'sed', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: "cc ralplan --revise 'with sed' --session s1",
  },
  {
    title: 'checks before the first run',
    setup: () => sessionAt('approved'),
    argv: ['verify', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc ralph --session s1',
  },
  {
    title: 'a run after the checks',
    setup: () => sessionAt('verified'),
    argv: ['ralph', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc reset --to execute --session s1',
    answers: [true],
  },
  {
    title: 'a question after the plan',
    setup: () => sessionAt('approved'),
    argv: ['deep-interview', '--criterion', 'it is fast', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc reset --to intent --session s1',
    answers: [true],
  },
  ...(['ralph', 'verify', 'ralplan'] as const).map(
    (verb): Row => ({
      title: `${verb} after the end`,
      setup: () => sessionAt('complete'),
      argv: [verb, ...NAMED],
      code: 'STAGE_MISMATCH',
      exit: 7,
      remedy: 'cc reopen --session s1',
      answers: [true],
    }),
  ),
  {
    title: 'checks of a plan that was approved elsewhere, before the first run',
    setup: async () => {
      const project = await sessionAt('approved');
      project.env = { CC_SEAL_KEY: 'the key of Ben' };
      return project;
    },
    argv: ['verify', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc ralplan --approve --session s1',
    answers: [true],
  },
  {
    title: 'an answer after the end',
    setup: () => sessionAt('complete'),
    argv: ['deep-interview', '--criterion', 'it is fast', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc deep-interview "<what you want>"',
  },
  {
    title: 'a reopening of what is open, and where nothing is proven',
    setup: () => partial(UNPROVEN),
    argv: ['reopen', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc ralplan --edit --session s1',
    edit: rewrite(PLAN_FILE, '- AC1: waived: no time', '- `sh check.sh`'),
  },
  {
    title: 'a reopening of what is open and waits for a word',
    setup: () => partial(REVIEWED),
    argv: ['reopen', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc verify --accept AC1 --reason "…" --session s1',
  },
  {
    title: 'a commit before the first one',
    setup: async () => {
      const project = await sessionAt('complete');
      await project.git('update-ref', '-d', 'HEAD');
      return project;
    },
    argv: ['complete', '--commit', ...NAMED],
    code: 'REQUEST_INVALID',
    exit: 6,
    remedy: 'git commit --allow-empty --message begin',
  },
  {
    title: 'a completion that was reset',
    setup: async () => {
      const project = await sessionAt('verified');
      await project.cc('reset', '--to', 'execute', ...NAMED);
      return project;
    },
    argv: ['complete', ...NAMED],
    code: 'STAGE_MISMATCH',
    exit: 7,
    remedy: 'cc verify --session s1',
  },
];

const PERSONS: readonly Row[] = [
  ...(
    [
      ['an approval', 'plan', ['ralplan', '--approve'], 'cc ralplan --approve'],
      ['a reset', 'executed', ['reset', '--to', 'plan'], 'cc reset --to plan'],
      ['a reopening', 'complete', ['reopen'], 'cc reopen'],
      [
        'an acceptance',
        'executed',
        ['verify', '--accept', 'AC1', '--reason', 'read it'],
        'cc verify --accept AC1 --reason "read it"',
      ],
    ] as const
  ).flatMap(([what, stage, argv, command]): readonly Row[] => [
    {
      title: `${what} inside of a run`,
      setup: () => inRun(sessionAt(stage)),
      argv: [...argv, ...NAMED],
      code: 'PERSON_REQUIRED',
      exit: 7,
      remedy: `${command} --session s1`,
      before: outOfRun,
      answers: [true],
    },
    {
      title: `${what} that nobody can be asked about`,
      // Of a closed session only one that was chosen is meant without its name.
      setup: () => withFile(sessionAt(stage), '.chainlesschain/current', `${ID}\n`),
      argv,
      code: 'INPUT_REQUIRED',
      exit: 8,
      remedy: `${command} --session s1${what === 'an approval' ? ' --hash p1:*' : ''}`,
    },
  ]),
  {
    title: 'a no to a reset',
    setup: () => withIo(sessionAt('executed'), { prompter: answering(false) }),
    argv: ['reset', '--to', 'plan'],
    code: 'PERSON_REQUIRED',
    exit: 7,
    remedy: 'cc reset --to plan --session s1',
    answers: [true],
  },
  {
    title: 'an editor that is not there',
    setup: () => sessionAt('plan'),
    argv: ['ralplan', '--edit', ...NAMED],
    code: 'INPUT_REQUIRED',
    exit: 8,
    remedy: 'cc ralplan --session s1',
  },
];

const damaged = (file: string, text: string) =>
  withFile(sessionAt('approved'), `${FOLDER}/${file}`, text);

const FILES: readonly Row[] = [
  ...(
    [
      ['mode.json is cut', 'mode.json', '{"stage":'],
      ['mode.json is empty', 'mode.json', ''],
      ['mode.json knows no such stage', 'mode.json', '{"stage":"finished"}'],
      ['tasks.json is cut', 'tasks.json', '{"tasks":[{'],
      [
        'tasks.json knows no such status',
        'tasks.json',
        '{"tasks":[{"id":"a","title":"a","status":"done"}]}',
      ],
      ['verify.json is cut', 'verify.json', '{'],
      ['a key of plan.md stands twice', 'plan.md', '---\na: 1\na: 2\n---\n\n1. x\n'],
      ['the block of plan.md is not closed', 'plan.md', '---\napproved: true\n\n1. x\n'],
    ] as const
  ).map(
    ([title, file, text]): Row => ({
      title: `a run while ${title}`,
      setup: () => damaged(file, text),
      argv: ['ralph', ...NAMED],
      code: 'SESSION_DAMAGED',
      exit: 7,
      remedy: 'cc repair*',
      answers: [true],
    }),
  ),
  ...(['ralplan', 'ralph', 'verify', 'complete'] as const).map(
    (verb): Row => ({
      title: `${verb} in a project with hooks`,
      setup: () =>
        withHook(
          sessionAt(
            (
              {
                ralplan: 'plan',
                ralph: 'approved',
                verify: 'executed',
                complete: 'verified',
              } as const
            )[verb],
          ),
        ),
      argv: [verb, ...NAMED],
      code: 'HOOKS_UNTRUSTED',
      exit: 7,
      remedy: `cc ${verb} --session s1*--no-hooks`,
    }),
  ),
  ...(
    [
      ['wait for each other', tasksOf(['A', ['B']], ['B', ['A']]), 'INVALID_DEPENDENCY'],
      ['wait for themselves', tasksOf(['A', ['A']]), 'INVALID_DEPENDENCY'],
      ['wait for nobody we know', tasksOf(['A', ['zzz']]), 'INVALID_DEPENDENCY'],
      ['share an id', tasksOf(['A', []], ['A', []]), 'DUPLICATE_NODE'],
    ] as const
  ).map(
    ([what, tasks, code]): Row => ({
      title: `a run of tasks that ${what}`,
      setup: () => withFile(sessionAt('approved'), `${FOLDER}/tasks.json`, tasks),
      argv: ['ralph', ...NAMED],
      code,
      exit: 6,
      remedy: 'cc ralplan*',
    }),
  ),
  {
    title: 'a key that others can read',
    setup: async () => {
      const project = await sessionAt('plan');
      await project.cc('ralplan', ...NAMED);
      await nodeFiles.setMode(join(project.home, '.chainlesschain/seal.key'), 0o644);
      return project;
    },
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'CONFIG_INVALID',
    exit: 6,
    remedy: 'chmod 600 */.chainlesschain/seal.key',
  },
  {
    title: 'a session folder that cannot hold copies',
    setup: () => withFile(sessionAt('plan'), `${FOLDER}/artifacts`, 'mine\n'),
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'SESSION_PERSISTENCE_FAILED',
    exit: 1,
    remedy: 'cc doctor',
    before: (project) => rm(join(project.root, FOLDER, 'artifacts')),
  },
  {
    title: 'a defect of ours',
    setup: () =>
      withIo(sessionAt('plan'), {
        files: {
          ...nodeFiles,
          writeNew: async () => {
            throw new TypeError('x is not a function');
          },
        },
      }),
    argv: ['ralplan', '--approve', ...NAMED],
    code: 'RUNTIME_INTERNAL_ERROR',
    exit: 1,
    remedy: 'cc doctor',
  },
];

const bad = (title: string, argv: readonly string[], remedy: string): Row => ({
  title,
  setup: () => sessionAt('executed'),
  argv,
  code: 'REQUEST_INVALID',
  exit: 6,
  remedy,
  answers: [true, 'answer.txt', 'it says 42'],
});

const HELP = 'cc deep-interview --help*';
const REASON = 'cc ralplan --reject --reason no*';
const USAGE: readonly Row[] = [
  bad('an option nobody knows', ['ralph', '--fast', ...NAMED], 'cc ralph --help*'),
  bad('a value that is missing', ['verify', '--check'], 'cc verify --help*'),
  bad('a word too many', ['reopen', 'now'], 'cc reopen --help*'),
  bad('a command with a slip', ['ralpn'], 'cc ralph*'),
  {
    ...bad('a verb that the shell ate', ['make it fast'], "cc deep-interview 'make it fast'"),
    answers: ['answer.txt', 'it says 42', 'x', 'x'],
  },
  bad('an unknown option in front', ['--fast'], 'cc --help'),
  bad('a reset to nowhere', ['reset', ...NAMED], 'cc reset --to plan*'),
  bad('a scope outside of the project', ['deep-interview', 'a b c', '--scope', '/x'], HELP),
  bad('a placeholder', ['deep-interview', 'a b c', '--answer', 'criterion=…'], HELP),
  bad('an option without its dashes', ['ralplan', 'diff', ...NAMED], 'cc ralplan --diff*'),
  bad('a reason without its option', ['ralplan', '--reject', 'no', ...NAMED], REASON),
  bad('two modes at once', ['ralplan', '--approve', '--reject', ...NAMED], 'cc ralplan --help*'),
  bad('a report without --ci', ['verify', '--format', 'json', ...NAMED], 'cc verify --ci*'),
  bad(
    'an acceptance without a reason',
    ['verify', '--accept', 'AC1', ...NAMED],
    'cc verify --accept AC1 --reason "…"*',
  ),
  bad(
    'an acceptance of what nobody asked for',
    ['verify', '--accept', 'AC9', '--reason', 'x', ...NAMED],
    'cc session show*',
  ),
  bad('a step that is not there', ['ralph', '--task', 'nope', ...NAMED], 'cc session show*'),
  {
    title: 'a step before the one that it waits for',
    setup: () =>
      sessionAt('approved', {
        plan: planOf(
          [
            { title: 'One', lines: literalFile('one', '1') },
            { title: 'Two', lines: literalFile('two', '2') },
          ],
          [],
        ),
      }),
    argv: ['ralph', '--task', 'two', ...NAMED],
    code: 'REQUEST_INVALID',
    exit: 6,
    remedy: 'cc ralph*',
  },
  {
    title: 'a session that is not there',
    setup: () => sessionAt('plan'),
    argv: ['ralph', '--session', 'nope'],
    code: 'SESSION_NOT_FOUND',
    exit: 6,
    remedy: 'cc session list',
  },
  {
    title: 'no session at all',
    setup: () => TempProject.createRepository(),
    argv: ['ralph'],
    code: 'SESSION_NOT_FOUND',
    exit: 6,
    remedy: 'cc deep-interview "<what you want>"',
  },
  {
    title: 'several sessions',
    setup: () => withFile(sessionAt('plan'), '.chainlesschain/sessions/s2/intent.md', INTENT),
    argv: ['ralph'],
    code: 'SESSION_NOT_FOUND',
    exit: 6,
    remedy: 'cc session use s1',
  },
];

/** Remedies that only show what there is: whoever typed something wrong types it right themselves. */
const SHOWS = /--help\b|^cc (?:session list|session show|doctor)\b/;
/** What was typed stays wrong; the remedy is what was meant. */
const OTHER_WAY = new Set([
  'a pinned approval of another plan',
  'an editor that is not there',
  'a command with a slip',
  'a verb that the shell ate',
  'two modes at once',
  'words for a new draft where a plan is',
  'an option without its dashes',
  'a reason without its option',
  'a report without --ci',
  'a reset to nowhere',
  'an acceptance without a reason',
  'a reopening of what is open, and where nothing is proven',
  'a reopening of what is open and waits for a word',
  'checks of a plan that was approved elsewhere, before the first run',
]);

test.each([...GATES, ...STAGES, ...PERSONS, ...FILES, ...USAGE])(
  '$title: $code',
  async ({ setup, argv, code, exit, remedy, answers, edit, before: putRight, title }) => {
    await using project = await setup();
    const before = await project.snapshot();
    const refused = await project.ccJson(...argv);
    const error = errorOf(refused.value);
    expect({ exit: refused.exitCode, code: error?.code }).toEqual({ exit, code });
    expect(await project.snapshot()).toEqual(before);
    produced.add(code);
    const hint = error?.hint ?? '';
    expect(matches(hint, remedy), `${hint} is not ${remedy}`).toBe(true);
    // A template is filled in by a person, and a defect has no command.
    if (hint === '' || hint.includes('<')) return;

    await putRight?.(project);
    project.io = {
      ...(answers === undefined ? {} : { prompter: answering(...answers) }),
      ...(edit === undefined
        ? {}
        : {
            handOver: async () => {
              await edit(project);
              return 0;
            },
          }),
    };
    if (edit !== undefined) project.env = { ...project.env, EDITOR: 'my-editor' };
    // What is left open is for the person's own words.
    const remedied = await run(project, hint.replaceAll('…', 'as agreed'));
    expect(obstacleOf(remedied.value)).not.toBe(obstacleOf(refused.value));
    if (SHOWS.test(hint) || OTHER_WAY.has(title) || hint.endsWith('--no-hooks')) {
      expect(remedied.exitCode).toBe(0);
      return;
    }
    project.io = { prompter: answering(true) };
    const again = await project.ccJson(...argv);
    expect(obstacleOf(again.value)).not.toBe(obstacleOf(refused.value));
  },
);

interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

function errorOf(value: Record<string, unknown>): Told | undefined {
  // What `--json` prints for every error.
  return value['error'] as Told | undefined;
}

/** The same code may stand for the next obstacle behind the one that is gone. */
function obstacleOf(value: Record<string, unknown>): string | undefined {
  const error = errorOf(value);
  return error && `${error.code} ${error.message}`;
}

function matches(hint: string, remedy: string): boolean {
  const parts = remedy.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(hint);
}

/** Words of a printed command, as a shell would pass them on. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

async function run(project: TempProject, line: string) {
  const [program = '', ...words] = wordsOf(line);
  if (program === 'cc') {
    const isHelp = words.includes('--help');
    if (!isHelp) return project.ccJson(...words);
    return { exitCode: (await project.cc(...words)).exitCode, value: {} };
  }
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  await promisify(execFile)(program, words, { cwd: project.root });
  return { exitCode: 0, value: {} };
}

test('the same refusal in words: code, sentence, and what to type next', async () => {
  await using project = await sessionAt('plan');
  expect(await project.cc('ralph', ...NAMED)).toEqual({
    exitCode: 7,
    stdout: '',
    stderr:
      'PLAN_APPROVAL_REQUIRED: The plan is not approved\n' +
      'Next: cc ralplan --approve --session s1\n',
  });
});

test.each([
  ['..'],
  ['.'],
  ['...'],
  ['-rf'],
  ['CON'],
  ['con.txt'],
  ['a.'],
  ['a..b'],
  ['x/../y'],
  ['x\\y'],
  ['a b'],
  ['名'],
  ['x'.repeat(300)],
])('%j is no session id', async (id) => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  for (const argv of [
    ['ralph'],
    ['status'],
    ['deep-interview', 'say 42'],
    ['cancel'],
    ['reset', '--to', 'plan'],
  ]) {
    const { exitCode, value } = await project.ccJson(...argv, `--session=${id}`);
    expect({ argv, exitCode, code: errorOf(value)?.code }).toEqual({
      argv,
      exitCode: 6,
      code: 'SESSION_ID_INVALID',
    });
    expect(errorOf(value)?.hint).toBe('cc session list');
  }
  produced.add('SESSION_ID_INVALID');
  expect(await project.snapshot()).toEqual(before);
});

test('an id in other letters is the same session', async () => {
  await using project = await sessionAt('plan');
  expect(await project.ccJson('status', '--session', 'S1')).toMatchObject({
    value: { session: 's1' },
  });
});

test("the id of a team's member is not taken by hand", async () => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  const made = await project.ccJson('deep-interview', 'say 42', '--session', 's1.m0-executor');
  expect(made.exitCode).toBe(6);
  expect(await project.snapshot()).toEqual(before);
});

const LINKS: readonly (readonly [string, string])[] = [
  ['.chainlesschain', '.chainlesschain'],
  ['the folder of all sessions', '.chainlesschain/sessions'],
  ['the session', FOLDER],
  ...['mode.json', 'intent.md', 'plan.md', 'tasks.json'].map(
    (name) => [name, `${FOLDER}/${name}`] as const,
  ),
];

test.each(LINKS)('%s may be no link out of the project', async (_title, path) => {
  await using project = await sessionAt('approved');
  const outside = join(project.home, 'elsewhere');
  await rename(join(project.root, path), outside);
  await symlink(outside, join(project.root, path));
  const before = await project.snapshot();
  for (const argv of [['ralph'], ['ralplan', '--step', 'More'], ['verify', '--ci']]) {
    const { exitCode, value } = await project.ccJson(...argv, ...NAMED);
    expect({ argv, exitCode, code: errorOf(value)?.code }).toEqual({
      argv,
      exitCode: 7,
      code: 'PATH_OUTSIDE_WORKSPACE',
    });
    expect(errorOf(value)?.message).toContain(outside);
  }
  produced.add('PATH_OUTSIDE_WORKSPACE');
  expect(await project.snapshot()).toEqual(before);

  await rm(join(project.root, path));
  await rename(outside, join(project.root, path));
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
});

test('a file behind a dangling link is not made', async () => {
  await using project = await sessionAt('plan');
  const outside = join(project.home, 'not-yet');
  await symlink(outside, join(project.root, FOLDER, 'tasks.json'));
  const { value } = await project.ccJson('ralplan', ...NAMED);
  expect(errorOf(value)?.code).toBe('PATH_OUTSIDE_WORKSPACE');
  await expect(project.snapshot('../home')).resolves.not.toHaveProperty('not-yet');
});

test('a damaged settings file is named with its line', async () => {
  await using project = await withFile(
    sessionAt('plan'),
    '.chainlesschain/config.yaml',
    'retries.max: 5\nbase_url: http://evil.example\n',
  );
  const before = await project.snapshot();
  const { exitCode, value } = await project.ccJson('ralplan', '--edit', ...NAMED);
  expect(exitCode).toBe(6);
  expect(errorOf(value)).toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/config\.yaml:2: .*base_url/),
  });
  produced.add('CONFIG_INVALID');
  expect(await project.snapshot()).toEqual(before);
});

test.each([
  ['deep-interview', ['deep-interview', '--criterion', 'fast', ...NAMED], 'intent'],
  ['ralplan', ['ralplan', ...NAMED], 'plan'],
  ['approval', ['ralplan', '--approve', ...NAMED], 'plan'],
  ['ralph', ['ralph', ...NAMED], 'approved'],
  ['verify', ['verify', ...NAMED], 'executed'],
  ['complete', ['complete', ...NAMED], 'verified'],
] as const)(
  '%s with --no-hooks leaves a note of the hooks it skipped',
  async (_title, argv, stage) => {
    await using project = await withHook(sessionAt(stage));
    expect((await project.cc(...argv, '--no-hooks')).exitCode).toBeLessThan(9);
    const files = await project.snapshot(FOLDER);
    const names = ['progress.log', 'runs/notes.jsonl'].filter(
      (name) => `${FOLDER}/${name}` in files,
    );
    const texts = await Promise.all(names.map((name) => project.read(`${FOLDER}/${name}`)));
    expect(texts.join('')).toMatch(/\[hooks\] skipped before \w+ \(--no-hooks\): pre-plan\.js/);
  },
);

test('what stands behind a failed step ends blocked, and goes on when it is mended', async () => {
  const plan = planOf(
    [
      { title: 'One', lines: ['- id: one', '- verify: `sh check.sh`', ...literalFile('a', '1')] },
      { title: 'Two', lines: ['- id: two', '- verify: `test -f b`', ...literalFile('b', '2')] },
      { title: 'Three', lines: ['- id: three', '- verify: `test -f c`', ...literalFile('c', '3')] },
      { title: 'Apart', lines: ['- id: apart', '- after: none', '- verify: `test -f a`'] },
    ],
    ['- `test -f c`'],
  );
  await using project = await sessionAt('approved', { plan });
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(1);
  const statuses = async () => {
    const { tasks } = (await project.json(`${FOLDER}/tasks.json`)) as {
      tasks: { id: string; status: string }[];
    };
    return tasks.map(({ id, status }) => `${id} ${status}`);
  };
  expect(await statuses()).toEqual(['one failed', 'two blocked', 'three blocked', 'apart pending']);
  expect(await project.read(`${FOLDER}/progress.log`)).toContain('two blocked: by failed one');

  await project.write('answer.txt', '42\n');
  await project.cc('ralph', ...NAMED);
  expect((await statuses()).slice(0, 3)).toEqual([
    'one completed',
    'two completed',
    'three completed',
  ]);
});

test('a write outside of the scope is denied, and nothing is written', async () => {
  const plan = planOf([
    { title: 'One', lines: ['- scope: `src`', ...literalFile('out.txt', 'x')] },
  ]);
  await using project = await sessionAt('approved', { plan });
  const { exitCode, stdout } = await project.cc('ralph', ...NAMED);
  expect({ exitCode, denied: stdout.includes('TOOL_PERMISSION_DENIED') }).toEqual({
    exitCode: 1,
    denied: true,
  });
  produced.add('TOOL_PERMISSION_DENIED');
  expect(Object.keys(await project.snapshot())).not.toContain('out.txt');
});

test('a check that writes into a tracked file every time', async () => {
  const plan = PLAN.replace('- `sh check.sh`', '- `echo x >> check.sh`');
  await using project = await sessionAt('approved', {
    plan: plan.replace('   - criteria: AC1\n', '   - criteria: AC1\n   - verify: `sh check.sh`\n'),
  });
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
  const { exitCode, value } = await project.ccJson('verify', ...NAMED);
  expect(exitCode).toBe(1);
  expect(errorOf(value)).toMatchObject({
    code: 'CHECK_MUTATES_TREE',
    message: expect.stringContaining('check.sh'),
    hint: 'cc ralplan --edit --session s1',
  });
  produced.add('CHECK_MUTATES_TREE');
  expect((await project.ccJson('complete', ...NAMED)).exitCode).toBe(7);
});

test('a second writer is told who the first one is', async () => {
  const plan = PLAN.replace('`sh check.sh`', '`sleep 3 && sh check.sh`');
  await using project = await sessionAt('approved', {
    plan: plan.replace('   - criteria: AC1\n', '   - criteria: AC1\n   - verify: `sh check.sh`\n'),
  });
  await project.cc('ralph', ...NAMED);
  const running = project.cc('verify', ...NAMED);
  await expect
    .poll(async () => Object.keys(await project.snapshot(FOLDER)), { timeout: 10_000 })
    .toContain(`${FOLDER}/.lease.json`);
  for (const argv of [['ralplan', '--step', 'More'], ['verify'], ['reset', '--to', 'plan']]) {
    const { exitCode, value } = await project.ccJson(...argv, ...NAMED);
    expect({ argv, exitCode, ...errorOf(value) }).toMatchObject({
      argv,
      exitCode: 9,
      code: 'SESSION_BUSY',
      message: expect.stringContaining('cc verify'),
    });
  }
  produced.add('SESSION_BUSY');
  expect((await running).exitCode).toBe(0);
  expect((await project.cc('verify', ...NAMED)).exitCode).toBe(0);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s ends the checks, and the session is as before', async (signal, exitCode) => {
  await using project = await sessionAt('executed');
  const stop = new AbortController();
  const before = await project.read(`${FOLDER}/mode.json`);
  project.io = { signal: stop.signal };
  const running = project.cc('verify', '--check', 'sleep 30', ...NAMED);
  setTimeout(() => {
    stop.abort(new CcError('REQUEST_CANCELLED', `Cancelled by ${signal}`, { details: { signal } }));
  }, 1_000);
  expect(await running).toMatchObject({ exitCode, stderr: /REQUEST_CANCELLED/ });
  produced.add('REQUEST_CANCELLED');
  expect(await project.read(`${FOLDER}/mode.json`)).toBe(before);
  project.io = {};
  expect((await project.cc('verify', ...NAMED)).exitCode).toBe(0);
});

test('git cannot commit: its words, and the way on', async () => {
  await using project = await sessionAt('verified');
  await mkdir(join(project.root, '.git/hooks'), { recursive: true });
  const hook = join(project.root, '.git/hooks/pre-commit');
  await nodeFiles.writeNew(hook, '#!/bin/sh\necho "no commits on Fridays" >&2\nexit 1\n', 0o755);
  const { exitCode, value } = await project.ccJson('complete', '--commit', ...NAMED);
  expect(exitCode).toBe(1);
  expect(errorOf(value)).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    message: expect.stringContaining('no commits on Fridays'),
    hint: expect.stringMatching(/^cc complete --commit/),
  });
  produced.add('TOOL_EXECUTION_FAILED');
  await rm(hook);
  expect((await project.cc('complete', '--commit', ...NAMED)).exitCode).toBe(0);
});

afterAll(() => {
  const silent = Object.keys(ERROR_CODES).filter((code) => !produced.has(code));
  // Only the whole file says something about what it leaves out.
  if (produced.size < 20) return;
  expect(silent).toEqual([
    // The executor of this version knows the tools that it calls.
    'TOOL_NOT_REGISTERED',
    // Members, models, servers and hooks come later.
    'WORKTREE_NOT_ISOLATED',
    'FENCED',
    'CONTEXT_COMPACTION_FAILED',
    'HOOK_VETOED',
    'HOOK_FAILED',
    'PROVIDER_UNREACHABLE',
    'PROVIDER_AUTH',
    'PROVIDER_RATE_LIMITED',
    'PROVIDER_OVERLOADED',
    'PROVIDER_CONTEXT_EXCEEDED',
    'PROVIDER_PROTOCOL',
    'MCP_SERVER_UNAVAILABLE',
    'REVIEW_BLOCKING',
    'TRUST_REQUIRED',
    // A run that waits ends with status 8 and a question, not with a code.
    'BLOCKED_ON_HUMAN',
  ]);
});
