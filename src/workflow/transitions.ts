/** The workflow's rules as data. Pure: facts in, decision out; reading and writing happen elsewhere. */
import type { ErrorCode } from '../kernel/base/errors.ts';
import type { Stage } from '../kernel/protocol/vocabulary.ts';
import { isProven, whyUnproven } from './proof.ts';

/** What the session's files say now. Read afresh for every decision, because people edit them. */
export interface SessionFacts {
  readonly stage: Stage;
  readonly hasGoal: boolean;
  /** Questions of the interview that nobody answered. */
  readonly openQuestions: number;
  readonly plan: PlanFacts;
  /** Errors that keep a plan from being approved, each with its `file:line`. */
  readonly planErrors: readonly string[];
  readonly evidence: Evidence;
  /** Ids of checks that failed, and that `ralph` has not seen pass since. */
  readonly failing: readonly string[];
  /** A plan was read here before, so that one beside an intent is of an earlier round. */
  readonly hasTasks: boolean;
  /** Titles of tasks that are not completed. */
  readonly openTasks: readonly string[];
  /** The step that is due cannot go on before its text is changed. */
  readonly needsPlan?: boolean;
  /** Failed verifies that count against `maxRetries`; see `afterVerify`. */
  readonly retries: number;
  readonly maxRetries: number;
}

/**
 * `unrecorded`: somebody wrote the flag by hand. `changed`: approved, then edited. `foreign`: approved
 * with a key that is not this person's. `unreadable`: the front matter cannot be read.
 */
export type PlanState =
  | 'absent'
  | 'unreadable'
  | 'draft'
  | 'unrecorded'
  | 'changed'
  | 'foreign'
  | 'approved';

export interface PlanFacts {
  readonly state: PlanState;
  /** What a message says about this state: a position, a name, what changed. */
  readonly detail?: string;
}

export type Evidence =
  | { readonly status: 'absent' }
  | {
      readonly status: 'failed' | 'partial' | 'passed';
      readonly unproven: readonly string[];
      /** Passed checks and reviews; a waiver is none. */
      readonly proofs: number;
      /** Checks that did not pass. */
      readonly failed: number;
      /** False when `cc verify` on this machine did not write the file as it stands. */
      readonly sealed: boolean;
      /** False when the tree or a task is not as it was verified; also while nobody has looked. */
      readonly fresh: boolean;
    };

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** The one command that resolves it. */
  readonly remedy: string;
  /** Facts for programs. */
  readonly details?: Readonly<Record<string, unknown>>;
}

interface Gate {
  readonly code: ErrorCode;
  /** In order of preference; the first that is allowed right now becomes the remedy. */
  readonly fix: readonly Action[];
  /** A remedy that names more than an action does; `undefined` leaves it to `fix`. */
  readonly remedy?: (facts: SessionFacts) => string | undefined;
  readonly holds: (facts: SessionFacts) => boolean;
  readonly message: (facts: SessionFacts) => string;
}

const TALK = ['interview', 'resetToIntent'] as const;
const DRAFT = ['draft', 'reopen', 'resetToPlan', ...TALK] as const;
const EDIT = ['edit', 'reopen', 'resetToPlan', ...TALK] as const;
const APPROVE = ['approve', 'amend', 'reopen', 'edit', 'revise', 'resetToPlan', ...TALK] as const;
const WORK = ['execute', 'verify', 'approve', 'amend', 'reopen', 'resetToExecute'] as const;
const CHECK = ['verify', 'execute', 'approve', 'amend', 'reopen', 'resetToExecute'] as const;
const REPAIR = ['repair'] as const;

const planIs = (...states: readonly PlanState[]) => {
  return ({ plan }: SessionFacts) => !states.includes(plan.state);
};
const withDetail = (text: string) => {
  return ({ plan }: SessionFacts) => (plan.detail === undefined ? text : `${plan.detail}: ${text}`);
};

// Not here: G2 is `APPROVED` in front of progress lines and task status; G4 (the id and its folder) holds
// before there are facts, in `sessionIdSchema` and `openSessionDir`.
const GATES = {
  intent: {
    code: 'INTENT_REQUIRED',
    fix: TALK,
    holds: (f) => f.hasGoal,
    message: () => 'There is no intent.md with a goal',
  },
  plan: {
    code: 'PLAN_REQUIRED',
    fix: DRAFT,
    holds: planIs('absent'),
    message: () => 'There is no plan.md',
  },
  readable: {
    code: 'SESSION_DAMAGED',
    fix: REPAIR,
    holds: planIs('unreadable'),
    message: withDetail('the front matter cannot be read'),
  },
  lint: {
    code: 'PLAN_INVALID',
    fix: EDIT,
    holds: (f) => f.planErrors.length === 0,
    message: (f) => f.planErrors.join('\n'),
  },
  flag: {
    code: 'PLAN_APPROVAL_REQUIRED',
    fix: APPROVE,
    holds: planIs('draft'),
    message: withDetail('The plan is not approved'),
  },
  record: {
    code: 'PLAN_APPROVAL_REQUIRED',
    fix: APPROVE,
    holds: planIs('unrecorded'),
    message: ({ plan }) => `${plan.detail ?? 'plan.md'} says approved, but none was recorded`,
  },
  same: {
    code: 'PLAN_CHANGED_SINCE_APPROVAL',
    fix: APPROVE,
    holds: planIs('changed'),
    message: withDetail('the plan was edited after it was approved'),
  },
  own: {
    code: 'APPROVAL_NOT_YOURS',
    fix: APPROVE,
    holds: planIs('foreign'),
    message: ({ plan }) =>
      `The plan was approved by ${plan.detail ?? 'somebody else'} elsewhere, or that approval was taken back or lost`,
  },
  retry: {
    code: 'RETRIES_EXHAUSTED',
    fix: CHECK,
    holds: (f) => f.retries <= f.maxRetries,
    message: (f) =>
      `The checks failed ${f.retries} times after a change: fix it yourself, then verify`,
  },
  proof: {
    code: 'VERIFICATION_REQUIRED',
    fix: CHECK,
    remedy: proofRemedy,
    holds: (f) => isProven(f.evidence),
    message: (f) => whyUnproven(f.evidence),
  },
  tasks: {
    code: 'VERIFICATION_REQUIRED',
    fix: WORK,
    holds: (f) => f.openTasks.length === 0,
    message: (f) => `Not completed: ${f.openTasks.join(', ')}`,
  },
  fresh: {
    code: 'VERIFICATION_STALE',
    fix: CHECK,
    holds: (f) => f.evidence.status !== 'absent' && f.evidence.fresh,
    message: () => 'Something changed after it was verified',
  },
} as const satisfies Record<string, Gate>;

type GateName = keyof typeof GATES;

/** Enough to look at what somebody else approved: `verify` then shows its commands and asks once. */
const APPROVED = ['plan', 'readable', 'flag', 'record', 'same'] as const;
const G3 = [...APPROVED, 'own'] as const;
const APPROVABLE = ['intent', 'plan', 'readable', 'lint'] as const;

interface Transition {
  readonly command: string;
  readonly from: readonly Stage[] | 'any';
  readonly to: Stage | ((facts: SessionFacts) => Stage);
  /** Tried in order; the first that does not hold is the refusal. */
  readonly gates: readonly GateName[];
}

const same = ({ stage }: SessionFacts) => stage;
const PLANNING: readonly Stage[] = ['intent', 'plan', 'execute', 'verify', 'fix-loop', 'failed'];
const UNDER_WAY: readonly Stage[] = ['execute', 'verify', 'fix-loop'];

const RESETS = ['resetToExecute', 'resetToPlan', 'resetToIntent'] as const;
const VERBS = [
  'interview',
  'draft',
  'compile',
  'edit',
  'revise',
  'reject',
  'approve',
  'amend',
  'execute',
  'verify',
  'complete',
] as const;
export type Action = (typeof VERBS | typeof RESETS)[number] | 'cancel' | 'reopen' | 'repair';

export const TRANSITIONS: Readonly<Record<Action, Transition>> = {
  interview: {
    command: 'cc deep-interview',
    from: ['none', 'intent'],
    to: 'intent',
    gates: [],
  },
  draft: { command: 'cc ralplan', from: PLANNING, to: 'plan', gates: ['intent'] },
  /** Reads a plan that a person wrote or edited; the approval stays while it means the same. */
  compile: {
    command: 'cc ralplan',
    from: PLANNING,
    to: (facts) => (facts.stage === 'intent' ? 'plan' : facts.stage),
    gates: ['intent', 'plan', 'readable'],
  },
  edit: { command: 'cc ralplan --edit', from: PLANNING, to: same, gates: ['intent', 'plan'] },
  revise: { command: 'cc ralplan --revise', from: PLANNING, to: 'plan', gates: ['intent'] },
  reject: {
    command: 'cc ralplan --reject',
    from: PLANNING,
    to: 'plan',
    gates: ['intent', 'plan', 'readable'],
  },
  approve: {
    command: 'cc ralplan --approve',
    from: ['intent', 'plan'],
    to: 'plan',
    gates: APPROVABLE,
  },
  amend: {
    command: 'cc ralplan --approve',
    from: UNDER_WAY,
    to: 'execute',
    gates: APPROVABLE,
  },
  execute: {
    command: 'cc ralph',
    from: ['plan', 'execute', 'fix-loop'],
    to: 'execute',
    gates: [...G3, 'retry'],
  },
  verify: {
    command: 'cc verify',
    from: [...UNDER_WAY, 'failed'],
    to: 'verify',
    gates: APPROVED,
  },
  complete: {
    command: 'cc complete',
    from: ['verify'],
    to: 'complete',
    gates: [...G3, 'tasks', 'proof', 'fresh'],
  },
  cancel: { command: 'cc cancel', from: 'any', to: same, gates: [] },
  reopen: {
    command: 'cc reopen',
    from: ['complete', 'failed'],
    to: ({ plan }) => (plan.state === 'approved' ? 'execute' : 'plan'),
    gates: [],
  },
  resetToIntent: { command: 'cc reset --to intent', from: 'any', to: 'intent', gates: [] },
  resetToPlan: { command: 'cc reset --to plan', from: 'any', to: 'plan', gates: [] },
  resetToExecute: { command: 'cc reset --to execute', from: 'any', to: 'execute', gates: [] },
  repair: { command: 'cc repair', from: 'any', to: same, gates: [] },
};

/** Every action of the table. */
// The keys of the table are its actions.
export const ACTIONS = Object.keys(TRANSITIONS) as readonly Action[];

export type Decision =
  | { readonly allowed: true; readonly to: Stage }
  | { readonly allowed: false; readonly refusal: Refusal };

/** Opens a session beside those that there are. */
export const NEW_SESSION = 'cc deep-interview "<what you want>"';

/** Gates speak before the stage check: "approve the plan" helps more than "wrong stage". */
export function decide(facts: SessionFacts, action: Action): Decision {
  const closed = closedGate(facts, action);
  if (closed !== undefined) {
    const gate: Gate = GATES[closed];
    const remedy = gate.fix.find((candidate) => isWay(facts, candidate));
    return refuse(gate.code, gate.message(facts), gate.remedy?.(facts) ?? commandOf(remedy));
  }
  if (fitsStage(facts.stage, action)) return { allowed: true, to: targetOf(facts, action) };
  const message = `${TRANSITIONS[action].command} does not fit stage "${facts.stage}"`;
  return refuse('STAGE_MISMATCH', message, wayTo(facts, action));
}

/** What makes room for an action that does not fit the stage. */
function wayTo(facts: SessionFacts, action: Action): string {
  // What is finished stays so: new words are a new session.
  if (action === 'interview' && facts.stage === 'complete') return NEW_SESSION;
  const ways = MILDEST_FIRST.filter((candidate) => isWay(facts, candidate));
  const direct = ways.find((candidate) => fitsCommand(targetOf(facts, candidate), action));
  // Nobody is sent over an approval that is missing.
  const isJump = direct === 'resetToExecute';
  const missing = isJump ? ways.find((one) => one === 'approve' || one === 'amend') : undefined;
  return commandOf(missing ?? direct ?? ways[0]);
}

/** What `--approve` means now: an approval, or the amendment of a plan that is being carried out. */
export function approvalIn(stage: Stage): 'approve' | 'amend' {
  return UNDER_WAY.includes(stage) ? 'amend' : 'approve';
}

export function refuse(
  code: ErrorCode,
  message: string,
  remedy: string,
): Extract<Decision, { allowed: false }> {
  return { allowed: false, refusal: { code, message, remedy } };
}

/** Stage and counter once the checks have run (V2, V4). `counts`: an executor changed the tree and broke it. */
export function afterVerify(
  { retries, maxRetries }: Pick<SessionFacts, 'retries' | 'maxRetries'>,
  run: { readonly passed: boolean; readonly counts: boolean },
): { readonly stage: Stage; readonly retries: number } {
  if (run.passed) return { stage: 'verify', retries: 0 };
  const used = retries + (run.counts ? 1 : 0);
  return { stage: used > maxRetries ? 'failed' : 'fix-loop', retries: used };
}

const MILDEST_FIRST = [
  'interview',
  'draft',
  'approve',
  'amend',
  'reopen',
  'execute',
  'verify',
  ...RESETS,
] as const;

/** Allowed, and leads somewhere: on a plan that is there `cc ralplan` only reads it, and an approval stands. */
function isWay(facts: SessionFacts, action: Action): boolean {
  if (action === 'draft' && facts.plan.state !== 'absent') return false;
  if (action === 'amend' && facts.plan.state === 'approved') return false;
  if (action === 'resetToPlan' && (facts.stage === 'plan' || !facts.hasGoal)) return false;
  return isPossible(facts, action);
}

function closedGate(facts: SessionFacts, action: Action): GateName | undefined {
  return TRANSITIONS[action].gates.find((name) => !GATES[name].holds(facts));
}

function fitsStage(stage: Stage, action: Action): boolean {
  const { from } = TRANSITIONS[action];
  return from === 'any' || from.includes(stage);
}

/** `cc ralplan --approve` is an approval in one stage and an amendment in another. */
function fitsCommand(stage: Stage, action: Action): boolean {
  const { command } = TRANSITIONS[action];
  return ACTIONS.some((one) => TRANSITIONS[one].command === command && fitsStage(stage, one));
}

/** Whether the action would be allowed. */
export function isPossible(facts: SessionFacts, action: Action): boolean {
  return closedGate(facts, action) === undefined && fitsStage(facts.stage, action);
}

function targetOf(facts: SessionFacts, action: Action): Stage {
  const { to } = TRANSITIONS[action];
  return typeof to === 'function' ? to(facts) : to;
}

function commandOf(remedy: Action | undefined): string {
  return remedy === undefined ? 'cc status' : TRANSITIONS[remedy].command;
}

/**
 * What running the checks once more cannot bring: a person's word for a criterion, or a plan that proves
 * something. `undefined` while a check failed, or nobody has looked.
 */
export function proofRemedy(facts: SessionFacts): string | undefined {
  const { stage, evidence, openTasks } = facts;
  if (stage !== 'fix-loop' || evidence.status === 'absent' || !evidence.sealed) return undefined;
  if (evidence.failed > 0 || openTasks.length > 0) return undefined;
  const [first] = evidence.unproven;
  if (first !== undefined) return `${TRANSITIONS.verify.command} --accept ${first} --reason "…"`;
  return isPossible(facts, 'edit') ? TRANSITIONS.edit.command : undefined;
}
