/** What a step may write: its scope, and what follows from it. */
import { readdir } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { implicitScope } from '../../kernel/policy/policy.ts';
import type { PlanStep } from '../documents/plan-model.ts';

const MAX_FILES = 20_000;
const SKIPPED = new Set(['.git', '.chainlesschain', 'node_modules']);

/** Empty for a step without a scope: the whole project. */
export async function scopeOf(root: string, step: PlanStep): Promise<readonly string[]> {
  return [...step.scope, ...(await impliedScope(root, step))];
}

/** What a step may write besides its scope: lockfiles of manifests in it, snapshots of tests in it. */
export async function impliedScope(root: string, step: PlanStep): Promise<readonly string[]> {
  if (step.scope.length === 0) return [];
  return implicitScope(step.scope, await listFiles(root));
}

async function listFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${folder}${sep}${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile()) files.push(relative(root, path).split(sep).join('/'));
    }
    if (files.length > MAX_FILES) break;
  }
  return files;
}
