/** Whether one owner or a team should do the work. A hint for a person, never a gate. Pure. */
import { boundariesOf, type ProjectParts } from './boundaries.ts';
import { foldText, isCrossCutting, isTestHeavy, isTrivial, modulesIn } from './phrases.ts';

export interface IntakeRequest {
  readonly request: string;
  readonly scopePaths?: readonly string[];
  /** Files that the request is probably about, such as the paths it names. */
  readonly fileHints?: readonly string[];
  readonly tasks?: readonly { readonly scopePaths?: readonly string[] }[];
  /** Members that the person allows at most. */
  readonly concurrency?: number;
  /** A `ProjectSurvey` fits. */
  readonly project: ProjectParts;
}

/** Written to `mode.json` as `routingHint`; the keys are those of its older writers. */
export interface RoutingHint {
  readonly decision: 'ralph' | 'team';
  readonly confidence: 'high' | 'medium' | 'low';
  /** `trivial` and `simple` are never a team's. */
  readonly complexity: 'trivial' | 'simple' | 'moderate' | 'complex';
  readonly scopeCount: number;
  readonly boundaries: readonly string[];
  readonly testHeavy: boolean;
  /** What was recognised: `scopes:2`, `modules:cli,web`, `trivial`, `cross-cutting`, `test-heavy`. */
  readonly signals: readonly string[];
  /** One sentence in English. */
  readonly reason: string;
  readonly recommendedConcurrency: number;
  readonly suggestedRoles: readonly string[];
}

/** Characters; a longer request without a scope is not simple. */
const SHORT_REQUEST = 160;
const MAX_CONCURRENCY = 6;
const DEFAULT_CONCURRENCY = 3;

interface Signals {
  readonly scopeCount: number;
  readonly modules: readonly string[];
  readonly trivial: boolean;
  readonly crossCutting: boolean;
}

interface Rule {
  readonly holds: (signals: Signals) => boolean;
  readonly decision: RoutingHint['decision'];
  readonly confidence: RoutingHint['confidence'];
  readonly reason: (signals: Signals) => string;
}

const isWide = ({ scopeCount, crossCutting }: Signals) => scopeCount > 1 || crossCutting;

/** The first that holds decides. A trivial change is one owner's, however many folders it touches. */
const RULES: readonly Rule[] = [
  {
    holds: (s) => s.trivial && isWide(s),
    decision: 'ralph',
    confidence: 'medium',
    reason: () => 'A small mechanical change in several places is quickest with one owner.',
  },
  {
    holds: ({ trivial }) => trivial,
    decision: 'ralph',
    confidence: 'high',
    reason: () => 'The request describes a trivial change.',
  },
  {
    holds: ({ scopeCount }) => scopeCount >= 2,
    decision: 'team',
    confidence: 'high',
    reason: ({ scopeCount }) => `The scope covers ${scopeCount} separate parts of the project.`,
  },
  {
    holds: ({ scopeCount, modules }) => scopeCount === 0 && modules.length >= 2,
    decision: 'team',
    confidence: 'low',
    reason: ({ modules }) => `No scope is given, but the request names ${modules.join(', ')}.`,
  },
  {
    holds: ({ scopeCount, crossCutting }) => scopeCount === 0 && crossCutting,
    decision: 'team',
    confidence: 'low',
    reason: () => 'No scope is given, but the request reads as if it cut across the project.',
  },
  {
    holds: ({ scopeCount }) => scopeCount === 1,
    decision: 'ralph',
    confidence: 'high',
    reason: () => 'The scope is one part of the project.',
  },
];

const OTHERWISE: Omit<Rule, 'holds'> = {
  decision: 'ralph',
  confidence: 'medium',
  reason: () => 'Nothing in the request points to several separate parts.',
};

/** Never throws, whatever the texts hold. */
export function classifyIntake(intake: IntakeRequest): RoutingHint {
  const { request, scopePaths = [], fileHints = [], tasks = [], project } = intake;
  const folded = foldText(request);
  const ofTasks = tasks.flatMap((task) => task.scopePaths ?? []);
  const boundaries = boundariesOf([...scopePaths, ...ofTasks, ...fileHints], project);
  const signals: Signals = {
    scopeCount: boundaries.length,
    modules: modulesIn(folded, namesOf(project)),
    trivial: isTrivial(folded),
    crossCutting: isCrossCutting(folded),
  };
  const testHeavy = isTestHeavy(folded);
  const { decision, confidence, reason } = RULES.find((rule) => rule.holds(signals)) ?? OTHERWISE;
  const isTeam = decision === 'team';
  return {
    decision,
    confidence,
    complexity: complexityOf(signals, isTeam, request.trim().length),
    scopeCount: boundaries.length,
    boundaries,
    testHeavy,
    signals: wordsOf(signals, testHeavy),
    reason: reason(signals),
    recommendedConcurrency: isTeam ? concurrencyOf(boundaries.length, intake.concurrency) : 1,
    suggestedRoles: isTeam
      ? teamRoles(boundaries.length > 0 ? boundaries : signals.modules, testHeavy)
      : [testHeavy ? 'tester/unit' : 'executor'],
  };
}

/** Last segments of folders, and names of packages with and without their scope. */
function namesOf({ workspaces, topFolders }: ProjectParts): string[] {
  const folders = [...workspaces, ...topFolders].map(
    ({ folder }) => folder.split('/').at(-1) ?? '',
  );
  const packages = workspaces.flatMap(({ name }) => (name === undefined ? [] : [name]));
  // `@acme/web` in `packages/web` is one part: both of its names end alike.
  return [...new Set([...folders, ...packages.map((name) => name.split('/').at(-1) ?? '')])];
}

function complexityOf(
  { trivial, scopeCount }: Signals,
  isTeam: boolean,
  length: number,
): RoutingHint['complexity'] {
  if (trivial) return 'trivial';
  if (scopeCount > 1) return 'complex';
  return !isTeam && scopeCount === 0 && length < SHORT_REQUEST ? 'simple' : 'moderate';
}

function concurrencyOf(scopeCount: number, wanted: number | undefined): number {
  const isGiven = wanted !== undefined && Number.isFinite(wanted) && wanted >= 1;
  const cap = isGiven ? Math.min(Math.floor(wanted), MAX_CONCURRENCY) : DEFAULT_CONCURRENCY;
  return Math.min(scopeCount === 0 ? 2 : scopeCount, cap);
}

function wordsOf({ scopeCount, modules, trivial, crossCutting }: Signals, testHeavy: boolean) {
  return [
    scopeCount > 0 ? `scopes:${scopeCount}` : '',
    modules.length > 0 ? `modules:${modules.join(',')}` : '',
    trivial ? 'trivial' : '',
    crossCutting ? 'cross-cutting' : '',
    testHeavy ? 'test-heavy' : '',
  ].filter((word) => word !== '');
}

const ROLES: readonly (readonly [string, RegExp])[] = [
  ['tester/unit', /(?:^|[/_-])(?:__tests__|tests?|specs?|e2e)(?:$|[/_-])/],
  ['executor/main', /(?:^|[/_-])main(?:$|[/_-])/],
  ['executor/ui', /(?:^|[/_-])(?:renderer|ui|web|webapp|frontend|client|site)(?:$|[/_-])/],
  ['executor/backend', /(?:^|[/_-])(?:backend|server|api|services?)(?:$|[/_-])/],
  ['executor/cli', /(?:^|[/_-])cli(?:$|[/_-])/],
];

function teamRoles(parts: readonly string[], testHeavy: boolean): string[] {
  const roleOf = (part: string) => ROLES.find(([, name]) => name.test(part.toLowerCase()))?.[0];
  const roles = parts.map((part) => roleOf(part) ?? 'executor');
  const all = roles.length > 0 ? roles : ['executor'];
  return [...new Set(testHeavy ? [...all, 'tester/unit'] : all)];
}
