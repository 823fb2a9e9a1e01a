/** The keys of one step, put together. */
import type { Findings } from './findings.ts';
import { plainText } from './inline.ts';
import type { Budget, Command, Network, StepKind } from './plan-model.ts';
import type { KeyBullet } from './step-bullets.ts';
import type { StepKey } from './step-keys.ts';
import {
  type RawValue,
  readBudget,
  readCommands,
  readCriteria,
  readCwd,
  readId,
  readKind,
  readNetwork,
  readRole,
  readScope,
  readTimeout,
  wordsOf,
} from './step-values.ts';

export interface StepFields {
  readonly given: { readonly id: string; readonly line: number } | undefined;
  readonly kind: StepKind;
  readonly role: string;
  readonly scope: readonly string[];
  /** Not yet resolved: ids, numbers or titles. */
  readonly waitsFor: readonly RawValue[] | undefined;
  readonly verify: readonly Command[];
  readonly doneWhen: readonly string[];
  readonly criteria: readonly string[];
  readonly allow: readonly string[];
  readonly network: Network;
  readonly cwd: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly budget: Budget;
}

type Draft = { -readonly [K in keyof StepFields]: StepFields[K] };

/** A value of one key; lines that are not wholly understood become remarks, so that they still count. */
interface Entry extends RawValue {
  readonly words: string;
}

interface Sink {
  readonly draft: Draft;
  readonly findings: Findings;
  remark(entry: Entry): void;
}

const READERS: Readonly<Record<StepKey, (entry: Entry, sink: Sink) => void>> = {
  id(entry, { draft, findings }) {
    const id = readId(entry, findings);
    if (id !== undefined) draft.given = { id, line: entry.line };
  },
  kind(entry, { draft, findings }) {
    draft.kind = readKind(entry, findings) ?? draft.kind;
  },
  role(entry, { draft, findings }) {
    draft.role = readRole(entry, findings) ?? draft.role;
  },
  scope(entry, { draft, findings }) {
    draft.scope = [...draft.scope, ...readScope(entry, findings)];
  },
  after(entry, { draft }) {
    draft.waitsFor = [...(draft.waitsFor ?? []), entry];
  },
  verify(entry, sink) {
    const { commands, isWhole } = readCommands(entry, sink.findings);
    sink.draft.verify = [...sink.draft.verify, ...commands];
    if (!isWhole) sink.remark(entry);
  },
  'done when'(entry, { draft }) {
    draft.doneWhen = [...draft.doneWhen, plainText(entry.raw)];
  },
  criteria(entry, { draft, findings }) {
    const ids = readCriteria(entry, findings);
    if (ids === undefined) draft.doneWhen = [...draft.doneWhen, plainText(entry.raw)];
    else draft.criteria = [...new Set([...draft.criteria, ...ids])];
  },
  allow(entry, sink) {
    const { commands, isWhole } = readCommands(entry, sink.findings);
    sink.draft.allow = [...sink.draft.allow, ...commands.map(({ command }) => command)];
    if (!isWhole) sink.remark(entry);
  },
  network(entry, { draft, findings }) {
    draft.network = readNetwork(entry, findings) ?? draft.network;
  },
  cwd(entry, { draft, findings }) {
    draft.cwd = readCwd(entry, findings);
  },
  timeout(entry, { draft, findings }) {
    draft.timeoutMs = readTimeout(entry, findings);
  },
  budget(entry, { draft, findings }) {
    draft.budget = { ...draft.budget, ...readBudget(entry, findings) };
  },
};
const ONCE: ReadonlySet<StepKey> = new Set(['id', 'kind', 'role', 'network', 'cwd', 'timeout']);

export function fieldsOf(
  keys: readonly KeyBullet[],
  findings: Findings,
): { readonly fields: StepFields; readonly remarks: readonly string[] } {
  const draft: Draft = {
    given: undefined,
    kind: 'feature',
    role: 'executor/main',
    scope: [],
    waitsFor: undefined,
    verify: [],
    doneWhen: [],
    criteria: [],
    allow: [],
    network: false,
    cwd: undefined,
    timeoutMs: undefined,
    budget: {},
  };
  const remarks: string[] = [];
  const remark = ({ words, raw }: Entry) => remarks.push(`${words}: ${raw.trim()}`);
  const seen = new Map<StepKey, string>();
  for (const { key, words, raw, line, nested } of keys) {
    const values = [{ raw, line }, ...nested].filter((value) => plainText(value.raw) !== '');
    // A scope that says nothing allows nothing.
    if (values.length === 0 && key === 'scope') values.push({ raw: '', line });
    if (values.length === 0) findings.warn('empty-value', line, `'${words}' has no value`);
    const value = wordsOf(raw);
    if (ONCE.has(key) && (seen.get(key) ?? value) !== value) {
      findings.error('duplicate-key', line, `'${key}' is given twice, and not the same`);
    }
    seen.set(key, value);
    for (const entry of values) READERS[key]({ ...entry, words }, { draft, findings, remark });
  }
  return { fields: draft, remarks };
}
