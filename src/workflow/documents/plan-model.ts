/** What a plan says, once its Markdown has been read. Types only; line numbers count from 1. */

export const STEP_KINDS = ['feature', 'fix', 'refactor', 'docs', 'chore'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** What the offline executor does, to the letter. */
export type LiteralAction =
  /** The whole new content of a file. Line ends are LF; the file's own ends are kept when it is written. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly content: string;
      readonly line: number;
    }
  /** A unified diff, which may touch several files. */
  | { readonly kind: 'diff'; readonly patch: string; readonly line: number }
  /** One script, as the fence holds it. */
  | { readonly kind: 'run'; readonly script: string; readonly line: number };

export interface Budget {
  readonly turns?: number;
  readonly costUsd?: number;
  readonly timeMs?: number;
}

/** `true` is every host, a list is these hosts only. */
export type Network = boolean | readonly string[];

export interface PlanStep {
  /** Given under the step, or made from its title; unique in the plan unless a fault says otherwise. */
  readonly id: string;
  readonly title: string;
  /** `[x]` or `[X]` in front of the title. */
  readonly ticked: boolean;
  readonly kind: StepKind;
  /** `<role>/<lane>`, default `executor/main`. */
  readonly role: string;
  /** Paths or globs, relative to the project; empty means the whole project. */
  readonly scope: readonly string[];
  /** Ids of steps; `undefined` means after the step above. */
  readonly after: readonly string[] | undefined;
  /** Commands; empty means the plan's checks. */
  readonly verify: readonly Command[];
  readonly doneWhen: readonly string[];
  /** Ids such as `AC1`. */
  readonly criteria: readonly string[];
  /** Commands that may run without a question. */
  readonly allow: readonly string[];
  readonly network: Network;
  /** Relative folder in which the step's commands run. */
  readonly cwd: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly budget: Budget;
  /** Everything under the step that is neither key nor literal action, as plain canonical Markdown. */
  readonly prose: string;
  readonly actions: readonly LiteralAction[];
  readonly line: number;
}

/** A command in backticks. */
export interface Command {
  readonly command: string;
  /** ` (ci)` stood behind it: left to a run with `--ci`. */
  readonly onlyInCi: boolean;
  readonly line: number;
}

/** How a criterion is to be proven, from a line under `## Verification`. */
export type ProofRule =
  | { readonly kind: 'command'; readonly criterion: string; readonly command: Command }
  | { readonly kind: 'review'; readonly criterion: string; readonly line: number }
  | {
      readonly kind: 'waived';
      readonly criterion: string;
      readonly reason: string;
      readonly line: number;
    };

export interface Plan {
  readonly title: string;
  readonly steps: readonly PlanStep[];
  readonly tradeoffs: readonly string[];
  /** Plan-wide checks under `## Verification`. */
  readonly checks: readonly Command[];
  readonly proofs: readonly ProofRule[];
  readonly risks: readonly string[];
  readonly budget: Budget;
  readonly findings: readonly Finding[];
}

/** What a person should know about their document. An error refuses (`PLAN_INVALID`), a warning does not. */
export interface Finding {
  readonly level: 'error' | 'warning';
  /** Stable word in kebab-case, such as `unknown-id`, `cycle`, `no-steps`, `near-miss`. */
  readonly rule: string;
  /** Name of the file, such as `plan.md`. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface Criterion {
  /** `AC1`; given, or counted where the line has none. */
  readonly id: string;
  readonly text: string;
  readonly line: number;
}

/** `intent.md`. Lists are in the order of the file. */
export interface Intent {
  readonly goal: string;
  readonly clarifications: readonly string[];
  readonly nonGoals: readonly string[];
  readonly constraints: readonly string[];
  readonly criteria: readonly Criterion[];
  readonly assumptions: readonly string[];
  readonly openQuestions: readonly string[];
}
