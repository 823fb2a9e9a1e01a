/** What an interview fills in, and the form in which answers come. */
import type { Anchors } from './request-anchors.ts';
import type { ProjectSurvey } from './survey-model.ts';

export const SLOTS = ['goal', 'scope', 'criterion', 'non-goals', 'constraints'] as const;
export type Slot = (typeof SLOTS)[number];

/** One answer, from whichever door it came. Later ones win where only one counts. */
export interface Answer {
  /** A clarification answers no question; it is kept as it is. */
  readonly slot: Slot | 'clarification';
  readonly text: string;
  /** Shown to the person: `--scope`, `stdin`, `prompt`, `intent.md`. */
  readonly from: string;
  /** Answers no question that was shown: a bare "ok" stands for itself. */
  readonly isLiteral?: true;
}

export interface InterviewState {
  readonly anchors: Anchors;
  readonly survey: Pick<ProjectSurvey, 'commands' | 'workspaces' | 'sourceFolders' | 'testFolders'>;
  readonly answers: readonly Answer[];
  /** Asked before, and no longer open in the document: not asked again. */
  readonly settled?: readonly Slot[];
}

export interface Question {
  readonly id: Slot;
  readonly text: string;
  /** What Enter means; missing when nothing can be guessed. */
  readonly recommended?: string;
  readonly options?: readonly string[];
  /** Why this is asked, one sentence. */
  readonly why: string;
}
