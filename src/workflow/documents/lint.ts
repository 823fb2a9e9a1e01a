import { Findings } from './findings.ts';
import type { Criterion, Finding, Plan, ProofRule } from './plan-model.ts';

/** What can only be judged with the intent at hand: ids of criteria that nobody knows, and criteria that nobody names. */
export function lintPlan(plan: Plan, criteria: readonly Criterion[]): readonly Finding[] {
  const findings = new Findings('plan.md');
  const known = new Set(criteria.map(({ id }) => id));
  const named = new Set(plan.steps.flatMap((step) => step.criteria));
  for (const step of plan.steps) {
    for (const id of step.criteria.filter((criterion) => !known.has(criterion))) {
      findings.error('unknown-criterion', step.line, `'${id}' is no criterion of intent.md`);
    }
  }
  for (const proof of plan.proofs) {
    named.add(proof.criterion);
    if (known.has(proof.criterion)) continue;
    const message = `'${proof.criterion}' is no criterion of intent.md`;
    findings.error('unknown-criterion', lineOfProof(proof), message);
  }
  for (const { id } of criteria.filter((criterion) => !named.has(criterion.id))) {
    const message = `No step names ${id}, and no line under Verification proves it`;
    findings.warn('unnamed-criterion', 1, message);
  }
  return findings.all;
}

function lineOfProof(proof: ProofRule): number {
  return proof.kind === 'command' ? proof.command.line : proof.line;
}
