/** What the verbs need from outside. Built once, in `cli/host/boot.ts`. */
import type { LifecycleHooks } from '../hooks/lifecycle.ts';
import type { FilePort } from '../kernel/base/files.ts';
import type { AgentEvent } from '../kernel/protocol/events.ts';
import type { TreeStore } from '../kernel/worktree/private-store.ts';
import type { ReceiptStore } from './evidence/receipts.ts';
import type { Clock, LeasePorts } from './lease.ts';
import type { SessionPorts } from './session-dir.ts';
import type { Refusal } from './transitions.ts';

export interface WorkflowPorts {
  /** Absolute real path of the project. */
  readonly root: string;
  readonly files: FilePort;
  readonly clock: Clock;
  readonly leases: LeasePorts;
  readonly hooks: LifecycleHooks;
  readonly trees: TreeStore;
  readonly receipts: ReceiptStore;
  /** The environment as it is; what a child gets of it is decided where the child is made. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessions: SessionPorts;
  emit(event: AgentEvent): void;
}

/** A person's yes. Doors make it (`cli/host/person.ts`); nothing below them can. */
export type Consent =
  | {
      readonly given: true;
      /** Name and door, as in `Ann (terminal)`. */
      readonly by: string;
    }
  | { readonly given: false; readonly refusal: Refusal };

/** Shows exactly this text and asks. Called once, after the gates and before the hook. */
export type AskConsent = (shown: {
  readonly text: string;
  /** What a script pins with `--hash`. */
  readonly hash: string;
}) => Promise<Consent>;
