/** One step as Markdown. */
import { codeSpan, escapeInline, escapeLine } from './inline.ts';
import type { StepKind } from './plan-model.ts';

/** Texts are plain: what looks like Markdown in them is escaped. */
export interface StepDraft {
  readonly title: string;
  readonly id?: string;
  readonly kind?: StepKind;
  readonly scope?: readonly string[];
  /** Ids or titles; an empty list is `none`. */
  readonly after?: readonly string[];
  /** Commands; ` (ci)` behind one defers it. */
  readonly verify?: readonly string[];
  readonly doneWhen?: readonly string[];
  readonly criteria?: readonly string[];
  /** Paragraphs, apart by blank lines. */
  readonly prose?: string;
}

/** Lines of a list item with this sign in front, such as `1.` or `-`. */
export function stepLines(step: StepDraft, sign: string): readonly string[] {
  const { id, kind, scope = [], after, verify = [], doneWhen = [], criteria = [] } = step;
  const keys = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(kind === undefined ? [] : [`kind: ${kind}`]),
    ...(scope.length === 0 ? [] : [`scope: ${scope.map(codeSpan).join(', ')}`]),
    ...(after === undefined ? [] : afterLines(after)),
    ...verify.map((command) => `verify: ${commandText(command)}`),
    ...doneWhen.map((text) => `done when: ${escapeInline(text)}`),
    ...(criteria.length === 0 ? [] : [`criteria: ${criteria.join(', ')}`]),
  ];
  const prose = (step.prose ?? '').split(/\r?\n[ \t]*\r?\n/).map(escapeLine);
  const below = [
    ...keys.map((key) => `- ${key}`),
    ...prose.filter((text) => text !== '').flatMap((text) => ['', text]),
  ];
  const title = escapeLine(step.title);
  const indent = ' '.repeat(sign.length + 1);
  const lines = below.map((line) => (line === '' ? '' : indent + line));
  return [`${sign} ${title === '' ? '(untitled)' : title}`, ...lines];
}

/** In backticks, with ` (ci)` behind it where it had that. */
export function commandText(command: string): string {
  const local = command.replace(/ \(ci\)$/, '');
  return codeSpan(local.trim()) + (local === command ? '' : ' (ci)');
}

function afterLines(after: readonly string[]): readonly string[] {
  if (after.length === 0) return ['after: none'];
  // One line each, because a title may hold a comma.
  return after.map((reference) => `after: ${escapeInline(reference)}`);
}
