/** `intent.md`: text in, meaning out. */
import { canonicalOf } from './canonical.ts';
import { namedCriterion } from './criterion-ids.ts';
import { Findings } from './findings.ts';
import { intentPartOf, subtreesOf } from './intent-sections.ts';
import { isPlaceholder, itemsOf } from './list-items.ts';
import { type Section, sectionsOf } from './markdown.ts';
import { openDocument } from './open-document.ts';
import type { Criterion, Finding, Intent } from './plan-model.ts';
import type { SourceText } from './source-text.ts';

/** Never throws. The goal is empty where there is none or only a placeholder. */
export function parseIntent(text: string): Intent & { readonly findings: readonly Finding[] } {
  const findings = new Findings('intent.md');
  const { markdown } = openDocument(text, findings);
  const sections = sectionsOf(markdown.blocks);
  const textsOf = (part: Parameters<typeof subtreesOf>[1]) =>
    itemsOf(subtreesOf(sections, part).flatMap(({ blocks }) => blocks)).map((item) => item.text);
  const criteria = subtreesOf(sections, 'criteria').flatMap(({ blocks }) => blocks);
  return {
    goal: goalOf(sections),
    clarifications: textsOf('clarifications'),
    nonGoals: textsOf('nonGoals'),
    constraints: textsOf('constraints'),
    criteria: readCriteria(itemsOf(criteria), markdown.source, findings),
    assumptions: textsOf('assumptions'),
    openQuestions: textsOf('openQuestions'),
    findings: findings.all,
  };
}

/** The first section of that name that says something; that of the parent where a member has none of its own. */
function goalOf(sections: readonly Section[]): string {
  for (const part of ['goal', 'parentGoal'] as const) {
    for (const [index, section] of sections.entries()) {
      if (intentPartOf(section) !== part) continue;
      const blocks = subtreesOf(sections, part, index).flatMap(({ heading, blocks: own }) =>
        heading === undefined || heading === section.heading ? own : [heading, ...own],
      );
      const goal = canonicalOf(blocks);
      if (goal !== '' && !isPlaceholder(goal)) return goal;
    }
  }
  return '';
}

/** Ids that were given keep; the others are counted around them. */
function readCriteria(
  items: ReturnType<typeof itemsOf>,
  source: SourceText,
  findings: Findings,
): readonly Criterion[] {
  const lines = items.map(({ text, node }) => {
    const named = namedCriterion(text);
    return { id: named?.id, text: named?.rest ?? text, line: source.lineOf(node.start) };
  });
  const given = new Set<string>();
  for (const { id, line } of lines) {
    if (id === undefined) continue;
    if (given.has(id)) findings.error('duplicate-id', line, `${id} is given twice`);
    given.add(id);
  }
  let number = 0;
  return lines.map(({ id, text, line }) => {
    if (id !== undefined) return { id, text, line };
    do number++;
    while (given.has(`AC${number}`));
    return { id: `AC${number}`, text, line };
  });
}
