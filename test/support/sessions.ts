import { TempProject } from './temp-project.ts';

export const ID = 's1';
export const FOLDER = `.chainlesschain/sessions/${ID}`;

/** A project whose one test fails until `answer.txt` says 42. */
export const PROJECT = {
  'answer.txt': 'no\n',
  'check.sh': 'grep -qx 42 answer.txt || { echo "answer.txt does not say 42"; exit 1; }\n',
};

export const INTENT = [
  '# Intent',
  '',
  `**Session:** ${ID}`,
  '',
  '## Goal',
  '',
  'Say 42',
  '',
  '## Acceptance Criteria',
  '',
  '- AC1: answer.txt says 42',
  '',
].join('\n');

/** One literal step, one check for the whole plan. */
export const PLAN = [
  '---',
  `session: ${ID}`,
  'approved: false',
  '---',
  '',
  '# Plan: Say 42',
  '',
  '## Steps',
  '',
  '1. Write the answer',
  '   - id: write',
  '   - scope: `answer.txt`',
  '   - criteria: AC1',
  '',
  '   ```text file=answer.txt',
  '   42',
  '   ```',
  '',
  '## Verification',
  '',
  '- `sh check.sh`',
  '',
].join('\n');

/** The stages a session can be brought to by typing. */
export type Reached = 'intent' | 'plan' | 'approved' | 'executed' | 'verified' | 'complete';

const COMMANDS: readonly (readonly [Reached, readonly string[]])[] = [
  ['approved', ['ralplan', '--approve', '--session', ID]],
  ['executed', ['ralph', '--session', ID]],
  ['verified', ['verify', '--session', ID]],
  ['complete', ['complete', '--session', ID]],
];

export interface Prepared {
  readonly plan?: string;
  readonly intent?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A repository with session `s1` brought to a stage by the commands that a person types. */
export async function sessionAt(stage: Reached, prepared: Prepared = {}): Promise<TempProject> {
  const key = JSON.stringify([stage, prepared]);
  const made = templates.get(key) ?? prepare(stage, prepared);
  templates.set(key, made);
  return (await made).clone();
}

/** Made once for all tests of a file that want the same; each of them works on its own copy. */
const templates = new Map<string, Promise<TempProject>>();

const repositories = new Map<string, Promise<TempProject>>();

async function repositoryOf(files: Readonly<Record<string, string>>): Promise<TempProject> {
  const key = JSON.stringify(files);
  const made = repositories.get(key) ?? TempProject.createRepository({ ...PROJECT, ...files });
  repositories.set(key, made);
  return (await made).clone();
}

async function prepare(stage: Reached, { plan = PLAN, intent = INTENT, files = {} }: Prepared) {
  const project = await repositoryOf(files);
  await project.write(`${FOLDER}/intent.md`, intent);
  if (stage === 'intent') return project;
  await project.write(`${FOLDER}/plan.md`, plan);
  if (stage === 'plan') return project;
  for (const [reached, argv] of COMMANDS) {
    const { exitCode, stderr } = await project.cc(...argv);
    if (exitCode !== 0) throw new Error(`cc ${argv.join(' ')} exited ${exitCode}: ${stderr}`);
    if (reached === stage) return project;
  }
  return project;
}

/** The same `plan` as an approved one reads: with the keys that `cc` wrote on top. */
export async function approvedText(project: TempProject): Promise<string> {
  const text = await project.read(`${FOLDER}/plan.md`);
  if (!/^planHash: p1:/m.test(text)) throw new Error('The plan was not approved');
  return text;
}

/** A plan of the steps given; each line of Markdown as it stands below the item. */
export function planOf(
  steps: readonly { readonly title: string; readonly lines?: readonly string[] }[],
  verification: readonly string[] = ['- `sh check.sh`'],
): string {
  const items = steps.flatMap(({ title, lines = [] }, index) => [
    `${index + 1}. ${title}`,
    ...lines.map((line) => (line === '' ? '' : `   ${line}`)),
    '',
  ]);
  const head = ['---', `session: ${ID}`, 'approved: false', '---', '', '# Plan: Say 42', ''];
  const proofs = verification.length === 0 ? [] : ['## Verification', '', ...verification, ''];
  return [...head, '## Steps', '', ...items, ...proofs].join('\n');
}

/** A literal file, as it stands below a step. */
export function literalFile(path: string, ...lines: readonly string[]): readonly string[] {
  return ['', `\`\`\`text file=${path}`, ...lines, '```'];
}
