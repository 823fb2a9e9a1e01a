/** A section Verification for a plan of a person who wrote none. Pure. */
import { bodyStartOf } from './front-matter.ts';
import { parseMarkdown, sectionsOf } from './markdown.ts';
import { parsePlan } from './plan.ts';
import { partOf } from './plan-sections.ts';
import { commandText } from './print-step.ts';
import { applyEdits, insertSection } from './text-edits.ts';

/** Whether some step rests on checks of the plan, and no heading says which. An empty section is a person's choice. */
export function lacksChecks(text: string): boolean {
  const { sections } = open(text);
  if (sections.some((section) => partOf(section) === 'verification')) return false;
  return parsePlan(text).steps.some(({ verify }) => verify.length === 0);
}

/** The same text with the section, in front of Risks and Budget; unchanged where it would not be read as meant. */
export function addChecks(text: string, commands: readonly string[]): string {
  if (commands.length === 0 || !lacksChecks(text)) return text;
  const { markdown, sections } = open(text);
  const before = sections.find((section) => ['risks', 'budget'].includes(partOf(section) ?? ''));
  const lines = ['## Verification', '', ...commands.map((command) => `- ${commandText(command)}`)];
  const edited = applyEdits(text, [
    insertSection(text, markdown, { before: before?.heading, lines }),
  ]);
  const found = parsePlan(edited);
  const isMeant =
    found.steps.length === parsePlan(text).steps.length && found.checks.length === commands.length;
  return isMeant ? edited : text;
}

function open(text: string) {
  const markdown = parseMarkdown(text, bodyStartOf(text));
  return { markdown, sections: sectionsOf(markdown.blocks) };
}
