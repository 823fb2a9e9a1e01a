/** Checks for a plan whose person wrote none: those that the project is known to have. */
import { addChecks, lacksChecks } from './documents/add-checks.ts';
import type { ProjectSurvey } from './intake/survey-model.ts';
import { checksFor } from './plan-skeleton.ts';
import type { Snapshot } from './session-dir.ts';

export interface ProjectChecks {
  /** Empty for a plan that is left as it is. */
  readonly commands: readonly string[];
  /** Of a plan to which they belong; the text itself for every other one. */
  addTo(text: string): string;
  /** One line for the screen, when it was added. */
  readonly note: string;
}

const NONE: ProjectChecks = { commands: [], addTo: (text) => text, note: '' };

/** Never for what somebody approved. The project is looked at only when a plan lacks the section. */
export async function projectChecks(
  { facts, texts }: Pick<Snapshot, 'facts' | 'texts'>,
  survey: () => Promise<ProjectSurvey>,
): Promise<ProjectChecks> {
  const text = texts['plan.md'];
  const isOpen = ['draft', 'unrecorded', 'changed'].includes(facts.plan.state);
  if (text === undefined || !isOpen || !lacksChecks(text)) return NONE;
  const commands = checksFor(await survey());
  if (addChecks(text, commands) === text) return NONE;
  const note = `added to plan.md: ## Verification with ${commands.join(', ')}`;
  return { commands, addTo: (now) => addChecks(now, commands), note };
}

/** `undefined` where no question of the interview is open. */
export function openQuestionsNote(open: readonly string[]): string | undefined {
  if (open.length === 0) return undefined;
  const count = open.length === 1 ? '1 question is' : `${open.length} questions are`;
  return `${count} open in intent.md: ${open.join(', ')}`;
}
