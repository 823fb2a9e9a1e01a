/** The items of a plan as steps, before their ids and dependencies are known. */
import type { Block, Code, List, ListItem, Remark } from './block-model.ts';
import { canonicalOf } from './canonical.ts';
import type { Findings } from './findings.ts';
import { plainText, titleText } from './inline.ts';
import { isPlaceholder } from './list-items.ts';
import { looksLikeAction, readAction } from './literal-actions.ts';
import { isList, leadOf, type Section } from './markdown.ts';
import type { LiteralAction, PlanStep } from './plan-model.ts';
import type { SourceText } from './source-text.ts';
import { type KeyBullet, paragraphOf, readBullets, splitKey } from './step-bullets.ts';
import { fieldsOf, type StepFields } from './step-fields.ts';
import { guessKey } from './step-keys.ts';

export interface StepDraft extends Omit<PlanStep, 'id' | 'after' | keyof StepFields>, StepFields {}

/** An item, and the blocks behind it that are not indented but belong to nothing else. */
export interface StepSource {
  readonly list: List;
  readonly item: ListItem;
  readonly behind: Block[];
}

export interface StepContext {
  readonly source: SourceText;
  readonly findings: Findings;
  /** Blocks of code that turned out to be actions. */
  readonly actions: Set<Code>;
}

/** Numbered items, where there are some, else bullets. */
export function stepSourcesOf(section: Section, context: StepContext): readonly StepSource[] {
  const isNumbered = section.blocks.some((block) => isList(block) && block.ordered);
  const steps: StepSource[] = [];
  for (const block of section.blocks) {
    const last = steps.at(-1);
    if (isList(block) && (block.ordered || !isNumbered)) {
      for (const item of block.children) addItem({ steps, list: block, item }, context);
    } else if (last !== undefined) {
      if (block.type !== 'thematicBreak') last.behind.push(block);
    } else if (isList(block)) {
      const line = context.source.lineOf(block.start);
      context.findings.warn('not-a-step', line, 'Bullets above numbered steps are no steps');
    }
  }
  return steps;
}

export function readStep({ item, behind }: StepSource, context: StepContext): StepDraft {
  const { source, findings } = context;
  const line = source.lineOf(item.start);
  const { raw, mark, rest } = leadOf(item);
  reportKeysInTitle(raw, line, findings);
  const title = titleText(raw);
  if (title === '') findings.warn('no-title', line, 'This step has no title');

  const keys: KeyBullet[] = [];
  const prose: (Block | Remark)[] = [];
  const actions: LiteralAction[] = [];
  for (const block of [...rest, ...behind]) {
    if (isList(block) && !block.ordered) {
      const bullets = readBullets(block, source, findings);
      keys.push(...bullets.keys);
      prose.push(...bullets.prose);
      continue;
    }
    const action =
      block.type === 'code' && !behind.includes(block)
        ? readAction(block, source, findings)
        : 'prose';
    if (action === 'prose') prose.push(block);
    else if (block.type === 'code') {
      context.actions.add(block);
      if (action !== undefined) actions.push(action);
    }
  }
  const { fields, remarks } = fieldsOf(keys, findings);
  prose.push(...remarks.map(paragraphOf));
  return {
    ...fields,
    title: title === '' ? '(untitled)' : title,
    ticked: mark?.done ?? false,
    prose: canonicalOf(prose),
    actions,
    line,
  };
}

/** Blocks that were meant as actions and are none, wherever they stand. */
export function reportUnattached(blocks: readonly Block[], context: StepContext): void {
  const stack: (Block | ListItem)[] = [...blocks];
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    if ('children' in block) stack.push(...block.children);
    if (block.type !== 'code' || context.actions.has(block) || !looksLikeAction(block)) continue;
    const message =
      `'${block.info.slice(0, 80)}' is prose here; a literal action stands indented directly under its step ` +
      'and says only `<language> file=path`, `diff apply` or `sh run`';
    context.findings.warn('unattached-action', context.source.lineOf(block.start), message);
  }
}

function addItem(
  at: { readonly steps: StepSource[]; readonly list: List; readonly item: ListItem },
  { source, findings }: StepContext,
): void {
  const { steps, list, item } = at;
  const { raw, rest } = leadOf(item);
  if (rest.length === 0 && isPlaceholder(raw)) return;
  if (rest.length === 0 && plainText(raw) === '') {
    findings.warn('empty-step', source.lineOf(item.start), 'This step is empty');
    return;
  }
  const last = steps.at(-1);
  if (last !== undefined && isIndentedKey(item, last)) {
    last.behind.push({ ...list, children: [item] });
  } else steps.push({ list, item, behind: [] });
}

/** ` - verify: …` with one space too few is no step of that name. */
function isIndentedKey(item: ListItem, above: StepSource): boolean {
  if (above.list.ordered || item.column <= above.item.column) return false;
  const words = splitKey(leadOf(item).raw)?.words;
  return words !== undefined && guessKey(words)?.kind === 'key';
}

function reportKeysInTitle(raw: string, line: number, findings: Findings): void {
  for (const [index, text] of raw.split('\n').entries()) {
    const words = index === 0 ? undefined : splitKey(text)?.words;
    if (words === undefined || guessKey(words)?.kind !== 'key') continue;
    const message = `'${words}:' is read as a part of the title; put '- ' in front of it`;
    findings.warn('key-without-bullet', line + index, message);
  }
}
