/** Clarifies what is wanted: reads the request, asks for what is missing, writes intent.md. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { isDraft } from '../kernel/base/files.ts';
import { isSameSession, MAX_OWN_SESSION_ID, memberOf } from '../kernel/base/ids.ts';
import { type SessionId } from '../kernel/protocol/vocabulary.ts';
import {
  addItems,
  hasGoal,
  type IntentList,
  printIntent,
  removeItems,
  setGoal,
} from './documents/intent.ts';
import type { Intent } from './documents/plan-model.ts';
import { ensureFolder } from './init-project.ts';
import { classifyIntake } from './intake/classifier.ts';
import { answersToIntent, type IntentDraft } from './intake/intent-draft.ts';
import { nextQuestions } from './intake/interview.ts';
import { acceptRecommended, readOpenQuestions } from './intake/interview-input.ts';
import type { Answer, InterviewState, Question } from './intake/interview-model.ts';
import { readAnchors } from './intake/request-anchors.ts';
import { proposeSessionId } from './intake/session-id.ts';
import type { ProjectSurvey } from './intake/survey-model.ts';
import { listSessionIds, useSession } from './pick-session.ts';
import { SCOPE_PREFIX } from './plan-skeleton.ts';
import type { WorkflowPorts } from './ports.ts';
import { type Change, openSession, type Snapshot } from './session-dir.ts';
import { type Decision, decide, refuse } from './transitions.ts';

export interface InterviewRequest {
  readonly session: InterviewSession;
  /** `undefined` to go on with what the session's intent says. */
  readonly goal: string | undefined;
  /** What flags, stdin and the like say. */
  readonly answers: readonly Answer[];
  /** Take every recommendation instead of asking. */
  readonly yes: boolean;
  /** For a new session: failed verifications until a run stops. */
  readonly maxRetries: number;
  survey(): Promise<ProjectSurvey>;
  /** Asks one question; `undefined` when the person gave up, or nobody can be asked. */
  ask(question: Question): Promise<string | undefined>;
}

export type InterviewResult =
  | Extract<Decision, { allowed: false }>
  | {
      readonly allowed: true;
      readonly id: SessionId;
      readonly to: Extract<Decision, { allowed: true }>['to'];
      readonly isNew: boolean;
      readonly questions: readonly Question[];
      readonly draft: IntentDraft;
      /** What the project is, as far as files tell. */
      readonly survey: ProjectSurvey;
      readonly routingHint: object;
      readonly files: readonly string[];
    };

export interface InterviewSession {
  readonly id: SessionId;
  readonly isNew: boolean;
}

/** Questions nobody answered are written into intent.md, where an editor can answer them. */
export async function deepInterview(
  ports: WorkflowPorts,
  request: InterviewRequest,
): Promise<InterviewResult> {
  const { id, isNew } = request.session;
  const { maxRetries } = request;
  const session = openSession(ports, id);
  const shown = await session.read();
  const decision = decide(shown.facts, 'interview');
  if (!decision.allowed) return decision;

  const survey = await request.survey();
  const text = request.goal ?? shown.intent.goal;
  const known = isNew ? [] : answersIn(shown.intent);
  const begun: InterviewState = {
    anchors: readAnchors(text, survey),
    survey,
    answers: [...known, ...readOpenQuestions(shown.intent.openQuestions), ...request.answers],
  };
  const state = await askAll(begun, request);
  // What stood in the intent before is no news to it.
  const news = { ...state, answers: state.answers.filter((answer) => !known.includes(answer)) };
  const { clarifications: added } = answersToIntent(news);
  const draft = withScope({ ...answersToIntent(state), clarifications: added });
  const { goal, clarifications, nonGoals } = draft;
  const verdict = await ports.hooks.before('intent', id, { goal, clarifications, nonGoals });
  if (!verdict.ok) return refuse(verdict.code, verdict.message, verdict.remedy);

  const routingHint = classifyIntake({
    request: text === '' ? goal : text,
    scopePaths: draft.scopes,
    fileHints: state.anchors.paths,
    project: survey,
  });
  const made = await ensureFolder(ports);
  const written = await session.transact({
    action: 'interview',
    change(now) {
      const at = ports.clock.now().toISOString();
      const change = writeIntent(now, draft, { at, routingHint, maxRetries });
      return { ...change, progress: verdict.notes ?? [] };
    },
  });
  if (!written.allowed) return written;
  await useSession(ports.root, id, ports.files);

  const questions = nextQuestions(state);
  if (isNew) {
    const folder = `.chainlesschain/sessions/${id}`;
    ports.emit({ type: 'workflow.session.created', payload: { goal, folder } });
  }
  const files = ['intent.md', 'mode.json'];
  ports.emit({
    type: 'workflow.intent.written',
    payload: { files, openQuestions: questions.length },
  });
  const { stage: from } = shown.facts;
  if (from !== written.to) {
    ports.emit({
      type: 'workflow.stage.changed',
      payload: { from, to: written.to, action: 'interview' },
    });
  }
  await ports.hooks.after('intent', id, { intentFile: 'intent.md', goal });
  return {
    allowed: true,
    id,
    to: written.to,
    isNew,
    questions,
    draft,
    survey,
    routingHint,
    files: [...files, ...made],
  };
}

/**
 * A goal always opens a new session, whose id is made from it unless one is named.
 *
 * @throws {CcError} `REQUEST_INVALID` when the named session is there already, `SESSION_ID_INVALID` when
 *   the name belongs to a team member.
 */
export async function newSession(
  ports: Pick<WorkflowPorts, 'root' | 'clock'>,
  goal: string,
  named: SessionId | undefined,
): Promise<InterviewSession> {
  const taken = await takenIds(ports.root);
  if (named === undefined) {
    return { id: proposeSessionId(goal, ports.clock.now(), taken), isNew: true };
  }
  if (taken.some((one) => isSameSession(one, named))) {
    const message = `There is a session ${named} already; a goal opens a new one`;
    throw new CcError('REQUEST_INVALID', message, { hint: `cc deep-interview --session ${named}` });
  }
  if (named.length > MAX_OWN_SESSION_ID) {
    const message = `"${named}" is too long: a new id has at most ${MAX_OWN_SESSION_ID} characters`;
    throw new CcError('SESSION_ID_INVALID', message, { hint: 'cc session list' });
  }
  if (memberOf(named) !== undefined) {
    const message = `"${named}" is the form of a team member's id`;
    throw new CcError('SESSION_ID_INVALID', message, { hint: 'cc session list' });
  }
  return { id: named, isNew: true };
}

/** An empty folder is what a process left that was killed before its first write. */
async function takenIds(root: string): Promise<readonly string[]> {
  const ids = await listSessionIds(root);
  const folder = join(root, '.chainlesschain', 'sessions');
  const isTaken = async (id: string) => {
    const names = await readdir(join(folder, id));
    return names.some((name) => !name.startsWith('.') && !isDraft(name));
  };
  const taken = await Promise.all(ids.map(isTaken));
  return ids.filter((_, index) => taken[index]);
}

/** One question at a time, each with what the answers before it say. */
async function askAll(begun: InterviewState, request: InterviewRequest): Promise<InterviewState> {
  let state = begun;
  if (request.yes) {
    const accepted = acceptRecommended(nextQuestions(state));
    state = { ...state, answers: [...state.answers, ...accepted] };
  }
  for (const asked = new Set<string>(); ; ) {
    const question = nextQuestions(state).find(({ id }) => !asked.has(id));
    if (question === undefined) return state;
    asked.add(question.id);
    const text = await request.ask(question);
    if (text === undefined) return state;
    state = { ...state, answers: [...state.answers, { slot: question.id, text, from: 'prompt' }] };
  }
}

/** What an intent that is there already says, as answers. */
function answersIn(intent: Intent): readonly Answer[] {
  const from = 'intent.md';
  const all = (slot: Answer['slot'], texts: readonly string[]): Answer[] =>
    texts.map((text) => ({ slot, text, from }));
  const scopes = intent.constraints.filter((text) => text.startsWith(SCOPE_PREFIX));
  return [
    ...(hasGoal(intent) ? all('goal', [intent.goal]) : []),
    ...all(
      'scope',
      scopes.map((text) => text.slice(SCOPE_PREFIX.length)),
    ),
    ...all(
      'criterion',
      intent.criteria.map(({ text }) => text),
    ),
    ...all('non-goals', intent.nonGoals),
    ...all(
      'constraints',
      intent.constraints.filter((text) => !scopes.includes(text)),
    ),
  ];
}

/** The scope stands among the constraints, where a person finds it and the plan's skeleton reads it. */
function withScope(draft: IntentDraft): IntentDraft {
  const { scopes, constraints } = draft;
  if (scopes.length === 0 || constraints.some((text) => text.startsWith(SCOPE_PREFIX)))
    return draft;
  return { ...draft, constraints: [`${SCOPE_PREFIX}${scopes.join(', ')}`, ...constraints] };
}

interface Stamp {
  readonly at: string;
  readonly routingHint: object;
  readonly maxRetries: number;
}

function writeIntent(now: Snapshot, draft: IntentDraft, stamp: Stamp): Change {
  const { at, routingHint, maxRetries } = stamp;
  const text = now.texts['intent.md'];
  const limit = now.texts['mode.json'] === undefined ? { maxRetries } : {};
  const intent =
    text === undefined
      ? printIntent({
          sessionId: now.id,
          createdAt: at,
          ...draft,
          criteria: numbered(draft.criteria),
        })
      : mergeIntent(text, now.intent, draft);
  return { files: { 'intent.md': intent }, mode: { routingHint: { ...routingHint }, ...limit } };
}

/** Adds what is new, takes answered questions away, and leaves every other line as the person wrote it. */
function mergeIntent(text: string, intent: Intent, draft: IntentDraft): string {
  const add = (merged: string, [section, items, known]: Addition) =>
    addItems(
      merged,
      section,
      items.filter((item) => !known.includes(item)),
    );
  const start = hasGoal(intent) || draft.goal === '' ? text : setGoal(text, draft.goal);
  const answered = removeItems(start, 'openQuestions', (item) => !isStillOpen(item, draft));
  const additions: readonly Addition[] = [
    ['clarifications', draft.clarifications, intent.clarifications],
    ['nonGoals', draft.nonGoals, intent.nonGoals],
    ['constraints', draft.constraints, intent.constraints],
    ['criteria', draft.criteria, intent.criteria.map((known) => known.text)],
    ['assumptions', draft.assumptions, intent.assumptions],
    ['openQuestions', draft.openQuestions, intent.openQuestions],
  ];
  return additions.reduce(add, answered);
}

type Addition = readonly [IntentList, readonly string[], readonly string[]];

/** A question of the person's own stays until they take it away. */
function isStillOpen(item: string, draft: IntentDraft): boolean {
  const slot = item.slice(0, item.indexOf(':')).trim();
  const isOurs = ['goal', 'scope', 'criterion', 'non-goals', 'constraints'].includes(slot);
  return !isOurs || draft.openQuestions.some((open) => open.startsWith(`${slot}:`));
}

function numbered(criteria: readonly string[]) {
  return criteria.map((text, index) => ({ id: `AC${index + 1}`, text }));
}
