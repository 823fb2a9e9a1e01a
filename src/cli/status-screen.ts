/** What `cc status` says of one session, for people and for programs. Pure. */
import type { SessionStatus } from '../workflow/session-status.ts';

export type ReadableStatus = Extract<SessionStatus, { ok: true }>;

const MARKS = { pending: '·', running: '▸', completed: '✓', failed: '✗', blocked: '–' } as const;
const MAX_TASKS = 20;
const MAX_QUESTIONS = 5;

export function valueOf({ id, facts, documents, running, next }: ReadableStatus): object {
  const { stage, plan, evidence, openTasks, retries, maxRetries } = facts;
  const tasks =
    documents.tasks?.tasks.map(({ id: task, title, status }) => ({ id: task, title, status })) ??
    [];
  const holder = running && { pid: running.pid, host: running.host, command: running.command };
  return {
    session: id,
    stage,
    goal: documents.intent.goal,
    openQuestions: documents.intent.openQuestions,
    plan: { state: plan.state, steps: documents.plan?.steps.length ?? 0, errors: facts.planErrors },
    tasks,
    openTasks: openTasks.length,
    verify: evidence.status,
    retries,
    maxRetries,
    running: holder,
    routingHint: documents.mode.routingHint ?? undefined,
    due: next,
  };
}

export function screenOf(status: ReadableStatus): readonly string[] {
  const { id, facts, documents } = status;
  const goal = documents.intent.goal.split('\n', 1)[0] ?? '';
  return [
    `${id}: ${facts.stage}`,
    ...(goal === '' ? [] : [`goal: ${goal}`]),
    ...questionLines(status),
    ...planLines(status),
    ...evidenceLines(status),
    ...runLines(status),
    ...hintLines(status),
  ];
}

function questionLines(status: ReadableStatus): readonly string[] {
  const { openQuestions } = status.documents.intent;
  if (openQuestions.length === 0 || !isEarly(status)) return [];
  // The arrow in the file is where an answer goes.
  const words = openQuestions.map((question) => question.replace(/\s*→\s*$/, ''));
  const shown = words.slice(0, MAX_QUESTIONS).map((question) => `  ? ${question}`);
  return [`open questions: ${openQuestions.length}`, ...shown];
}

function planLines({ facts, documents }: ReadableStatus): readonly string[] {
  const { plan, planErrors } = facts;
  if (plan.state === 'absent') return [];
  const tasks = documents.tasks?.tasks ?? [];
  const detail = plan.detail === undefined ? '' : ` (${plan.detail})`;
  return [
    `plan: ${STATES[plan.state]}${detail}`,
    ...planErrors.map((error) => `  ✗ ${error}`),
    ...tasks.slice(0, MAX_TASKS).map(({ title, status }) => `  ${MARKS[status]} ${title}`),
    ...(tasks.length > MAX_TASKS ? [`  … and ${tasks.length - MAX_TASKS} more`] : []),
  ];
}

/** The states of an approval, in a person's words. */
const STATES = {
  draft: 'draft, not approved',
  unreadable: 'its front matter cannot be read',
  unrecorded: 'says approved, but none was recorded',
  changed: 'changed since the approval',
  foreign: 'approved elsewhere, or not any more',
  approved: 'approved',
} as const;

function evidenceLines(status: ReadableStatus): readonly string[] {
  const { evidence, retries, maxRetries } = status.facts;
  // What was verified once says nothing about a plan that is being made.
  const isTold = evidence.status !== 'absent' && !isEarly(status);
  return [
    ...(isTold ? [`checks: ${evidence.status}`] : []),
    ...(retries === 0 ? [] : [`failed after a change: ${retries} of ${maxRetries}`]),
  ];
}

function runLines({ running, isPending }: ReadableStatus): readonly string[] {
  return [
    ...(running === undefined
      ? []
      : [`running: ${running.command}, process ${running.pid} on ${running.host}`]),
    ...(isPending ? ['a write was interrupted; the next command ends it'] : []),
  ];
}

/** While the request may still be understood or cut in another way. */
function isEarly({ facts }: ReadableStatus): boolean {
  return facts.stage === 'none' || facts.stage === 'intent' || facts.stage === 'plan';
}

/** Only where a person can do something about it: a change of one part needs no words. */
function hintLines(status: ReadableStatus): readonly string[] {
  const hint = status.documents.mode.routingHint;
  if (!isEarly(status) || typeof hint?.['reason'] !== 'string') return [];
  return hint['decision'] === 'team'
    ? [`size: ${hint['reason']} A session for each may be easier.`]
    : [];
}
