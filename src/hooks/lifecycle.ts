import type { SessionId } from '../kernel/protocol/vocabulary.ts';

/** The six moments of a session around which a project may put scripts of its own. */
export const HOOK_PHASES = ['intent', 'plan', 'execute', 'verify', 'complete', 'done'] as const;
export type HookPhase = (typeof HOOK_PHASES)[number];

/** The twelve names under which a script is found in `.chainlesschain/hooks/`. */
export const HOOK_EVENTS = HOOK_PHASES.flatMap((phase) => [`pre-${phase}`, `post-${phase}`]);

export type HookVerdict =
  | {
      readonly ok: true;
      /** For the record of the session: guards that did not run because the person said so. */
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      /** Refused on purpose, broken (throw, timeout, crash, load error), or not trusted. */
      readonly code: 'HOOK_VETOED' | 'HOOK_FAILED' | 'HOOKS_UNTRUSTED';
      readonly message: string;
      readonly remedy: string;
    };

/** Runs `.chainlesschain/hooks/<pre|post>-<phase>`, if it is there. */
export interface LifecycleHooks {
  before(phase: HookPhase, id: SessionId, payload: object): Promise<HookVerdict>;
  /** Never rejects: what happened has happened. Problems are noted. */
  after(phase: HookPhase, id: SessionId, payload: object): Promise<void>;
}
