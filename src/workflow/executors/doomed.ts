/** What an approved plan could never do: said before it is approved. Looks at the project, runs nothing. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { guardWrite } from '../../kernel/policy/policy.ts';
import { findRepository } from '../../kernel/worktree/git.ts';
import { Findings } from '../documents/findings.ts';
import type { Command, Finding, Plan } from '../documents/plan-model.ts';
import { scriptsOf } from '../evidence/check-runner.ts';
import { whyVacuous } from '../evidence/vacuity.ts';
import { pathsOf } from '../tasks/targets.ts';
import { scopeOf } from './step-scope.ts';

/** Warnings: literal actions that would be refused, and checks that cannot fail, by the rules that judge them later. */
export async function findDoomed(root: string, plan: Plan): Promise<readonly Finding[]> {
  const findings = new Findings('plan.md');
  await findRefusedActions(root, plan, findings);
  await findIdleChecks(root, plan, findings);
  return findings.all;
}

async function findRefusedActions(root: string, plan: Plan, findings: Findings): Promise<void> {
  const repository = await findRepository(await realpath(root));
  const gitDirs = repository === undefined ? [] : [repository.gitDir, repository.commonDir];
  for (const step of plan.steps.filter(({ actions }) => actions.length > 0)) {
    const scope = await scopeOf(root, step);
    for (const action of step.actions) {
      for (const path of pathsOf(action)) {
        const verdict = await guardWrite({ root, gitDirs, scope, path });
        if (verdict.ok) continue;
        findings.warn('refused-action', action.line, `This will be refused: ${verdict.text}`);
      }
    }
  }
}

async function findIdleChecks(root: string, plan: Plan, findings: Findings): Promise<void> {
  const look = async ({ command, line }: Command, cwd = '.') => {
    const why = whyVacuous(command, await scriptsOf(resolve(root, cwd)));
    if (why === undefined) return;
    findings.warn('idle-check', line, `\`${command}\` proves nothing: ${why}`);
  };
  for (const check of plan.checks) await look(check);
  for (const proof of plan.proofs) if (proof.kind === 'command') await look(proof.command);
  for (const { verify, cwd } of plan.steps) for (const check of verify) await look(check, cwd);
}
