/** Judges the files of sessions without touching them: before a commit, and in CI. */
import { setImmediate as takeTurns } from 'node:timers/promises';
import type { Stage } from '../kernel/protocol/vocabulary.ts';
import { findingsOf, inWords } from './session-facts.ts';
import { readStatus, type SessionStatus, type StatusPorts } from './session-status.ts';

/** Reading waits for nothing, so that without a pause Ctrl-C would be heard only at the end. */
const SESSIONS_PER_TURN = 16;

export const REQUIREMENTS = ['approved', 'verified', 'complete'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export interface CheckedSession {
  readonly id: string;
  readonly stage: string | undefined;
  /** Each with its `file:line` where one is known. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** What cannot be judged on this machine. */
  readonly notes: readonly string[];
}

/** In the order of the ids. Reads only. */
export async function checkSessions(
  ports: StatusPorts,
  ids: readonly string[],
  required: Requirement | undefined,
): Promise<readonly CheckedSession[]> {
  const checked: CheckedSession[] = [];
  for (const [index, id] of ids.entries()) {
    if (index % SESSIONS_PER_TURN === 0) await takeTurns();
    const status = await readStatus(ports, id);
    checked.push(judge(status, conflictsIn(status.texts), required));
  }
  return checked;
}

function judge(
  status: SessionStatus,
  conflicts: readonly string[],
  required: Requirement | undefined,
): CheckedSession {
  const { id } = status;
  if (!status.ok) {
    const errors = conflicts.length > 0 ? conflicts : [status.problem.message];
    return { id, stage: undefined, errors, warnings: [], notes: [] };
  }
  const { facts, documents } = status;
  const findings = documents.plan === undefined ? [] : findingsOf(documents.plan, documents.intent);
  const errors = findings.filter(({ level }) => level === 'error').map(inWords);
  const warnings = findings.filter(({ level }) => level === 'warning').map(inWords);
  const missing = required === undefined ? [] : whatIsMissing(status, required);
  return {
    id,
    stage: facts.stage,
    errors: [...conflicts, ...errors, ...outOfStep(status), ...missing],
    warnings,
    notes: notesOf(status),
  };
}

type Readable = Extract<SessionStatus, { ok: true }>;

const AFTER_APPROVAL: readonly Stage[] = ['execute', 'verify', 'fix-loop', 'complete', 'failed'];

/** States that no command of ours writes. */
function outOfStep({ facts, documents }: Readable): readonly string[] {
  const { plan, stage, evidence } = facts;
  const found: string[] = [];
  if (plan.state === 'unreadable') found.push(plan.detail ?? 'plan.md cannot be read');
  if (plan.state === 'unrecorded') {
    found.push(`${plan.detail ?? 'plan.md'}: approved by hand, but no approval was recorded`);
  }
  const isUnderWay = AFTER_APPROVAL.includes(stage);
  if (isUnderWay && plan.state === 'absent')
    found.push(`mode.json: stage "${stage}" without a plan.md`);
  // Also before the first run: the file says approved, and what it says was not.
  if (plan.state === 'changed') {
    found.push(`${plan.detail ?? 'plan.md'}: changed after it was approved`);
  }
  if (stage === 'complete' && evidence.status !== 'passed') {
    found.push(`mode.json: stage "complete", but verify.json is ${evidence.status}`);
  }
  const { verify } = documents;
  if (stage === 'complete' && verify !== undefined && verify.planHash !== documents.planHash) {
    found.push('verify.json: it is about another plan');
  }
  return found;
}

function whatIsMissing({ facts, documents }: Readable, required: Requirement): readonly string[] {
  const { plan, stage, evidence, openTasks } = facts;
  const isApproved = plan.state === 'approved' || plan.state === 'foreign';
  const isVerified =
    isApproved &&
    evidence.status === 'passed' &&
    // Whoever has the key can tell a forged result; whoever has not goes by the hash.
    (evidence.sealed || plan.state === 'foreign') &&
    documents.verify?.planHash === documents.planHash &&
    evidence.unproven.length === 0 &&
    evidence.proofs > 0 &&
    openTasks.length === 0;
  const isThere = {
    approved: isApproved,
    verified: isVerified,
    complete: isVerified && stage === 'complete',
  }[required];
  return isThere ? [] : [`not ${required} (stage "${stage}", plan ${plan.state})`];
}

function notesOf({ facts, documents }: Readable): readonly string[] {
  const { plan, evidence } = facts;
  const notes: string[] = [];
  if (plan.state === 'foreign')
    notes.push(`approved by ${plan.detail ?? 'somebody'}; seal not checkable here`);
  const isForeign = evidence.status !== 'absent' && !evidence.sealed && plan.state === 'foreign';
  if (isForeign) notes.push('verify.json: seal not checkable here');
  const isForged = evidence.status !== 'absent' && !evidence.sealed && plan.state === 'approved';
  if (isForged && documents.verify !== undefined) {
    notes.push('verify.json: not as cc verify wrote it on this machine');
  }
  return notes;
}

const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

/** Marks that a merge left in a document, each with its line. Setext headings are shorter or longer. */
function conflictsIn(texts: SessionStatus['texts']): readonly string[] {
  return Object.entries(texts ?? {}).flatMap(([name, text]: [string, string | undefined]) => {
    if (text === undefined || !text.includes('<<<<<<<')) return [];
    const lines = text.split('\n');
    const at = lines.findIndex((line) => MARKER.test(line));
    const hasEnd = lines.some((line) => /^>{7}(?: |$)/.test(line));
    return at >= 0 && hasEnd ? [`${name}:${at + 1}: a merge left a conflict here`] : [];
  });
}
