import { expect, test } from 'vitest';
import { nextCommand } from '../../src/workflow/next-command.ts';
import {
  ACTIONS,
  type Action,
  afterVerify,
  approvalIn,
  decide,
  type Evidence,
  isPossible,
  NEW_SESSION,
  type PlanState,
  type SessionFacts,
  TRANSITIONS,
} from '../../src/workflow/transitions.ts';

const STAGES = [
  'none',
  'intent',
  'plan',
  'execute',
  'verify',
  'fix-loop',
  'complete',
  'failed',
] as const;
const PLAN_STATES: readonly PlanState[] = [
  'absent',
  'unreadable',
  'draft',
  'unrecorded',
  'changed',
  'foreign',
  'approved',
];

const PASSED = {
  status: 'passed',
  unproven: [],
  proofs: 1,
  failed: 0,
  sealed: true,
  fresh: true,
} as const satisfies Evidence;

/** Every gate holds; each test below closes exactly one. */
const OPEN: SessionFacts = {
  stage: 'none',
  hasGoal: true,
  plan: { state: 'approved' },
  planErrors: [],
  evidence: PASSED,
  failing: [],
  openQuestions: 0,
  hasTasks: true,
  openTasks: [],
  retries: 0,
  maxRetries: 3,
};
const planIs = (state: PlanState, detail?: string): Partial<SessionFacts> => ({
  plan: detail === undefined ? { state } : { state, detail },
});
const evidenceIs = (change: Partial<typeof PASSED> | Record<string, unknown>) => ({
  // Each row names keys of evidence with values of their types.
  evidence: { ...PASSED, ...change } as Evidence,
});

test('with every gate open, the stages allow exactly this', () => {
  const always = ['cancel', 'resetToIntent', 'resetToPlan', 'resetToExecute', 'repair'];
  const matrix = STAGES.map((stage) => {
    const allowed = ACTIONS.filter((action) => decide({ ...OPEN, stage }, action).allowed);
    expect(allowed).toEqual(expect.arrayContaining(always));
    return `${stage}: ${allowed.filter((action) => !always.includes(action)).join(' ')}`;
  });
  expect(matrix).toEqual([
    'none: interview',
    'intent: interview draft compile edit revise reject approve',
    'plan: draft compile edit revise reject approve execute',
    'execute: draft compile edit revise reject amend execute verify',
    'verify: draft compile edit revise reject amend verify complete',
    'fix-loop: draft compile edit revise reject amend execute verify',
    'complete: reopen',
    'failed: draft compile edit revise reject verify reopen',
  ]);
});

test('from where each action leads where', () => {
  const lines = ACTIONS.map((action) => {
    const ways = STAGES.flatMap((stage) => {
      const decision = decide({ ...OPEN, stage }, action);
      return decision.allowed ? [`${stage}→${decision.to}`] : [];
    });
    return `${action}: ${ways.join(' ')}`;
  });
  const everywhere = (to: string) => STAGES.map((stage) => `${stage}→${to}`).join(' ');
  const inPlace = STAGES.map((stage) => `${stage}→${stage}`).join(' ');
  expect(lines).toEqual([
    'interview: none→intent intent→intent',
    'draft: intent→plan plan→plan execute→plan verify→plan fix-loop→plan failed→plan',
    'compile: intent→plan plan→plan execute→execute verify→verify fix-loop→fix-loop failed→failed',
    'edit: intent→intent plan→plan execute→execute verify→verify fix-loop→fix-loop failed→failed',
    'revise: intent→plan plan→plan execute→plan verify→plan fix-loop→plan failed→plan',
    'reject: intent→plan plan→plan execute→plan verify→plan fix-loop→plan failed→plan',
    'approve: intent→plan plan→plan',
    'amend: execute→execute verify→execute fix-loop→execute',
    'execute: plan→execute execute→execute fix-loop→execute',
    'verify: execute→verify verify→verify fix-loop→verify failed→verify',
    'complete: verify→complete',
    `cancel: ${inPlace}`,
    'reopen: complete→execute failed→execute',
    `resetToIntent: ${everywhere('intent')}`,
    `resetToPlan: ${everywhere('plan')}`,
    `resetToExecute: ${everywhere('execute')}`,
    `repair: ${inPlace}`,
  ]);
});

const APPROVE = 'cc ralplan --approve';
const REVISE = 'cc ralplan --revise';
const ACCEPT = 'cc verify --accept AC2 --reason "…"';

test.each<[Action, (typeof STAGES)[number], Partial<SessionFacts>, string, string]>([
  ['draft', 'intent', { hasGoal: false }, 'INTENT_REQUIRED', 'cc deep-interview'],
  ['draft', 'plan', { hasGoal: false }, 'INTENT_REQUIRED', 'cc reset --to intent'],
  ['compile', 'plan', planIs('absent'), 'PLAN_REQUIRED', 'cc ralplan'],
  ['compile', 'plan', planIs('unreadable'), 'SESSION_DAMAGED', 'cc repair'],
  ['edit', 'plan', planIs('absent'), 'PLAN_REQUIRED', 'cc ralplan'],
  ['reject', 'plan', planIs('absent'), 'PLAN_REQUIRED', 'cc ralplan'],
  ['approve', 'plan', planIs('absent'), 'PLAN_REQUIRED', 'cc ralplan'],
  ['approve', 'plan', planIs('unreadable'), 'SESSION_DAMAGED', 'cc repair'],
  ['approve', 'plan', { planErrors: ['plan.md:9: x'] }, 'PLAN_INVALID', 'cc ralplan --edit'],
  ['amend', 'execute', { planErrors: ['plan.md:9: x'] }, 'PLAN_INVALID', 'cc ralplan --edit'],
  ['execute', 'plan', planIs('absent'), 'PLAN_REQUIRED', 'cc ralplan'],
  ['execute', 'plan', planIs('unreadable'), 'SESSION_DAMAGED', 'cc repair'],
  ['execute', 'plan', planIs('draft'), 'PLAN_APPROVAL_REQUIRED', 'cc ralplan --approve'],
  ['execute', 'plan', planIs('unrecorded'), 'PLAN_APPROVAL_REQUIRED', 'cc ralplan --approve'],
  ['execute', 'plan', planIs('changed'), 'PLAN_CHANGED_SINCE_APPROVAL', 'cc ralplan --approve'],
  ['execute', 'plan', planIs('foreign'), 'APPROVAL_NOT_YOURS', 'cc ralplan --approve'],
  ['execute', 'execute', planIs('changed'), 'PLAN_CHANGED_SINCE_APPROVAL', 'cc ralplan --approve'],
  ['execute', 'execute', planIs('foreign'), 'APPROVAL_NOT_YOURS', 'cc ralplan --approve'],
  ['execute', 'failed', planIs('changed'), 'PLAN_CHANGED_SINCE_APPROVAL', 'cc reopen'],
  ['execute', 'failed', { retries: 4 }, 'RETRIES_EXHAUSTED', 'cc verify'],
  ['execute', 'complete', {}, 'STAGE_MISMATCH', 'cc reopen'],
  ['execute', 'verify', {}, 'STAGE_MISMATCH', 'cc reset --to execute'],
  ['execute', 'none', {}, 'STAGE_MISMATCH', 'cc reset --to execute'],
  ['approve', 'failed', {}, 'STAGE_MISMATCH', 'cc reopen'],
  ['approve', 'complete', {}, 'STAGE_MISMATCH', 'cc reopen'],
  ['interview', 'plan', {}, 'STAGE_MISMATCH', 'cc reset --to intent'],
  ['interview', 'complete', {}, 'STAGE_MISMATCH', 'cc deep-interview "<what you want>"'],
  ['draft', 'none', {}, 'STAGE_MISMATCH', 'cc deep-interview'],
  ['reopen', 'plan', {}, 'STAGE_MISMATCH', 'cc ralplan --approve'],
  ['verify', 'plan', {}, 'STAGE_MISMATCH', 'cc ralph'],
  ['verify', 'plan', planIs('foreign'), 'STAGE_MISMATCH', 'cc ralplan --approve'],
  ['verify', 'complete', {}, 'STAGE_MISMATCH', 'cc reopen'],
  ['verify', 'execute', planIs('changed'), 'PLAN_CHANGED_SINCE_APPROVAL', 'cc ralplan --approve'],
  ['complete', 'execute', {}, 'STAGE_MISMATCH', 'cc verify'],
  ['complete', 'verify', planIs('foreign'), 'APPROVAL_NOT_YOURS', 'cc ralplan --approve'],
  ['complete', 'plan', { openTasks: ['a'] }, 'VERIFICATION_REQUIRED', 'cc ralph'],
  ['complete', 'verify', { openTasks: ['a'] }, 'VERIFICATION_REQUIRED', 'cc verify'],
  ['complete', 'verify', { evidence: { status: 'absent' } }, 'VERIFICATION_REQUIRED', 'cc verify'],
  ['complete', 'verify', evidenceIs({ status: 'partial' }), 'VERIFICATION_REQUIRED', 'cc verify'],
  ['complete', 'verify', evidenceIs({ status: 'failed' }), 'VERIFICATION_REQUIRED', 'cc verify'],
  ['complete', 'verify', evidenceIs({ proofs: 0 }), 'VERIFICATION_REQUIRED', 'cc verify'],
  ['complete', 'verify', evidenceIs({ unproven: ['AC2'] }), 'VERIFICATION_REQUIRED', 'cc verify'],
  ['complete', 'verify', evidenceIs({ sealed: false }), 'VERIFICATION_REQUIRED', 'cc verify'],
  ['complete', 'verify', evidenceIs({ fresh: false }), 'VERIFICATION_STALE', 'cc verify'],
  ['complete', 'fix-loop', evidenceIs({ unproven: ['AC2'] }), 'VERIFICATION_REQUIRED', ACCEPT],
  ['complete', 'fix-loop', evidenceIs({ proofs: 0 }), 'VERIFICATION_REQUIRED', 'cc ralplan --edit'],
  [
    'complete',
    'fix-loop',
    evidenceIs({ status: 'failed', failed: 1, unproven: ['AC2'] }),
    'VERIFICATION_REQUIRED',
    'cc verify',
  ],
])('%s in stage %s with %j is %s, and %s helps', (action, stage, closed, code, remedy) => {
  expect(decide({ ...OPEN, stage, ...closed }, action)).toMatchObject({
    allowed: false,
    refusal: { code, remedy },
  });
});

test.each<[string, Action, Partial<SessionFacts>, string]>([
  ['a position', 'execute', planIs('unrecorded', 'plan.md:3'), 'plan.md:3 says approved, but none'],
  ['a word', 'execute', planIs('draft', 'plan.md:3: "yes"'), 'plan.md:3: "yes": The plan is not'],
  [
    'what differs',
    'execute',
    planIs('changed', 'tasks.json: title'),
    'tasks.json: title: the plan',
  ],
  ['who', 'execute', planIs('foreign', 'Ben (terminal)'), 'approved by Ben (terminal) elsewhere'],
  ['every lint error', 'approve', { planErrors: ['a', 'b'] }, 'a\nb'],
  ['the open tasks', 'complete', { openTasks: ['Write', 'Tell'] }, 'Not completed: Write, Tell'],
  ['the count', 'execute', { retries: 4 }, 'failed 4 times'],
  ['the criterion', 'complete', evidenceIs({ unproven: ['AC2'] }), 'Not proven: AC2'],
  ['failed checks', 'complete', evidenceIs({ failed: 2, status: 'partial' }), 'not pass: 2'],
  ['the absence of proof', 'complete', evidenceIs({ proofs: 0 }), 'Nothing was proven'],
  ['a foreign file', 'complete', evidenceIs({ sealed: false }), 'not as cc verify wrote it'],
])('a refusal tells %s', (_what, action, closed, message) => {
  const decision = decide({ ...OPEN, stage: 'execute', ...closed }, action);
  expect(decision).toMatchObject({ refusal: { message: expect.stringContaining(message) } });
});

test('verify looks at a plan that somebody else approved', () => {
  const facts = { ...OPEN, stage: 'failed', plan: { state: 'foreign' } } as const;
  expect(decide(facts, 'verify')).toEqual({ allowed: true, to: 'verify' });
});

test('a reopened session goes on where its approval lets it', () => {
  const where = (state: PlanState) =>
    decide({ ...OPEN, stage: 'complete', plan: { state } }, 'reopen');
  expect(where('approved')).toEqual({ allowed: true, to: 'execute' });
  expect(where('changed')).toEqual({ allowed: true, to: 'plan' });
});

test('an approval is an amendment while the plan is carried out', () => {
  expect(STAGES.map((stage) => `${stage}: ${approvalIn(stage)}`)).toEqual([
    'none: approve',
    'intent: approve',
    'plan: approve',
    'execute: amend',
    'verify: amend',
    'fix-loop: amend',
    'complete: approve',
    'failed: approve',
  ]);
});

test.each([
  [0, { passed: false, counts: true }, { stage: 'fix-loop', retries: 1 }],
  [2, { passed: false, counts: true }, { stage: 'fix-loop', retries: 3 }],
  [3, { passed: false, counts: true }, { stage: 'failed', retries: 4 }],
  [0, { passed: false, counts: false }, { stage: 'fix-loop', retries: 0 }],
  [3, { passed: false, counts: false }, { stage: 'fix-loop', retries: 3 }],
  [4, { passed: false, counts: false }, { stage: 'failed', retries: 4 }],
  [4, { passed: true, counts: true }, { stage: 'verify', retries: 0 }],
])('after %i retries, %j leads to %j', (retries, run, expected) => {
  expect(afterVerify({ retries, maxRetries: 3 }, run)).toEqual(expected);
});

/** Every combination that files can be in. */
const ALL_FACTS = STAGES.flatMap((stage) => variantsOf({ ...OPEN, stage }));

test('every refusal names a command that is itself allowed', () => {
  // What is not closed cannot be reopened, and nothing needs to be done about it.
  const wanted = ACTIONS.filter((action) => action !== 'reopen');
  const cases = ALL_FACTS.flatMap((facts) =>
    wanted.map((action) => ({ facts, action, decision: decide(facts, action) })),
  );
  const deadEnds = cases.flatMap(({ facts, action, decision }) => {
    if (decision.allowed) return [];
    const { remedy } = decision.refusal;
    if (remedy === NEW_SESSION)
      return facts.stage === 'complete' ? [] : [{ facts, action, remedy }];
    const ways = actionsOf(remedy).filter((way) => isPossible(facts, way));
    return ways.length > 0 ? [] : [{ facts, action, remedy }];
  });
  expect(deadEnds).toEqual([]);
  expect(cases.filter(({ decision }) => !decision.allowed).length).toBeGreaterThan(10_000);
});

test('no refusal names the command that was refused', () => {
  const circles = ALL_FACTS.flatMap((facts) =>
    ACTIONS.flatMap((action) => {
      const decision = decide(facts, action);
      const isCircle = !decision.allowed && decision.refusal.remedy === TRANSITIONS[action].command;
      // `cc ralplan` reads a plan that is there and drafts one that is not: one of both is allowed.
      const isServed = actionsOf(TRANSITIONS[action].command).some((one) => isPossible(facts, one));
      return isCircle && !isServed ? [{ facts, action }] : [];
    }),
  );
  expect(circles).toEqual([]);
});

test.each([
  ['where everything succeeds', true],
  ['where nothing gets better', false],
])('the command that is due leads on %s, never in a circle', (_title, isLucky) => {
  const stuck = ALL_FACTS.map((facts) => walk(facts, isLucky)).filter(
    ({ end }) => end === 'circle',
  );
  expect(stuck.slice(0, 3)).toEqual([]);
  expect(ALL_FACTS.length).toBeGreaterThan(1_000);
});

test('the command that is due is never refused', () => {
  const refused = ALL_FACTS.filter(({ stage }) => stage !== 'complete').flatMap((facts) => {
    const due = nextCommand(facts);
    // Looking at the tree is left to `complete`: it may find it changed.
    const seen = due === 'cc complete' ? looked(facts) : facts;
    const isAllowed = actionsOf(due ?? '').some((action) => isPossible(seen, action));
    return isAllowed ? [] : [{ facts, due }];
  });
  expect(refused.slice(0, 3)).toEqual([]);
});

test.each<[string, Partial<SessionFacts>, string | undefined]>([
  ['nothing yet', { stage: 'none', hasGoal: false, ...planIs('absent') }, 'cc deep-interview'],
  ['a goal', { stage: 'intent', ...planIs('absent') }, 'cc ralplan'],
  [
    'open questions',
    { stage: 'intent', openQuestions: 2, ...planIs('absent') },
    'cc deep-interview',
  ],
  ['open questions of a plan', { stage: 'plan', openQuestions: 2, ...planIs('draft') }, APPROVE],
  [
    'open questions, gone back',
    { stage: 'intent', openQuestions: 2, ...planIs('draft') },
    'cc deep-interview',
  ],
  ['an intent that was gone back to', { stage: 'intent', ...planIs('draft') }, REVISE],
  ['a plan written beside it', { stage: 'intent', hasTasks: false, ...planIs('draft') }, APPROVE],
  ['a draft', { stage: 'plan', ...planIs('draft') }, 'cc ralplan --approve'],
  [
    'a draft with errors',
    { stage: 'plan', ...planIs('draft'), planErrors: ['x'] },
    'cc ralplan --edit',
  ],
  ['an approval', { stage: 'plan', openTasks: ['a'] }, 'cc ralph'],
  ['open tasks', { stage: 'execute', openTasks: ['a'] }, 'cc ralph'],
  ['all done', { stage: 'execute', evidence: { status: 'absent' } }, 'cc verify'],
  [
    'failed checks that were shown',
    { stage: 'execute', failing: ['a'], ...evidenceIs({ status: 'failed', failed: 1 }) },
    'cc ralph',
  ],
  [
    'checks that were mended',
    { stage: 'execute', ...evidenceIs({ status: 'failed', failed: 1 }) },
    'cc verify',
  ],
  ['a pass', { stage: 'verify' }, 'cc complete'],
  [
    'a failed check',
    { stage: 'fix-loop', ...evidenceIs({ status: 'failed', failed: 1 }) },
    'cc ralph',
  ],
  [
    'a review',
    { stage: 'fix-loop', ...evidenceIs({ status: 'partial', unproven: ['AC2'] }) },
    ACCEPT,
  ],
  [
    'no proof',
    { stage: 'fix-loop', ...evidenceIs({ status: 'partial', proofs: 0 }) },
    'cc ralplan --edit',
  ],
  [
    'no retry left',
    { stage: 'failed', retries: 4, ...evidenceIs({ status: 'failed', failed: 1 }) },
    'cc verify',
  ],
  ['failed with open tasks', { stage: 'failed', retries: 4, openTasks: ['a'] }, 'cc reopen'],
  ['another approval', { stage: 'verify', ...planIs('foreign') }, 'cc ralplan --approve'],
  ['damage', { stage: 'plan', ...planIs('unreadable') }, 'cc repair'],
  [
    'a lost intent',
    { stage: 'execute', hasGoal: false, ...planIs('changed') },
    'cc reset --to intent',
  ],
  ['the end', { stage: 'complete' }, undefined],
])('after %s, due is %s', (_title, facts, due) => {
  expect(nextCommand({ ...OPEN, ...facts })).toBe(due);
});

function variantsOf(open: SessionFacts): SessionFacts[] {
  const evidences: Evidence[] = [
    { status: 'absent' },
    PASSED,
    { ...PASSED, fresh: false },
    { ...PASSED, sealed: false },
    { ...PASSED, status: 'partial', unproven: ['AC2'] },
    { ...PASSED, status: 'partial', proofs: 0 },
    { ...PASSED, status: 'failed', failed: 1, proofs: 0, unproven: ['AC2'] },
    { ...PASSED, status: 'failed' },
  ];
  return PLAN_STATES.flatMap((state) =>
    [true, false].flatMap((hasGoal) =>
      [0, 4].flatMap((retries) =>
        [[], ['a']].flatMap((openTasks) =>
          [[], ['plan.md:1: x']].flatMap((planErrors) =>
            evidences.flatMap((evidence) => {
              const plan = { state };
              const facts = { ...open, plan, hasGoal, retries, openTasks, planErrors, evidence };
              const hasFailed = evidence.status !== 'absent' && evidence.failed > 0;
              const asks = { ...facts, openQuestions: 1 };
              const byHand = { ...facts, hasTasks: false };
              const failing = hasFailed ? [{ ...facts, failing: ['a'] }] : [];
              return [facts, asks, byHand, ...failing];
            }),
          ),
        ),
      ),
    ),
  );
}

/** Actions that a printed command may mean. */
function actionsOf(command: string): readonly Action[] {
  const verb = command.replace(/ --accept .*$/, '');
  return ACTIONS.filter((action) => TRANSITIONS[action].command === verb);
}

function looked(facts: SessionFacts): SessionFacts {
  const { evidence } = facts;
  return {
    ...facts,
    evidence: evidence.status === 'absent' ? evidence : { ...evidence, fresh: true },
  };
}

/** Only a person can do these: whoever follows the proposals stops here and decides. */
const ACTS =
  /^cc (?:deep-interview|ralplan --(?:approve|edit|revise)|reset|reopen|repair|verify --accept)/;
const MAX_STEPS = 12;

/** Follows the proposals. The lucky world gives every check and task what it needs, the other nothing. */
function walk(start: SessionFacts, isLucky: boolean): { end: string; path: readonly string[] } {
  const path: string[] = [];
  let facts = start;
  for (let step = 0; step < MAX_STEPS; step++) {
    const due = nextCommand(facts);
    if (due === undefined) return { end: facts.stage, path };
    path.push(`${facts.stage} ${due}`);
    // Nobody but a person mends what failed.
    const isTheirs = !isLucky && (due === 'cc ralph' || facts.stage === 'failed');
    if (ACTS.test(due) || isTheirs) return { end: 'person', path };
    facts = afterCommand(facts, due, isLucky);
  }
  return { end: 'circle', path };
}

function afterCommand(facts: SessionFacts, command: string, isLucky: boolean): SessionFacts {
  const seen = looked(facts);
  const action = actionsOf(command).find((one) => decide(seen, one).allowed);
  const decision = action === undefined ? undefined : decide(seen, action);
  if (decision?.allowed !== true) return facts;
  const stage = decision.to;
  switch (command) {
    case 'cc ralplan':
      return { ...facts, stage, plan: { state: 'draft' }, planErrors: [] };
    case 'cc ralph':
      return { ...facts, stage, openTasks: [], failing: [], evidence: { status: 'absent' } };
    case 'cc verify': {
      const passes = isLucky && facts.openTasks.length === 0;
      const evidence: Evidence = passes
        ? PASSED
        : { ...PASSED, status: 'partial', unproven: ['AC2'], fresh: true };
      return { ...facts, ...afterVerify(facts, { passed: passes, counts: false }), evidence };
    }
    default:
      return { ...facts, stage };
  }
}
