/** What an approval binds to, and the only form from which a plan is shown to a model. Pure. */
import { canonicalJson, sha256 } from '../../kernel/base/hash.ts';
import { unreachable } from '../../kernel/base/errors.ts';
import { codeSpan } from './inline.ts';
import { fenced } from './canonical.ts';
import type {
  Budget,
  Command,
  Intent,
  LiteralAction,
  Plan,
  PlanStep,
  ProofRule,
} from './plan-model.ts';

/** Equal for documents that mean the same; the prefix names the rules of this version. */
export function planHashOf(intent: Intent, plan: Plan): string {
  return `p1:${sha256(canonicalJson(meaningOf(intent, plan)))}`;
}

/** The approved text as a model or a person is shown it. Nothing outside the hash is in it. */
export function renderMeaning(intent: Intent, plan: Plan): string {
  const meaning = meaningOf(intent, plan);
  const sections = [
    `# ${meaning.title === '' ? 'Plan' : meaning.title}`,
    section('Goal', [meaning.goal]),
    section('Non-Goals', bullets(meaning.nonGoals)),
    section('Constraints', bullets(meaning.constraints)),
    section('Assumptions', bullets(meaning.assumptions)),
    section(
      'Acceptance Criteria',
      bullets(meaning.criteria.map(({ id, text }) => `${id}: ${text}`)),
    ),
    section('Steps', meaning.steps.flatMap(renderStep)),
    section(
      'Verification',
      bullets([...meaning.checks.map(renderCommand), ...meaning.proofs.map(renderProof)]),
    ),
    section('Budget', bullets(renderBudget(meaning.budget))),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

type Meaning = ReturnType<typeof meaningOf>;

/** Everything that counts. Ticks, lines, clarifications, questions, tradeoffs and risks do not. */
function meaningOf(intent: Intent, plan: Plan) {
  const { goal, nonGoals, constraints, assumptions } = intent;
  return {
    goal,
    nonGoals,
    constraints,
    assumptions,
    criteria: intent.criteria.map(({ id, text }) => ({ id, text })),
    title: plan.title,
    steps: plan.steps.map(stepMeaning),
    checks: plan.checks.map(commandMeaning),
    proofs: plan.proofs.map(proofMeaning),
    budget: plan.budget,
  };
}

function stepMeaning({ ticked: _ticked, line: _line, ...step }: PlanStep) {
  return {
    ...step,
    verify: step.verify.map(commandMeaning),
    actions: step.actions.map(({ line: _, ...action }) => action),
  };
}

function commandMeaning({ command, onlyInCi }: Command) {
  return { command, onlyInCi };
}

function proofMeaning(proof: ProofRule) {
  if (proof.kind === 'command') return { ...proof, command: commandMeaning(proof.command) };
  const { line: _, ...rest } = proof;
  return rest;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}

function bullets(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`);
}

function renderStep(step: Meaning['steps'][number], index: number): readonly string[] {
  const keys = [
    `id: ${step.id}`,
    `kind: ${step.kind}`,
    `role: ${step.role}`,
    `scope: ${step.scope.length === 0 ? 'the whole project' : step.scope.map(codeSpan).join(', ')}`,
    ...(step.after === undefined ? [] : [`after: ${step.after.join(', ') || 'none'}`]),
    ...step.verify.map((command) => `verify: ${renderCommand(command)}`),
    ...step.doneWhen.map((text) => `done when: ${text}`),
    ...(step.criteria.length === 0 ? [] : [`criteria: ${step.criteria.join(', ')}`]),
    ...step.allow.map((command) => `allow: ${codeSpan(command)}`),
    ...(step.network === false ? [] : [`network: ${renderNetwork(step.network)}`]),
    ...(step.cwd === undefined ? [] : [`cwd: ${codeSpan(step.cwd)}`]),
    ...(step.timeoutMs === undefined ? [] : [`timeout: ${step.timeoutMs}ms`]),
    ...renderBudget(step.budget).map((limit) => `budget: ${limit}`),
  ];
  const blocks = [step.prose, ...step.actions.map(renderAction)].filter((text) => text !== '');
  const below = [...bullets(keys), ...blocks.flatMap((text) => ['', text])];
  const lines = below.join('\n').split('\n');
  return [`${index + 1}. ${step.title}`, ...lines.map((line) => (line === '' ? '' : `   ${line}`))];
}

function renderNetwork(network: true | readonly string[]): string {
  return network === true ? 'yes' : network.join(', ');
}

function renderCommand({ command, onlyInCi }: ReturnType<typeof commandMeaning>): string {
  return codeSpan(command) + (onlyInCi ? ' (ci)' : '');
}

function renderProof(proof: Meaning['proofs'][number]): string {
  switch (proof.kind) {
    case 'command':
      return `${proof.criterion}: ${renderCommand(proof.command)}`;
    case 'review':
      return `${proof.criterion}: review`;
    case 'waived':
      return `${proof.criterion}: waived: ${proof.reason}`;
    default:
      return unreachable(proof);
  }
}

function renderBudget({ turns, costUsd, timeMs }: Budget): readonly string[] {
  return [
    ...(turns === undefined ? [] : [`turns ${turns}`]),
    ...(costUsd === undefined ? [] : [`cost $${costUsd}`]),
    ...(timeMs === undefined ? [] : [`time ${timeMs}ms`]),
  ];
}

/** A block without lines is an empty file. */
function renderAction(action: WithoutLine<LiteralAction>): string {
  switch (action.kind) {
    case 'file':
      return fenced(action.content, `file=${JSON.stringify(action.path)}`);
    case 'diff':
      return fenced(action.patch, 'diff apply');
    case 'run':
      return fenced(action.script, 'sh run');
    default:
      return unreachable(action);
  }
}

type WithoutLine<T> = T extends unknown ? Omit<T, 'line'> : never;
