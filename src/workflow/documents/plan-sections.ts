/** Which part of a plan is what. */
import type { Block } from './block-model.ts';
import { type Section, subtreeOf } from './markdown.ts';

export type PlanPart =
  | 'steps'
  | 'plan'
  | 'tradeoffs'
  | 'verification'
  | 'risks'
  | 'budget'
  | 'notes';

const NAMES: Readonly<Record<PlanPart, readonly string[]>> = {
  steps: ['steps', 'tasks', '步骤', '任务'],
  plan: ['plan', '计划'],
  tradeoffs: ['tradeoffs', 'trade-offs', '权衡', '取舍'],
  verification: ['verification', 'verify', '验证'],
  risks: ['risks', '风险'],
  budget: ['budget', '预算'],
  notes: [
    'notes',
    'background',
    'context',
    'goal',
    'non-goals',
    'constraints',
    'assumptions',
    'open questions',
    'acceptance criteria',
    '备注',
    '背景',
    '目标',
    '非目标',
    '约束',
    '假设',
    '验收标准',
  ],
};
const PART_BY_NAME: ReadonlyMap<string, PlanPart> = new Map(
  // The keys of a record are its type's.
  (Object.keys(NAMES) as PlanPart[]).flatMap((part) =>
    NAMES[part].map((name) => [name, part] as const),
  ),
);

export interface PlanSections {
  /** Sections that hold steps, each to be read by itself. */
  readonly steps: readonly Section[];
  /** True where a heading says that these are the steps. */
  readonly hasStepsHeading: boolean;
  blocksOf(part: 'tradeoffs' | 'verification' | 'risks' | 'budget'): readonly Block[];
}

export function partOf(section: Section): PlanPart | undefined {
  return PART_BY_NAME.get(section.name);
}

/** Steps stand under Steps or Tasks, else under Plan, else wherever a list stands that belongs to no other part. */
export function planSectionsOf(sections: readonly Section[]): PlanSections {
  const isPart = (section: Section) => partOf(section) !== undefined;
  const under = (...parts: readonly PlanPart[]) =>
    sections.flatMap((section, index) => {
      const part = partOf(section);
      return part !== undefined && parts.includes(part) ? subtreeOf(sections, index, isPart) : [];
    });
  const named = [under('steps'), under('plan')].find((found) => found.length > 0);
  const others = new Set(under('tradeoffs', 'verification', 'risks', 'budget', 'notes'));
  return {
    steps: named ?? sections.filter((section) => !others.has(section)),
    hasStepsHeading: named !== undefined,
    blocksOf: (part) => under(part).flatMap(({ blocks }) => blocks),
  };
}
