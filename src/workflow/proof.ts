/** Whether the evidence of a session proves anything. Pure. */
import type { Evidence } from './transitions.ts';

export function isProven(evidence: Evidence): boolean {
  if (evidence.status !== 'passed' || !evidence.sealed) return false;
  return evidence.proofs > 0 && evidence.unproven.length === 0;
}

/** For a person. */
export function whyUnproven(evidence: Evidence): string {
  if (evidence.status === 'absent') return 'There is no verify.json';
  if (!evidence.sealed) return 'verify.json is not as cc verify wrote it on this machine';
  if (evidence.failed > 0) return `Checks that did not pass: ${evidence.failed}`;
  if (evidence.unproven.length > 0) return `Not proven: ${evidence.unproven.join(', ')}`;
  if (evidence.proofs === 0) return 'Nothing was proven';
  return evidence.status === 'partial'
    ? 'The last verification was not complete'
    : 'The last verification failed';
}
