import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';
import { ignoring } from '../../kernel/base/files.ts';
import { assertInside } from '../../kernel/base/paths.ts';
import { isForeignSessionId, isSameSession } from '../../kernel/base/ids.ts';
import { listSessionIds, parseSessionId, useSession } from '../../workflow/pick-session.ts';
import { listSessions } from '../../workflow/session-list.ts';
import { readStatus, type SessionStatus } from '../../workflow/session-status.ts';
import { type Call, defineCommand } from '../command.ts';
import { progressPath, readTail } from '../progress-log.ts';

/** Of `session show` and `session workflow`: the newest entries, whole. */
const MAX_PROGRESS_BYTES = 4 * 1024 * 1024;
const SHOWN_PROGRESS_LINES = 20;

const options = {};
type SessionCall = Call<typeof options>;

export const command = defineCommand({
  name: 'session',
  positionals: '[action] [id]',
  about:
    'list: every session, newest first. show: the documents of one. use: the one that commands are about. ' +
    'workflow: the form that older readers know.',
  examples: ['cc session list', 'cc session use 20261130-add-json-flag', 'cc session use --help'],
  actions: {
    list: {
      about:
        'Every session of the project, newest first: its stage, its goal, and what runs in it. The one that ' +
        'commands are about is marked.',
      examples: ['cc session list', 'cc session list --json'],
    },
    show: {
      positionals: '[id]',
      about: 'Intent, plan and summary as they stand in the files; with --json every document.',
      examples: ['cc session show', 'cc session show 20261130-add-json-flag --json'],
    },
    use: {
      positionals: '<id>',
      about:
        'Makes it the one that commands are about, until another is chosen. Takes any spelling of the id.',
      examples: ['cc session use 20261130-add-json-flag'],
    },
    workflow: {
      positionals: '[id]',
      about:
        'The keys that other readers of this folder know: of every session, or with an id its documents ' +
        'and the end of its log.',
      examples: ['cc session workflow --json'],
    },
  },
  options,

  async run(call) {
    const [action = 'list', id] = call.words;
    switch (action) {
      case 'list':
        return list(call);
      case 'show':
        return show(call, id);
      case 'use':
        return use(call, id);
      case 'workflow':
        return workflow(call, id);
      default:
        throw new CcError('REQUEST_INVALID', `session has no action "${action}"`, {
          hint: 'cc session --help',
        });
    }
  },
});

async function list({ host, out }: SessionCall): Promise<number> {
  const sessions = await listSessions(host.status);
  const current = (await host.findSession())?.id;
  const value = { sessions: sessions.map(rowOf) };
  const open = sessions.find((status) => !status.ok || status.facts.stage !== 'complete');
  const chooseOne =
    open === undefined ? 'cc deep-interview "<what you want>"' : `cc session use ${open.id}`;
  const next = current === undefined ? chooseOne : 'cc status';
  if (sessions.length === 0) return out.done({ value, text: `No session in ${host.root}`, next });
  const rows = sessions.map((status) => ({
    mark: status.id === current ? '▸' : ' ',
    id: status.id,
    stage: status.ok ? status.facts.stage : 'damaged',
    about: status.ok ? (status.documents.intent.goal.split('\n', 1)[0] ?? '') : '',
    runs: status.ok && status.running !== undefined ? ` (running: ${status.running.command})` : '',
  }));
  const widthOf = (key: 'id' | 'stage') => Math.max(...rows.map((row) => row[key].length));
  const lines = rows.map(({ mark, id, stage, about, runs }) =>
    `${mark} ${id.padEnd(widthOf('id'))}  ${stage.padEnd(widthOf('stage'))}  ${about}${runs}`.trimEnd(),
  );
  return out.done({ value, text: lines.join('\n'), next });
}

function rowOf(status: SessionStatus): object {
  if (!status.ok) return { sessionId: status.id, error: status.problem };
  const { facts, documents, updatedAt, running } = status;
  const { retries, maxRetries, stage } = facts;
  return {
    sessionId: status.id,
    stage,
    updatedAt: updatedAt ?? null,
    retries,
    maxRetries,
    failureReason: documents.mode.failureReason ?? null,
    goal: documents.intent.goal,
    running: running !== undefined,
  };
}

/** A session that may be looked at, also one that other programs named. */
async function readable(
  call: SessionCall,
  word: string | undefined,
): Promise<Extract<SessionStatus, { ok: true }>> {
  const { host } = call;
  const id = word ?? (await host.pickSession()).id;
  if (!isForeignSessionId(id)) parseSessionId(id);
  const ids = await listSessionIds(host.root);
  const known = ids.find((one) => one === id) ?? ids.find((one) => isSameSession(one, id));
  if (known === undefined) {
    throw new CcError('SESSION_NOT_FOUND', `There is no session ${id}`, {
      hint: 'cc session list',
    });
  }
  const status = await readStatus(host.status, known);
  if (status.ok) return status;
  throw status.problem;
}

async function show(call: SessionCall, word: string | undefined): Promise<number> {
  const { host, out } = call;
  const { id, documents, facts } = await readable(call, word);
  const texts = await readTexts(host.root, id, ['intent.md', 'plan.md', 'summary.md']);
  const progress = await readProgress(host.root, id);
  const { mode, tasks, verify } = documents;
  const value = {
    sessionId: id,
    mode,
    stage: facts.stage,
    intent: texts['intent.md'] ?? null,
    plan:
      texts['plan.md'] === undefined
        ? null
        : { approved: facts.plan.state === 'approved', raw: texts['plan.md'] },
    tasks: tasks ?? null,
    verify: verify ?? null,
    progress: progress?.text ?? null,
    ...(progress?.isCut === true ? { progressCut: true } : {}),
    summary: texts['summary.md'] ?? null,
  };
  const parts = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [`──── ${name}`, text.trimEnd(), ''],
  );
  const text = [`${id}: ${facts.stage}`, '', ...parts].join('\n').trimEnd();
  return out.done({ value, text });
}

async function use({ host, out }: SessionCall, word: string | undefined): Promise<number> {
  if (word === undefined) {
    throw new CcError('REQUEST_INVALID', 'Say which session', { hint: 'cc session list' });
  }
  const wanted = parseSessionId(word);
  const ids = await listSessionIds(host.root);
  const found = ids.find((one) => isSameSession(one, wanted));
  const id = found === undefined ? undefined : parseSessionId(found);
  if (id === undefined) {
    throw new CcError('SESSION_NOT_FOUND', `There is no session ${wanted}`, {
      hint: 'cc session list',
    });
  }
  await useSession(host.root, id, host.files);
  return out.done({
    value: { session: id },
    text: `Commands are about ${id} now`,
    next: await host.dueCommand(id),
  });
}

/** The inspector of the system whose files these are: the same keys, for whoever reads them already. */
async function workflow(call: SessionCall, word: string | undefined): Promise<number> {
  const { host, out } = call;
  if (word === undefined) {
    const sessions = await listSessions(host.status);
    const rows = sessions.flatMap((status) => (status.ok ? [inspected(status)] : []));
    return out.done({ value: rows, text: rows.map((row) => JSON.stringify(row)).join('\n') });
  }
  const { id, documents, facts } = await readable(call, word);
  const texts = await readTexts(host.root, id, ['intent.md', 'plan.md']);
  const progress = await readProgress(host.root, id);
  const value = {
    sessionId: id,
    dir: join(host.root, '.chainlesschain', 'sessions', id),
    mode: documents.mode,
    intent: texts['intent.md'] ?? null,
    plan: texts['plan.md'] ?? null,
    planApproved: facts.plan.state === 'approved',
    progress: progress?.text ?? null,
  };
  const parts = [
    `${id}: ${facts.stage}`,
    ...(texts['intent.md'] === undefined ? [] : ['', texts['intent.md'].trimEnd()]),
    ...(texts['plan.md'] === undefined ? [] : ['', texts['plan.md'].trimEnd()]),
    ...(progress === undefined ? [] : ['', ...progress.entries.slice(-SHOWN_PROGRESS_LINES)]),
  ];
  return out.done({ value, text: parts.join('\n') });
}

function inspected({ id, facts, documents, updatedAt }: Extract<SessionStatus, { ok: true }>) {
  const hasPlan = documents.plan !== undefined;
  return {
    sessionId: id,
    stage: facts.stage,
    updatedAt: updatedAt ?? null,
    hasIntent: facts.hasGoal,
    hasPlan,
    approved: hasPlan ? facts.plan.state === 'approved' : null,
  };
}

/** All of it where it is short; of a long one the newest entries. */
async function readProgress(root: string, id: string) {
  const path = progressPath(root, id);
  await assertInside(root, path);
  const { entries, isCut } = await readTail(path, MAX_PROGRESS_BYTES);
  if (entries.length === 0) return undefined;
  const text = isCut ? `${entries.join('\n')}\n` : await readFile(path, 'utf8');
  return { entries, isCut, text };
}

async function readTexts(root: string, id: string, names: readonly string[]) {
  const folder = join(root, '.chainlesschain', 'sessions', id);
  const texts: Record<string, string | undefined> = {};
  for (const name of names) {
    await assertInside(root, join(folder, name));
    texts[name] = await readFile(join(folder, name), 'utf8').catch(ignoring('ENOENT'));
  }
  return texts;
}
