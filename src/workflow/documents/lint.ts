import { Findings } from './findings.ts';
import type { Command, Criterion, Finding, Plan, ProofRule } from './plan-model.ts';

/** What can only be judged with the intent at hand: ids of criteria that nobody knows, and criteria that nothing proves. */
export function lintPlan(plan: Plan, criteria: readonly Criterion[]): readonly Finding[] {
  const findings = new Findings('plan.md');
  const known = new Set(criteria.map(({ id }) => id));
  for (const step of plan.steps) {
    for (const id of step.criteria.filter((criterion) => !known.has(criterion))) {
      findings.error('unknown-criterion', step.line, `'${id}' is no criterion of intent.md`);
    }
  }
  for (const proof of plan.proofs) {
    if (known.has(proof.criterion)) continue;
    const message = `'${proof.criterion}' is no criterion of intent.md`;
    findings.error('unknown-criterion', lineOfProof(proof), message);
  }
  for (const { id } of criteria.filter((criterion) => !hasBasis(criterion.id, plan))) {
    const message = `Nothing proves ${id}: no line under Verification, and no check of a step that names it`;
    findings.warn('unproven-criterion', 1, message);
  }
  return findings.all;
}

/** As `verify` counts: a line of its own decides, else the plan's checks and those of the steps that name it. */
function hasBasis(criterion: string, { proofs, checks, steps }: Plan): boolean {
  const own = proofs.filter((rule) => rule.criterion === criterion);
  const runs = ({ onlyInCi }: Command) => !onlyInCi;
  if (own.length > 0) return own.some((rule) => rule.kind !== 'command' || runs(rule.command));
  const named = steps.filter((step) => step.criteria.includes(criterion));
  return [...checks, ...named.flatMap(({ verify }) => verify)].some(runs);
}

function lineOfProof(proof: ProofRule): number {
  return proof.kind === 'command' ? proof.command.line : proof.line;
}
