/** Puts a damaged session right: shows what is broken and where, asks, keeps a copy, never guesses upwards. */
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { JOURNAL } from '../kernel/base/file-names.ts';
import { ignoring, readText } from '../kernel/base/files.ts';
import { isPending } from '../kernel/base/journal.ts';
import { withLock } from '../kernel/base/lock.ts';
import { commit, rollForward } from '../kernel/base/transaction.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { readFrontMatter } from './documents/front-matter.ts';
import { parseIntent } from './documents/intent.ts';
import { parsePlan } from './documents/plan.ts';
import { endChange } from './end-change.ts';
import { parseVerify } from './evidence/verify-file.ts';
import { modeFromDocuments, parseMode, printMode } from './mode-file.ts';
import type { AskConsent, WorkflowPorts } from './ports.ts';
import { clearRemains } from './remains.ts';
import { assertExists, openSession } from './session-dir.ts';
import { findStrayLinks } from './stray-links.ts';
import { compileTasks } from './tasks/task-graph.ts';
import { parseTasks, printTasks } from './tasks/tasks-file.ts';
import type { Refusal } from './transitions.ts';

export interface Damage {
  readonly file: string;
  /** With its line where one is known, as in `mode.json:1: it is empty`. */
  readonly problem: string;
  /** What would be done about it, in words. */
  readonly cure: string;
}

export type Repaired =
  | { readonly allowed: false; readonly refusal: Refusal }
  | {
      readonly allowed: true;
      readonly damages: readonly Damage[];
      /** Copies of what was replaced, relative to the session folder. */
      readonly copies: readonly string[];
    };

/** What can be written anew, and is judged as such. */
const COMPILED = { 'mode.json': true, 'tasks.json': true, 'verify.json': true };

type StrayLinks = Awaited<ReturnType<typeof findStrayLinks>>;
type Cured = Damage & { readonly text: string | undefined };

/** Only what cannot be read is touched; a document that can be read is left alone, however odd. */
export async function repair(
  ports: WorkflowPorts,
  request: { readonly id: SessionId; readonly ask: AskConsent },
): Promise<Repaired> {
  const session = openSession(ports, request.id);
  await assertExists(session);
  const { folder } = session;
  const links = await findStrayLinks(ports.root, folder);
  const found = await findDamages(ports, session.id, { folder, links });
  if (found.length === 0) {
    await clearRemains(folder, ports.leases);
    return { allowed: true, damages: [], copies: [] };
  }

  const text = found.map(({ problem, cure }) => `${problem}\n  → ${cure}`).join('\n');
  const consent = await request.ask({ text, hash: '' });
  if (!consent.given) return { allowed: false, refusal: consent.refusal };
  return withLock(join(folder, '.lock'), ports.leases.locks, async () => {
    const copies: string[] = [];
    for (const damage of found) {
      copies.push(await keepCopy(ports, folder, damage.file));
    }
    const files = found.flatMap(({ file, text: cured }) =>
      cured === undefined ? [] : [[file, cured] as const],
    );
    const isJournal = ({ file }: Cured) => file === JOURNAL;
    // It would be written over by the journal of the repair itself.
    if (found.some(isJournal)) await ports.files.removeFolder(join(folder, JOURNAL));
    const gone = found.filter(
      (damage) => damage.text === undefined && !isJournal(damage) && !links.has(damage.file),
    );
    const removals = gone.map(({ file }) => file);
    await commit(ports.files, folder, { files: Object.fromEntries(files), removals });
    await rollForward(ports.files, folder);
    return { allowed: true, damages: found.map(({ text: _, ...damage }) => damage), copies };
  });
}

/** A file is copied before anything is replaced. What is no file, such as a link, is moved as it is. */
async function keepCopy(ports: WorkflowPorts, folder: string, file: string): Promise<string> {
  const stamp = ports.clock.now().toISOString().replaceAll(/[:.]/g, '-');
  const plain = `${file.replace(/^\./, '')}.${stamp}.damaged`;
  // A clone may bring a link in the place of the folder; then the copy stays beside what it is of.
  const beside = await lstat(join(folder, 'artifacts')).catch(ignoring('ENOENT'));
  const isOwn = beside === undefined || beside.isDirectory();
  // Of a file in a folder, such as `runs/notes.jsonl`, the copy is beside it.
  const name = isOwn && !plain.includes('/') ? `artifacts/${plain}` : plain;
  await ports.files.makeFolder(dirname(join(folder, name)));
  const path = join(folder, file);
  if ((await lstat(path)).isFile()) {
    await ports.files.writeNew(join(folder, name), await readFile(path));
  } else {
    await ports.files.rename(path, join(folder, name));
  }
  return name;
}

async function findDamages(
  ports: WorkflowPorts,
  id: string,
  { folder, links }: { readonly folder: string; readonly links: StrayLinks },
): Promise<readonly Cured[]> {
  const found: Cured[] = [...links]
    .filter(([file]) => !(file in COMPILED))
    .map(([file, problem]) => ({ file, problem, cure: 'put aside', text: undefined }));
  const journal = await problemOf(async () => {
    if (await isPending(folder)) await endChange(folder, ports);
  });
  if (journal !== undefined) {
    found.push({ file: JOURNAL, problem: journal, cure: 'put aside', text: undefined });
  }
  const intent = links.has('intent.md') ? undefined : await readOr(folder, 'intent.md', found);
  const plan = links.has('plan.md') ? undefined : await readOr(folder, 'plan.md', found);
  const head = plan === undefined ? undefined : readFrontMatter(plan);
  let cured = plan;
  if (plan !== undefined && head?.ok === false) {
    cured = withoutHead(plan, id);
    const problem = `plan.md:${head.line}: ${head.problem}`;
    found.push({ file: 'plan.md', problem, cure: 'a new front matter, not approved', text: cured });
  }
  const has = { plan: cured !== undefined, intent: intent !== undefined };
  const mode = modeFromDocuments(has);
  const at = ports.clock.now().toISOString();
  const approval = cured === undefined ? '' : approvalWords(cured);
  await check(
    'mode.json',
    parseMode,
    printMode({ ...mode, updatedAt: at }),
    `stage "${mode.stage}", as the documents prove${approval}`,
  );
  const tasks = cured === undefined ? [] : compileTasks(parsePlan(cured));
  const stamp = { sessionId: id, stage: mode.stage, updatedAt: at };
  const compiled = printTasks({ version: 1, tasks, targets: [] }, stamp, undefined);
  const anew = `compiled anew from plan.md, every task open${approval}`;
  await check('tasks.json', parseTasks, compiled, anew);
  await check('verify.json', parseVerify, undefined, 'put aside: cc verify writes a new one');
  return found;

  async function check(
    file: string,
    parse: (path: string, text: string) => unknown,
    text: string | undefined,
    cure: string,
  ): Promise<void> {
    const path = join(folder, file);
    const read = async () => {
      const now = await readText(path);
      if (now !== undefined) parse(path, now);
    };
    const problem = links.get(file) ?? (await problemOf(read));
    if (problem !== undefined) found.push({ file, problem, cure, text });
  }
}

/** Which of several approvals was the last, only the lost file knew: an older one must not come back. */
function approvalWords(plan: string): string {
  const head = readFrontMatter(plan);
  return head.ok && head.data['approved'] === true ? '; the plan has to be approved again' : '';
}

/** A document that is not text cannot be cured by a program: it is put aside, and its absence speaks. */
async function readOr(folder: string, file: string, found: Cured[]): Promise<string | undefined> {
  let text: string | undefined;
  const problem = await problemOf(async () => {
    text = await readText(join(folder, file));
    if (file === 'intent.md' && text !== undefined) parseIntent(text);
  });
  if (problem === undefined) return text;
  found.push({ file, problem, cure: 'put aside', text: undefined });
  return undefined;
}

async function problemOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof CcError && error.code === 'SESSION_DAMAGED') return error.message;
    throw error;
  }
}

/** The body of a plan behind a front matter that nobody can read. What the block said is in the copy. */
function withoutHead(written: string, id: string): string {
  // With the line ends of old Macs alone, the whole text would be one line.
  const text = written.includes('\n') ? written : written.replaceAll('\r', '\n');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.slice(mark.length).split(/(?<=\n)/);
  const close = lines.findIndex((line, at) => at > 0 && /^---[ \t]*\r?\n?$/.test(line));
  const heading = lines.findIndex((line, at) => at > 0 && /^(?:#|\d+[.)] |- )/.test(line));
  const end = close > 0 ? close + 1 : Math.max(heading, 1);
  const head = ['---', `session: ${id}`, 'approved: false', '---', ''].join(eol);
  return `${mark}${head}${lines.slice(end).join('')}`;
}
