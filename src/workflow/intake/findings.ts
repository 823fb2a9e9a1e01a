import type { CommandKind, DetectedCommand, PackageManager } from './survey-model.ts';
import type { ProjectFolder } from './manifests.ts';

/** What one ecosystem contributes to the survey. */
export interface Findings {
  readonly managers: readonly PackageManager[];
  readonly commands: readonly DetectedCommand[];
}

/** Looks for one ecosystem in one folder. Never rejects: trouble becomes a note of the folder. */
export type Detector = (project: ProjectFolder) => Promise<Findings>;

export const NOTHING_FOUND: Findings = { managers: [], commands: [] };

export function commandOf(kind: CommandKind, command: string, source: string): DetectedCommand {
  return { kind, command, source };
}

export function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
