/** What changed in a plan since it was approved. */
import { join } from 'node:path';
import { readText } from '../kernel/base/files.ts';
import { assertInside } from '../kernel/base/paths.ts';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import { APPROVED_COPY } from './approve-plan.ts';
import type { WorkflowPorts } from './ports.ts';
import { assertExists, openSession } from './session-dir.ts';

export interface PlanDiff {
  /** `none` was approved, `same` meaning, or `changed`. */
  readonly state: 'none' | 'same' | 'changed';
  readonly text: string;
}

/** Compares plan.md with the copy made at its approval; keys that `cc` writes itself are left out. */
export async function diffPlan(ports: WorkflowPorts, id: SessionId): Promise<PlanDiff> {
  const session = openSession(ports, id);
  await assertExists(session);
  const now = await session.read();
  const path = join(session.folder, APPROVED_COPY);
  await assertInside(ports.root, path);
  const approved = await readText(path);
  if (approved === undefined) return { state: 'none', text: `No plan of ${id} was approved yet` };
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(
    'approved',
    'plan.md',
    stable(approved),
    stable(now.texts['plan.md'] ?? ''),
  );
  const isSame = now.head?.ok === true && now.head.data['planHash'] === now.planHash;
  const verdict = isSame ? 'It means the same as what was approved' : 'It is not what was approved';
  const body =
    stable(approved) === stable(now.texts['plan.md'] ?? '') ? '' : `\n${patch.trimEnd()}`;
  return { state: isSame ? 'same' : 'changed', text: `${verdict}${body}` };
}

function stable(text: string): string {
  return text.replaceAll(/^(?:approved|updated|approvedAt|approvedBy|planHash|seal):.*\r?\n/gm, '');
}
