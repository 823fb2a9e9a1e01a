/** What is known about a project without running anything in it. */

export type CommandKind = 'test' | 'lint' | 'build' | 'typecheck';

/** A command that a person of this project would type at its root. */
export interface DetectedCommand {
  readonly kind: CommandKind;
  readonly command: string;
  /** Where it was found: `package.json:scripts.test`, `go.mod`, `Makefile:test`. */
  readonly source: string;
}

export type PackageManager =
  | 'npm'
  | 'pnpm'
  | 'yarn'
  | 'bun'
  | 'pip'
  | 'poetry'
  | 'uv'
  | 'cargo'
  | 'go'
  | 'maven'
  | 'gradle'
  | 'bundler'
  | 'composer'
  | 'mix'
  | 'dotnet'
  | 'make';

export interface Language {
  readonly name: string;
  /** Files seen by the walk; a lower bound when the survey is not complete. */
  readonly files: number;
  /** Manifests that speak for the language, relative to the root. */
  readonly manifests: readonly string[];
}

/** A package that the project's own manifests declare as a part of it. Folders use `/`. */
export interface Workspace {
  readonly folder: string;
  readonly kind: 'npm' | 'cargo' | 'go';
  readonly name?: string;
}

export type FolderGuess = 'source' | 'tests' | 'docs' | 'config' | 'other';

export interface TopFolder {
  readonly folder: string;
  readonly files: number;
  readonly guess: FolderGuess;
}

export interface Commit {
  /** Missing when the line had none. */
  readonly hash?: string;
  readonly subject: string;
}

export interface ProjectSurvey {
  /** Most files first. */
  readonly languages: readonly Language[];
  readonly packageManagers: readonly PackageManager[];
  readonly workspaces: readonly Workspace[];
  readonly commands: readonly DetectedCommand[];
  /** The layout: folders directly below the root. */
  readonly topFolders: readonly TopFolder[];
  readonly testFolders: readonly string[];
  readonly sourceFolders: readonly string[];
  readonly recentCommits: readonly Commit[];
  /** What could not be read or was left out, each naming its file. */
  readonly notes: readonly string[];
  /** False when a bound of the walk was reached, so that counts are lower bounds. */
  readonly complete: boolean;
}
