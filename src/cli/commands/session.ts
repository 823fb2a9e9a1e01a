import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';
import { ignoring } from '../../kernel/base/files.ts';
import { assertInside } from '../../kernel/base/paths.ts';
import { isForeignSessionId } from '../../kernel/base/ids.ts';
import { listSessionIds, parseSessionId, useSession } from '../../workflow/pick-session.ts';
import { listSessions } from '../../workflow/session-list.ts';
import { readStatus, type SessionStatus } from '../../workflow/session-status.ts';
import { type Call, defineCommand } from '../command.ts';

const options = {};
type SessionCall = Call<typeof options>;

export const command = defineCommand({
  name: 'session',
  positionals: '[action] [id]',
  about:
    'session list: every session, newest first. session show [id]: its documents. session use <id>: the ' +
    'one that commands are about. session workflow [id]: the form that older readers know.',
  examples: ['cc session list', 'cc session use 20261130-add-json-flag'],
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
  const rows = sessions.map((status) =>
    status.ok
      ? `${status.id}  ${status.facts.stage}  ${status.documents.intent.goal.split('\n', 1)[0] ?? ''}`
      : `${status.id}  damaged: ${status.problem.message}`,
  );
  const text = rows.length === 0 ? `No session in ${host.root}` : rows.join('\n');
  return out.done({ value: { sessions: sessions.map(rowOf) }, text });
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
  const known =
    ids.find((one) => one === id) ?? ids.find((one) => one.toLowerCase() === id.toLowerCase());
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
  const texts = await readTexts(host.root, id, [
    'intent.md',
    'plan.md',
    'summary.md',
    'progress.log',
  ]);
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
    progress: texts['progress.log'] ?? null,
    summary: texts['summary.md'] ?? null,
  };
  const parts = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined || name === 'progress.log' ? [] : [`──── ${name}`, text.trimEnd(), ''],
  );
  const text = [`${id}: ${facts.stage}`, '', ...parts].join('\n').trimEnd();
  return out.done({ value, text });
}

async function use({ host, out }: SessionCall, word: string | undefined): Promise<number> {
  if (word === undefined) {
    throw new CcError('REQUEST_INVALID', 'Say which session', { hint: 'cc session list' });
  }
  const id = parseSessionId(word);
  const ids = await listSessionIds(host.root);
  if (!ids.includes(id)) {
    throw new CcError('SESSION_NOT_FOUND', `There is no session ${id}`, {
      hint: 'cc session list',
    });
  }
  await useSession(host.root, id, host.files);
  return out.done({
    value: { session: id },
    text: `Commands are about ${id} now`,
    next: 'cc status',
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
  const texts = await readTexts(host.root, id, ['intent.md', 'plan.md', 'progress.log']);
  const value = {
    sessionId: id,
    dir: join(host.root, '.chainlesschain', 'sessions', id),
    mode: documents.mode,
    intent: texts['intent.md'] ?? null,
    plan: texts['plan.md'] ?? null,
    planApproved: facts.plan.state === 'approved',
    progress: texts['progress.log'] ?? null,
  };
  return out.done({ value, text: JSON.stringify(value, null, 2) });
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

async function readTexts(root: string, id: string, names: readonly string[]) {
  const folder = join(root, '.chainlesschain', 'sessions', id);
  const texts: Record<string, string | undefined> = {};
  for (const name of names) {
    await assertInside(root, join(folder, name));
    texts[name] = await readFile(join(folder, name), 'utf8').catch(ignoring('ENOENT'));
  }
  return texts;
}
