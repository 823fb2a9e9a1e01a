/** Ids of steps and what they wait for. */
import type { Findings } from './findings.ts';
import type { PlanStep } from './plan-model.ts';
import { SlugPool, slugOf } from './slug.ts';
import { type RawValue, wordsOf } from './step-values.ts';
import type { StepDraft } from './steps.ts';

const NONE = /^(?:none|nothing|no|-|无)$/i;
const STEP_NUMBER = /^(?:(?:steps?|步骤) ?)?#?(?<number>\d{1,6})[.)]?$/i;

type Lookup = (reference: string) => string | undefined;

/** Gives each step its id and resolves `after`. Reports duplicate and unknown ids, and cycles. */
export function withDependencies(
  drafts: readonly StepDraft[],
  findings: Findings,
): readonly PlanStep[] {
  const ids = idsOf(drafts, findings);
  const find = lookupOf(drafts, ids);
  const steps = drafts.map((draft, index): PlanStep => {
    const { given: _given, waitsFor, ...step } = draft;
    const after = waitsFor?.flatMap((value) => resolve(value, find, findings));
    return { ...step, id: ids[index] ?? '', after: after && [...new Set(after)] };
  });
  reportCycles(steps, drafts, findings);
  return steps;
}

/** Given ids first, so that a title never takes one away. */
function idsOf(drafts: readonly StepDraft[], findings: Findings): readonly string[] {
  const lines = new Map<string, number>();
  for (const { given } of drafts) {
    if (given === undefined) continue;
    const id = given.id.toLowerCase();
    const before = lines.get(id);
    if (before === undefined) lines.set(id, given.line);
    else {
      const message = `The id '${given.id}' is taken by line ${before}`;
      findings.error('duplicate-id', given.line, message);
    }
  }
  const pool = new SlugPool(lines.keys());
  return drafts.map(({ given, title }) => given?.id ?? pool.take(slugOf(title)));
}

/** An id wins over a number, a number over a title. */
function lookupOf(drafts: readonly StepDraft[], ids: readonly string[]): Lookup {
  const byId = new Map<string, string>();
  const byTitle = new Map<string, string>();
  for (const [index, id] of ids.entries()) {
    byId.set(id.toLowerCase(), id);
    const title = spoken(drafts[index]?.title ?? '');
    if (!byTitle.has(title)) byTitle.set(title, id);
  }
  return (reference) => {
    const words = reference.toLowerCase();
    const number = Number(STEP_NUMBER.exec(words)?.groups?.['number'] ?? 0);
    return byId.get(words) ?? ids[number - 1] ?? byTitle.get(spoken(words));
  };
}

/** Backticks and case of a title need not be repeated. */
function spoken(title: string): string {
  return title.replaceAll('`', '').toLowerCase();
}

function resolve({ raw, line }: RawValue, find: Lookup, findings: Findings): readonly string[] {
  const words = wordsOf(raw);
  if (NONE.test(words)) return [];
  const whole = find(words);
  if (whole !== undefined) return [whole];
  const parts = words
    .split(/[,，、;；]| and |和|与/)
    .flatMap((part) =>
      /^(?:steps?)? ?\d+(?: \d+)+$/i.test(part.trim()) ? part.trim().split(' ') : [part],
    )
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^steps?$/i.test(part));
  return parts.flatMap((part) => {
    const id = find(part);
    if (id !== undefined) return [id];
    findings.error('unknown-id', line, `'${part}' is no step of this plan`);
    return [];
  });
}

/** A depth-first walk without recursion, because a chain may have thousands of steps. */
function reportCycles(
  steps: readonly PlanStep[],
  drafts: readonly StepDraft[],
  findings: Findings,
): void {
  const indexById = new Map(steps.map(({ id }, index) => [id, index]));
  const waitsFor = (index: number): readonly number[] => {
    const after = steps[index]?.after;
    if (after === undefined) return index === 0 ? [] : [index - 1];
    return after.flatMap((id) => indexById.get(id) ?? []);
  };
  const state = new Map<number, 'open' | 'closed'>();
  for (const root of steps.keys()) {
    const path: { readonly index: number; readonly rest: number[] }[] = [];
    const enter = (index: number) => {
      state.set(index, 'open');
      path.push({ index, rest: [...waitsFor(index)] });
    };
    if (!state.has(root)) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        state.set(top.index, 'closed');
        path.pop();
      } else if (!state.has(next)) enter(next);
      else if (state.get(next) === 'open') {
        const from = path.findIndex(({ index }) => index === next);
        const circle = [...path.slice(from).map(({ index }) => index), next];
        const names = circle.map((index) => steps[index]?.id ?? '').join(' → ');
        const line = drafts[top.index]?.waitsFor?.[0]?.line ?? drafts[top.index]?.line ?? 1;
        const given = circle.map((index) => drafts[index]?.waitsFor?.[0]?.line);
        const first = given.find((at) => at !== undefined) ?? line;
        findings.error('cycle', first, `These steps wait for each other: ${names}`);
      }
    }
  }
}
