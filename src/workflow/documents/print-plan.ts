/** A new `plan.md`, and steps added to one that a person may have edited. Pure. */
import { CcError } from '../../kernel/base/errors.ts';
import type { Block } from './block-model.ts';
import { Findings } from './findings.ts';
import { bodyStartOf, setKeys } from './front-matter.ts';
import { escapeInline, escapeLine } from './inline.ts';
import { isPlaceholder } from './list-items.ts';
import { isList, leadOf, parseMarkdown, sectionsOf } from './markdown.ts';
import { parsePlan } from './plan.ts';
import { partOf, planSectionsOf } from './plan-sections.ts';
import { commandText, type StepDraft, stepLines } from './print-step.ts';
import { type StepSource, stepSourcesOf } from './steps.ts';
import {
  applyEdits,
  eolOf,
  insertBehind,
  insertSection,
  rangeOf,
  type TextEdit,
} from './text-edits.ts';

export type { StepDraft } from './print-step.ts';

/** Texts are plain: what looks like Markdown in them is escaped. */
export interface PlanDraft {
  readonly sessionId: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly title: string;
  /** What the plan should aim at: a line under the title, for its reader. */
  readonly direction?: string;
  readonly steps: readonly StepDraft[];
  /** Plan-wide commands; ` (ci)` behind one defers it. */
  readonly checks: readonly string[];
  /** Lines as they are to stand, such as ``AC1: `npm test` `` or `AC2: review`. */
  readonly proofs: readonly string[];
  readonly tradeoffs: readonly string[];
  readonly risks: readonly string[];
}

/** Not approved. Every section is there; what is empty says so. */
export function printPlan(draft: PlanDraft): string {
  const { sessionId: session, updatedAt: updated } = draft;
  const title = escapeInline(draft.title).replace(/(?<=^| )(?=#+$)/, '\\');
  const steps = draft.steps.flatMap((step, index) => stepLines(step, `${index + 1}.`));
  const proofs = [...draft.checks.map(commandText), ...draft.proofs];
  const body = [
    '',
    `# Plan: ${title === '' ? '(untitled)' : title}`,
    '',
    ...(draft.direction === undefined ? [] : [`Direction: ${escapeInline(draft.direction)}`, '']),
    ...section('Steps', steps),
    ...section('Tradeoffs', bullets(draft.tradeoffs.map(escapeLine))),
    ...section('Verification', bullets(proofs)),
    ...section('Risks', bullets(draft.risks.map(escapeLine))),
  ];
  // The last line of a section is blank, and the file ends with one line end.
  return setKeys(body.join('\n'), { session, approved: false, updated });
}

/**
 * Adds steps behind the last one, numbered on, and changes no other byte.
 *
 * @throws {CcError} `SESSION_DAMAGED` when the result would not say what was meant.
 */
export function addSteps(text: string, steps: readonly StepDraft[]): string {
  if (steps.length === 0) return text;
  const edited = applyEdits(text, [additionOf(text, steps)]);
  const before = parsePlan(text).steps;
  const after = parsePlan(edited).steps;
  const kept = after.slice(0, before.length).map(({ title, prose }) => [title, prose]);
  const isKept =
    JSON.stringify(kept) === JSON.stringify(before.map(({ title, prose }) => [title, prose]));
  if (isKept && after.length === before.length + steps.length) return edited;
  const message = 'plan.md cannot be edited in place; something in it swallows what stands below';
  throw new CcError('SESSION_DAMAGED', message, { hint: 'cc repair' });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`## ${title}`, '', ...(lines.length === 0 ? ['_(none)_'] : lines), ''];
}

function bullets(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line !== '').map((line) => `- ${line}`);
}

function additionOf(file: string, steps: readonly StepDraft[]): TextEdit {
  const markdown = parseMarkdown(file, bodyStartOf(file));
  const sections = sectionsOf(markdown.blocks);
  const parts = planSectionsOf(sections);
  const context = {
    source: markdown.source,
    findings: new Findings('plan.md'),
    actions: new Set<never>(),
  };
  const sources = parts.steps.flatMap((part) => stepSourcesOf(part, context));
  const last = sources.at(-1);
  if (last !== undefined) {
    const node = last.behind.at(-1) ?? last.item;
    const gap = needsGap(sources, markdown.source.text) ? [''] : [];
    const lines = signsBehind(sources, steps.length, markdown.source.text).flatMap(
      (sign, index) => {
        const step = steps[index];
        return step === undefined ? [] : [...gap, ...indented(last, stepLines(step, sign))];
      },
    );
    return insertBehind(file, markdown, { node, lines });
  }

  const lines = steps.flatMap((step, index) => stepLines(step, `${index + 1}.`));
  const [heading] = parts.hasStepsHeading ? parts.steps : [];
  const placeholder = heading?.blocks.find(isPlaceholderBlock);
  if (placeholder !== undefined) {
    return { ...rangeOf(markdown, placeholder), text: lines.join(eolOf(file)) };
  }
  const behind = heading?.blocks.at(-1) ?? heading?.heading;
  if (behind !== undefined)
    return insertBehind(file, markdown, { node: behind, lines: ['', ...lines] });
  const before = sections.find((found) => partOf(found) !== undefined)?.heading;
  return insertSection(file, markdown, { before, lines: ['## Steps', '', ...lines] });
}

function isPlaceholderBlock(block: Block): boolean {
  if (block.type === 'paragraph') return isPlaceholder(block.raw);
  if (!isList(block) || block.children.length !== 1) return false;
  const [item] = block.children;
  return item !== undefined && isPlaceholder(leadOf(item).raw);
}

/** Where the steps so far stand apart, or something other than the list stands behind the last. */
function needsGap(sources: readonly StepSource[], text: string): boolean {
  const last = sources.at(-1);
  const before = sources.at(-2);
  const tail = last?.behind.at(-1);
  if (tail !== undefined && tail.type !== 'list') return true;
  if (last === undefined || before === undefined) return false;
  return /\n[ \t]*\n[ \t]*$/.test(text.slice(before.item.start, last.item.start));
}

/** Numbers go on, unless all of them are the same; bullets and their boxes are repeated. */
function signsBehind(
  sources: readonly StepSource[],
  count: number,
  text: string,
): readonly string[] {
  const last = sources.at(-1);
  if (last === undefined) return [];
  const sign = signOf(last, text);
  const number = Number.parseInt(sign, 10);
  if (Number.isNaN(number)) {
    const box = leadOf(last.item).mark === undefined ? '' : ' [ ]';
    return Array.from({ length: count }, () => sign + box);
  }
  const before = sources.at(-2);
  const increment = before !== undefined && signOf(before, text) === sign ? 0 : 1;
  const delimiter = sign.slice(-1);
  return Array.from(
    { length: count },
    (_, index) => `${number + (index + 1) * increment}${delimiter}`,
  );
}

function signOf({ item }: StepSource, text: string): string {
  const { start } = item;
  return /^(?:[-*+]|\d{1,9}[.)])/.exec(text.slice(start, start + 12))?.[0] ?? '-';
}

function indented({ item }: StepSource, lines: readonly string[]): readonly string[] {
  const indent = ' '.repeat(item.column);
  return lines.map((line) => (line === '' ? '' : indent + line));
}
