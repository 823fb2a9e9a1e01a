/** Ways to touch a verified session behind the back of `cc`, each of which takes its evidence away. */
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER } from './sessions.ts';
import type { TempProject } from './temp-project.ts';

export interface Tampering {
  readonly title: string;
  readonly area: 'tree' | 'verify.json' | 'plan' | 'tasks';
  readonly apply: (project: TempProject) => Promise<unknown>;
}

/** Files that `tamperings` expects besides those of `sessions.ts`. */
export const TAMPERED_FILES = {
  'src/deep/a.txt': 'one\ntwo\nthree\n',
  'run.sh': 'echo hello\n',
  '.gitignore': 'ignored/\n',
};
/** Of the person's own, not yet known to git. */
export const UNTRACKED = 'notes.txt';

const VICTIMS = ['answer.txt', 'src/deep/a.txt', 'run.sh', UNTRACKED] as const;

const at = (project: TempProject, path: string) => join(project.root, path);
const read = (project: TempProject, path: string) => readFile(at(project, path), 'utf8');

const edited = (path: string, edit: (text: string) => string) => async (project: TempProject) => {
  const before = await read(project, path);
  const after = edit(before);
  if (after === before) throw new Error(`${path} would stay as it is`);
  await project.write(path, after);
};

/** The same length and the same times: only the content tells. */
const disguised = (path: string) => async (project: TempProject) => {
  const { atime, mtime } = await lstat(at(project, path));
  const text = await read(project, path);
  await project.write(path, `${text.slice(0, -2)}Z\n`);
  await utimes(at(project, path), atime, mtime);
};

function onEach(title: string, apply: (path: string) => Tampering['apply']): readonly Tampering[] {
  return VICTIMS.map((path) => ({ title: `${title} ${path}`, area: 'tree', apply: apply(path) }));
}

const inTree = (title: string, apply: Tampering['apply']): Tampering => {
  return { title, area: 'tree', apply };
};
const adding = (path: string, text: string | Uint8Array = 'x\n') =>
  inTree(`add ${path}`, (project) => project.write(path, text));

const git =
  (...args: readonly string[]) =>
  async (project: TempProject) =>
    project.git(...args);
const both =
  (...acts: readonly Tampering['apply'][]): Tampering['apply'] =>
  async (project) => {
    for (const act of acts) await act(project);
  };

const TREE: readonly Tampering[] = [
  adding('new.txt'),
  adding('src/deep/new.txt'),
  adding('.hidden'),
  adding('empty', ''),
  adding('name with blanks.txt'),
  adding('名前.txt'),
  adding('src/.gitignore', 'a.txt\n'),
  adding('binary', Uint8Array.of(0, 255, 10, 13)),
  adding('-rf'),
  inTree('add a link', (project) => symlink('answer.txt', at(project, 'link.txt'))),
  inTree('add a link to nowhere', (project) => symlink('/nowhere/at/all', at(project, 'dangling'))),

  ...onEach('add a line to', (path) => edited(path, (text) => `${text}more\n`)),
  ...onEach('change a letter of', (path) => edited(path, (text) => `Q${text.slice(1)}`)),
  ...onEach('cut', (path) => (project) => project.write(path, '')),
  ...onEach('delete', (path) => (project) => rm(at(project, path))),
  ...onEach('rename', (path) => (project) => rename(at(project, path), at(project, `${path}.old`))),
  ...onEach('make executable', (path) => async (project) => {
    const { mode } = await lstat(at(project, path));
    await chmod(at(project, path), mode & 0o100 ? 0o644 : 0o755);
  }),
  ...onEach('replace by a link', (path) => async (project) => {
    await rename(at(project, path), at(project, 'ignored/real'));
    await symlink(at(project, 'ignored/real'), at(project, path));
  }),
  ...onEach('replace by a folder', (path) => async (project) => {
    await rm(at(project, path));
    await mkdir(at(project, path));
    await project.write(`${path}/x`, 'x\n');
  }),
  ...onEach('change, with the old time, ', disguised),
  ...onEach('write with other line ends', (path) =>
    edited(path, (text) => text.replaceAll('\n', '\r\n')),
  ),
  ...onEach('take the last line end from', (path) => edited(path, (text) => text.trimEnd())),

  inTree('swap two files', async (project) => {
    await rename(at(project, 'answer.txt'), at(project, 'swap'));
    await rename(at(project, 'run.sh'), at(project, 'answer.txt'));
    await rename(at(project, 'swap'), at(project, 'run.sh'));
  }),
  inTree(
    'ignore a changed file in .gitignore',
    both(
      edited('.gitignore', (text) => `${text}${UNTRACKED}\n`),
      edited(UNTRACKED, (text) => `${text}more\n`),
    ),
  ),
  inTree(
    'ignore more in .gitignore',
    edited('.gitignore', (text) => `${text}*.log\n`),
  ),
  inTree(
    'ignore less in .gitignore',
    edited('.gitignore', () => '# nothing\n'),
  ),
  inTree('ignore a file in .git/info/exclude', async (project) => {
    await writeFile(at(project, '.git/info/exclude'), `${UNTRACKED}\n`);
    await project.write(UNTRACKED, 'changed\n');
  }),
  inTree('ignore a file by core.excludesFile', async (project) => {
    await writeFile(at(project, '.git/my-excludes'), `${UNTRACKED}\n`);
    await project.git('config', 'core.excludesFile', at(project, '.git/my-excludes'));
    await project.write(UNTRACKED, 'changed\n');
  }),
  inTree(
    'assume a changed file unchanged',
    both(
      git('update-index', '--assume-unchanged', 'answer.txt'),
      edited('answer.txt', (text) => `${text}more\n`),
    ),
  ),
  inTree(
    'skip a changed file of the worktree',
    both(
      git('update-index', '--skip-worktree', 'answer.txt'),
      edited('answer.txt', (text) => `${text}more\n`),
    ),
  ),
  inTree(
    'change line ends under autocrlf',
    both(
      git('config', 'core.autocrlf', 'true'),
      edited('answer.txt', (text) => text.replaceAll('\n', '\r\n')),
    ),
  ),
  inTree(
    'change a mode under fileMode=false',
    both(git('config', 'core.fileMode', 'false'), (project) =>
      chmod(at(project, 'answer.txt'), 0o755),
    ),
  ),
  inTree(
    'change a file under trustctime=false',
    both(
      git('config', 'core.trustctime', 'false'),
      git('config', 'core.checkStat', 'minimal'),
      disguised('answer.txt'),
    ),
  ),
  inTree(
    'change a file under ignorestat',
    both(git('config', 'core.ignorestat', 'true'), disguised('src/deep/a.txt')),
  ),
  inTree(
    'change a file and commit it',
    both(
      edited('src/deep/a.txt', (text) => `${text}more\n`),
      git('commit', '--quiet', '--all', '--message', 'more'),
    ),
  ),
  inTree(
    'hide line ends by an attribute',
    both(
      (project) => writeFile(at(project, '.git/info/attributes'), '* text=auto eol=lf\n'),
      edited('answer.txt', (text) => text.replaceAll('\n', '\r\n')),
    ),
  ),
];

const VERIFY_FILE = `${FOLDER}/verify.json`;

type Json = Record<string, unknown>;

function rewritten(file: string, change: (json: Json) => void): Tampering['apply'] {
  return edited(`${FOLDER}/${file}`, (text) => {
    // A document that `cc` wrote: an object.
    const json = JSON.parse(text) as Json;
    change(json);
    return `${JSON.stringify(json, null, 2)}\n`;
  });
}

const inVerify = (title: string, change: (json: Json) => void): Tampering => ({
  title: `verify.json: ${title}`,
  area: 'verify.json',
  apply: rewritten('verify.json', change),
});
const onFile = (area: Tampering['area'], file: string) => {
  const path = `${FOLDER}/${file}`;
  const acts: readonly (readonly [string, Tampering['apply']])[] = [
    ['gone', (project) => rm(at(project, path))],
    ['renamed', (project) => rename(at(project, path), at(project, `${path}.old`))],
    ['empty', (project) => project.write(path, '')],
    ['full of zero bytes', (project) => project.write(path, new Uint8Array(64))],
    ['cut', edited(path, (text) => text.slice(0, Math.floor(text.length / 2)))],
    [
      'no UTF-8',
      async (project) => {
        const text = await read(project, path);
        await project.write(path, Buffer.concat([Buffer.from(text), Buffer.of(0xff, 0xfe)]));
      },
    ],
    [
      'a folder',
      async (project) => {
        await rm(at(project, path));
        await mkdir(at(project, path));
      },
    ],
    [
      'a link out of the project',
      async (project) => {
        await rename(at(project, path), join(project.home, 'elsewhere'));
        await symlink(join(project.home, 'elsewhere'), at(project, path));
      },
    ],
  ];
  return acts.map(([title, apply]): Tampering => ({ title: `${file}: ${title}`, area, apply }));
};

const inRecords = (key: 'checks' | 'criteria', change: (one: Json) => void) => (json: Json) => {
  for (const one of json[key] as Json[]) change(one);
};

const VERIFY: readonly Tampering[] = [
  ...onFile('verify.json', 'verify.json'),
  inVerify('another tree', (json) => (json['treeHash'] = `${String(json['treeHash'])}0`)),
  inVerify('no tree', (json) => delete json['treeHash']),
  inVerify('another plan', (json) => (json['planHash'] = 'p1:0')),
  inVerify('another session', (json) => (json['sessionId'] = 's2')),
  inVerify('no seal', (json) => delete json['seal']),
  inVerify('another seal', (json) => (json['seal'] = `s1:${'0'.repeat(64)}`)),
  inVerify('failed', (json) => (json['status'] = 'failed')),
  inVerify('partial', (json) => (json['status'] = 'partial')),
  inVerify('no checks', (json) => (json['checks'] = [])),
  inVerify('no criteria', (json) => (json['criteria'] = [])),
  inVerify('one check more', (json) => {
    const [first] = json['checks'] as Json[];
    json['checks'] = [first, { ...first, id: 'check-2' }];
  }),
  inVerify(
    'another command',
    inRecords('checks', (check) => (check['command'] = 'npm test')),
  ),
  inVerify(
    'a failed check',
    inRecords('checks', (check) => (check['status'] = 'failed')),
  ),
  inVerify(
    'another time',
    inRecords('checks', (check) => (check['durationMs'] = 1_000_000)),
  ),
  inVerify(
    'a criterion waived',
    inRecords('criteria', (one) => (one['proof'] = 'waived')),
  ),
  inVerify(
    'a criterion reviewed',
    inRecords('criteria', (one) => (one['proof'] = 'review')),
  ),
  inVerify(
    'a criterion unproven',
    inRecords('criteria', (one) => delete one['proof']),
  ),
  inVerify('open tasks', (json) => (json['tasks'] = { write: 'pending' })),
  inVerify('a key more', (json) => (json['note'] = 'mine')),
  inVerify('another date', (json) => (json['updatedAt'] = '2026-01-01T00:00:00.000Z')),
  {
    title: 'verify.json: another stage and serial in mode.json',
    area: 'verify.json',
    apply: rewritten('mode.json', (json) => (json['approvalSerial'] = 7)),
  },
  {
    title: 'verify.json: written anew with the seal of before',
    area: 'verify.json',
    apply: edited(VERIFY_FILE, (text) => text.replace('"exitCode": 0', '"exitCode": 1')),
  },
];

const inPlan = (title: string, from: string, to: string): Tampering => ({
  title: `plan.md: ${title}`,
  area: 'plan',
  apply: edited(`${FOLDER}/plan.md`, (text) => text.replace(from, () => to)),
});
const inIntent = (title: string, from: string, to: string): Tampering => ({
  title: `intent.md: ${title}`,
  area: 'plan',
  apply: edited(`${FOLDER}/intent.md`, (text) => text.replace(from, () => to)),
});

const PLAN: readonly Tampering[] = [
  ...onFile('plan', 'plan.md'),
  inPlan('another title', '# Plan: Say 42', '# Plan: Say 43'),
  inPlan('another step', 'Write the answer', 'Write an answer'),
  inPlan('a wider scope', 'scope: `answer.txt`', 'scope: `**`'),
  inPlan('no criterion', '   - criteria: AC1\n', ''),
  inPlan('another literal byte', '   42\n', '   43\n'),
  inPlan('another check', '`sh check.sh`', '`test -f answer.txt`'),
  inPlan('one check more', '- `sh check.sh`', '- `sh check.sh`\n- `test -f never`'),
  inPlan('no check', '- `sh check.sh`', ''),
  inPlan('a step more', '## Verification', '2. More\n\n## Verification'),
  inPlan('no approval', 'approved: true', 'approved: false'),
  inPlan('a word for an approval', 'approved: true', 'approved: yes'),
  inPlan('another hash', 'planHash: p1:', 'planHash: p1:0'),
  inPlan('another seal', 'seal: s1:', 'seal: s1:0'),
  inPlan('a waiver', '- `sh check.sh`', '- AC1: waived: no time\n- `sh check.sh`'),
  inIntent('another goal', 'Say 42', 'Say 43'),
  inIntent('another criterion', 'answer.txt says 42', 'answer.txt says anything'),
  inIntent('one criterion more', '- AC1:', '- AC2: a test says so\n- AC1:'),
  {
    title: 'intent.md: gone',
    area: 'plan',
    apply: (project) => rm(at(project, `${FOLDER}/intent.md`)),
  },
];

const inTask = (title: string, change: (task: Json) => void): Tampering => ({
  title: `tasks.json: ${title}`,
  area: 'tasks',
  apply: rewritten('tasks.json', (json) => {
    for (const task of json['tasks'] as Json[]) change(task);
  }),
});

const TASKS: readonly Tampering[] = [
  ...onFile('tasks', 'tasks.json'),
  inTask('pending', (task) => (task['status'] = 'pending')),
  inTask('running', (task) => (task['status'] = 'running')),
  inTask('failed', (task) => (task['status'] = 'failed')),
  inTask('blocked', (task) => (task['status'] = 'blocked')),
  inTask('a status nobody knows', (task) => (task['status'] = 'done')),
  inTask('another title', (task) => (task['title'] = 'Mine')),
  inTask('another scope', (task) => (task['scopePaths'] = [])),
  inTask('another id', (task) => (task['id'] = 'mine')),
  inTask('other checks', (task) => (task['verifyCommands'] = ['true'])),
  {
    title: 'tasks.json: no task',
    area: 'tasks',
    apply: rewritten('tasks.json', (json) => (json['tasks'] = [])),
  },
  {
    title: 'tasks.json: a task twice',
    area: 'tasks',
    apply: rewritten('tasks.json', (json) => {
      const tasks = json['tasks'] as Json[];
      json['tasks'] = [...tasks, ...tasks];
    }),
  },
  {
    title: 'tasks.json: no recorded targets',
    area: 'tasks',
    apply: rewritten('tasks.json', (json) => (json['targets'] = [])),
  },
];

export const TAMPERINGS: readonly Tampering[] = [...TREE, ...VERIFY, ...PLAN, ...TASKS];
