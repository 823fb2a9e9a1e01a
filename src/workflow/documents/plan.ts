/** `plan.md`: text in, meaning out. */
import { withDependencies } from './dependencies.ts';
import { parseBudget } from './durations.ts';
import { Findings } from './findings.ts';
import type { FrontMatter } from './front-matter.ts';
import { titleText } from './inline.ts';
import type { Block } from './block-model.ts';
import { type Section, sectionsOf } from './markdown.ts';
import { itemsOf } from './list-items.ts';
import { openDocument } from './open-document.ts';
import type { Budget, Plan, PlanStep } from './plan-model.ts';
import { partOf, planSectionsOf } from './plan-sections.ts';
import type { SourceText } from './source-text.ts';
import { readStep, reportUnattached, type StepContext, stepSourcesOf } from './steps.ts';
import { readVerification, type Verification } from './verification.ts';

/** Reads a whole plan, front matter included. Never throws: what cannot be read is a finding. */
export function parsePlan(text: string): Plan {
  return readPlan(text).plan;
}

/** The same, with the keys on top of it. */
export function readPlan(text: string): { readonly plan: Plan; readonly head: FrontMatter } {
  const findings = new Findings('plan.md');
  const { matter: head, markdown } = openDocument(text, findings);
  const { source, blocks, problem } = markdown;
  const sections = sectionsOf(blocks);
  const parts = planSectionsOf(sections);

  const context: StepContext = { source, findings, actions: new Set() };
  const drafts = parts.steps
    .flatMap((section) => stepSourcesOf(section, context))
    .map((step) => readStep(step, context));
  const steps = withDependencies(drafts, findings);
  reportUnattached(blocks, context);

  const verification = readVerification(parts.blocksOf('verification'), source, findings);
  if (steps.length === 0 && problem === undefined) reportNoSteps(parts.steps, source, findings);
  reportGaps(steps, verification, findings);
  const plan: Plan = {
    title: titleOf(sections, head),
    steps,
    tradeoffs: itemsOf(parts.blocksOf('tradeoffs')).map(({ text }) => text),
    ...verification,
    risks: itemsOf(parts.blocksOf('risks')).map(({ text }) => text),
    budget: readPlanBudget(parts.blocksOf('budget'), source, findings),
    findings: findings.all,
  };
  return { plan, head };
}

/** `# Plan: title`, else the first heading that names no part, else the key `title`. */
function titleOf(sections: readonly Section[], matter: FrontMatter): string {
  const heading = sections.find((section) => section.depth === 1 && partOf(section) === undefined);
  const raw = heading?.heading?.raw ?? '';
  const title = titleText(raw.replace(/^[ \t]*(?:plan|计划)[ \t]*[:：]/i, ''));
  if (title === '(untitled)') return '';
  if (title !== '') return title;
  const key = matter.ok ? matter.data['title'] : undefined;
  return typeof key === 'string' ? key : '';
}

function readPlanBudget(blocks: readonly Block[], source: SourceText, findings: Findings): Budget {
  let budget: Budget = {};
  for (const { text, node } of itemsOf(blocks)) {
    const limit = parseBudget(text);
    if (limit !== undefined) budget = { ...budget, ...limit };
    else {
      const message = `'${text.slice(0, 60)}' is no budget; write one like turns 40, cost $2, time 30m`;
      findings.error('bad-value', source.lineOf(node.start), message);
    }
  }
  return budget;
}

function reportNoSteps(sections: readonly Section[], source: SourceText, findings: Findings): void {
  const heading = sections.find((section) => section.heading !== undefined)?.heading;
  const line = heading === undefined ? 1 : source.lineOf(heading.start);
  findings.error(
    'no-steps',
    line,
    "There are no steps; write them as a numbered list under '## Steps'",
  );
}

function reportGaps(
  steps: readonly PlanStep[],
  { checks }: Verification,
  findings: Findings,
): void {
  const wide = steps.filter(({ scope }) => scope.length === 0);
  report('no-scope', wide, 'no scope: it may change the whole project');
  const unchecked = checks.length > 0 ? [] : steps.filter(({ verify }) => verify.length === 0);
  report('no-check', unchecked, "no check; add 'verify', or a check of the plan");

  /** Several steps with one gap are one thing to know, said at the first of them. */
  function report(rule: string, found: readonly PlanStep[], gap: string): void {
    const [first, ...others] = found;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    findings.warn(rule, first.line, `'${first.title}'${more}: ${gap}`);
  }
}
