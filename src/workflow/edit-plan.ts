/** Opens plan.md in the person's editor. What they saved is read afterwards like any hand edit. */
import { join } from 'node:path';
import type { SessionId } from '../kernel/protocol/vocabulary.ts';
import type { WorkflowPorts } from './ports.ts';
import { assertExists, openSession } from './session-dir.ts';
import { type Decision, decide, refuse } from './transitions.ts';

export interface EditRequest {
  readonly id: SessionId;
  /** As in EDITOR: a program and perhaps its options. Empty when there is none. */
  readonly program: string;
  /** Whether a person sits at a terminal. */
  readonly isManned: boolean;
  open(command: string, args: readonly string[]): Promise<number>;
}

export async function editPlan(ports: WorkflowPorts, request: EditRequest): Promise<Decision> {
  const session = openSession(ports, request.id);
  await assertExists(session);
  const { facts } = await session.read();
  const decision = decide(facts, 'edit');
  if (!decision.allowed) return decision;
  const path = join(session.folder, 'plan.md');
  const [command, ...options] = request.program.split(/\s+/).filter((word) => word !== '');
  if (command === undefined) {
    const message = `There is no editor to open; edit ${path} yourself, or set EDITOR`;
    return refuse('INPUT_REQUIRED', message, 'cc ralplan');
  }
  if (!request.isManned && !isScripted(command)) {
    const message = `Nobody sits at a terminal; edit ${path} yourself`;
    return refuse('INPUT_REQUIRED', message, 'cc ralplan');
  }
  const status = await request.open(command, [...options, path]);
  if (status === 0) return decision;
  return refuse('INPUT_REQUIRED', `${command} ended with status ${status}`, 'cc ralplan');
}

/** Editors that draw on a terminal would hang without one; a script edits and ends. */
function isScripted(command: string): boolean {
  const name = command.split(/[\\/]/).at(-1) ?? '';
  return !/^(?:vi|vim|nvim|view|nano|pico|emacs|micro|helix|hx|joe|ed|ex|less|more)$/.test(name);
}
