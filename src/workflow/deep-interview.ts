/** Clarifies what is wanted: reads the request, asks for what is missing, writes intent.md. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../kernel/base/errors.ts';
import { isFillIn } from '../kernel/base/fill-in.ts';
import { isDraft } from '../kernel/base/files.ts';
import { isSameSession, MAX_OWN_SESSION_ID, memberOf } from '../kernel/base/ids.ts';
import { type SessionId } from '../kernel/protocol/vocabulary.ts';
import { hasGoal } from './documents/goal.ts';
import { ensureFolder } from './init-project.ts';
import { classifyIntake } from './intake/classifier.ts';
import { answersToIntent, type IntentDraft } from './intake/intent-draft.ts';
import { nextQuestions } from './intake/interview.ts';
import { acceptRecommended, readOpenQuestions } from './intake/interview-input.ts';
import {
  type Answer,
  type InterviewState,
  type Question,
  SLOTS,
} from './intake/interview-model.ts';
import { namesPaths } from './intake/interview-slots.ts';
import { openSlots } from './intake/open-questions.ts';
import { type Anchors, readAnchors } from './intake/request-anchors.ts';
import { type BadPart, badPartOf, missingIn } from './intake/scope-answer.ts';
import { proposeSessionId } from './intake/session-id.ts';
import type { ProjectSurvey } from './intake/survey-model.ts';
import { listSessionIds, useSession } from './pick-session.ts';
import type { WorkflowPorts } from './ports.ts';
import { openSession, type Snapshot } from './session-dir.ts';
import { type Decision, decide, refuse } from './transitions.ts';
import { hasDocuments, refuseTaken } from './taken.ts';
import { answersIn, withScope, writeIntent } from './write-intent.ts';

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
      /** Paths of the scope where nothing stands yet. */
      readonly missing: readonly string[];
      readonly language: Anchors['language'];
      /** What the project is, as far as files tell. */
      readonly survey: ProjectSurvey;
      readonly routingHint: object;
      /** In the session's folder. */
      readonly files: readonly string[];
      /** Made in the project beside the sessions, where they were missing. */
      readonly projectFiles: readonly string[];
    };

export interface InterviewSession {
  readonly id: SessionId;
  readonly isNew: boolean;
}

/**
 * Questions nobody answered are written into intent.md, where an editor can answer them. Refuses a new
 * session whose id another process took meanwhile; see `isTaken`.
 */
export async function deepInterview(
  ports: WorkflowPorts,
  request: InterviewRequest,
): Promise<InterviewResult> {
  const { id, isNew } = request.session;
  const { maxRetries } = request;
  const session = openSession(ports, id);
  const shown = await session.read();
  if (isNew && hasDocuments(shown.texts)) return refuseTaken(id);
  const decision = decide(shown.facts, 'interview');
  if (!decision.allowed) return decision;

  const told = [...readOpenQuestions(shown.intent.openQuestions), ...request.answers];
  await assertScopes(ports.root, told);
  const survey = await request.survey();
  const text = request.goal ?? shown.intent.goal;
  const { begun, known } = beginning(shown, { text, told, survey });
  const state = await askAll(ports.root, begun, request);
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
    isNew,
    change(now) {
      const at = ports.clock.now().toISOString();
      const replacesScope = news.answers.some(({ slot }) => slot === 'scope');
      const change = writeIntent(now, draft, { at, routingHint, maxRetries, replacesScope });
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
    missing: await missingIn(ports.root, draft.scopes),
    language: state.anchors.language,
    survey,
    routingHint,
    files,
    projectFiles: made,
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
    const { code, message, remedy } = refuseTaken(named).refusal;
    throw new CcError(code, message, { hint: remedy });
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

/**
 * What is known when the asking begins. A request is read for criteria and limits once: what a person
 * took out of the document since then stays out.
 */
function beginning(
  { intent, texts }: Snapshot,
  asked: {
    readonly text: string;
    readonly told: readonly Answer[];
    readonly survey: ProjectSurvey;
  },
): { readonly begun: InterviewState; readonly known: readonly Answer[] } {
  const { text, told, survey } = asked;
  const isFirst = texts['mode.json'] === undefined || !hasGoal(intent);
  const hasScope = told.some(({ slot }) => slot === 'scope');
  const before = texts['intent.md'] === undefined ? [] : answersIn(intent);
  const known = before.filter(({ slot }) => slot !== 'scope' || !hasScope);
  const read = readAnchors(text, survey);
  const none = { criteria: [], nonGoals: [], constraints: [], scopes: [], paths: [] };
  const open = openSlots(intent.openQuestions);
  const settled = SLOTS.filter((slot) => slot !== 'goal' && !open.includes(slot));
  const answers = [...known, ...told];
  const begun = isFirst
    ? { anchors: read, survey, answers }
    : { anchors: { ...read, ...none }, survey, answers, settled };
  return { begun, known };
}

/** @throws {CcError} `REQUEST_INVALID` for what can be no scope; nothing is taken for "everywhere". */
async function assertScopes(root: string, answers: readonly Answer[]): Promise<void> {
  for (const answer of answers.filter(namesPaths)) {
    const bad = await badPartOf(root, answer.text);
    if (bad === undefined) continue;
    const isWritten = answer.from === 'intent.md';
    const where = isWritten ? 'The answer to "scope" in intent.md' : answer.from;
    const hint = isWritten ? 'cc deep-interview' : 'cc deep-interview --help';
    throw new CcError('REQUEST_INVALID', `${where}: ${inWords(bad)}`, { hint });
  }
}

function inWords({ part, problem }: BadPart): string {
  return `"${part}" ${problem}; a scope is paths or globs of the project, one with a blank in quotes`;
}

/** A person who answers thus never leaves the question; then it stays open. */
const MAX_TRIES = 5;

/** One question at a time, each with what the answers before it say. What nobody answers stays open. */
async function askAll(
  root: string,
  begun: InterviewState,
  request: InterviewRequest,
): Promise<InterviewState> {
  let state = begun;
  if (request.yes) {
    const accepted = acceptRecommended(nextQuestions(state));
    state = { ...state, answers: [...state.answers, ...accepted] };
  }
  for (const asked = new Set<string>(); ; ) {
    const question = nextQuestions(state).find(({ id }) => !asked.has(id));
    if (question === undefined) return state;
    asked.add(question.id);
    const answer = await askOne(root, question, request);
    if (answer !== undefined) state = { ...state, answers: [...state.answers, answer] };
  }
}

async function askOne(
  root: string,
  question: Question,
  request: InterviewRequest,
): Promise<Answer | undefined> {
  let shown = question;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = await request.ask(shown);
    if (text === undefined || text.trim() === '') return undefined;
    const answer: Answer = { slot: question.id, text, from: 'prompt' };
    if (isFillIn(text)) {
      shown = { ...question, why: `Replace ${text.trim()} by your own words.` };
      continue;
    }
    const bad = namesPaths(answer) ? await badPartOf(root, text) : undefined;
    if (bad === undefined) return answer;
    shown = { ...question, why: inWords(bad) };
  }
  return undefined;
}
