import { readAnchors } from './request-anchors.ts';

const NO_PROJECT = { workspaces: [], topFolders: [] };
const MAX_HEADLINE = 200;

/** The sentence of a goal that says what to do, on one line: for titles and lists. */
export function headlineOf(goal: string): string {
  const line = readAnchors(goal, NO_PROJECT).goal ?? goal.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_HEADLINE ? `${line.slice(0, MAX_HEADLINE - 1)}…` : line;
}
