/** What a command works with. Made by `boot.ts`. */
import type { FilePort } from '../../kernel/base/files.ts';
import type { SessionId } from '../../kernel/protocol/vocabulary.ts';
import type { Config } from '../../workflow/config.ts';
import type { AskConsent } from '../../workflow/ports.ts';
import type { StatusPorts } from '../../workflow/session-status.ts';
import type { GlobalValues } from '../command.ts';
import type { Io } from '../io.ts';
import type { Controller } from './controller.ts';
import type { Act } from './person.ts';

export interface PickedSession {
  readonly id: SessionId;
  /** Named by the person with `--session`, not found. */
  readonly isNamed: boolean;
}

export interface Host {
  readonly io: Io;
  readonly files: FilePort;
  readonly global: GlobalValues;
  /** Absolute real path of the project. */
  readonly root: string;
  /** `~/.chainlesschain`, or what `CHAINLESSCHAIN_HOME` says. */
  readonly home: string;
  readonly controller: Controller;
  config(): Promise<Config>;
  /** Paths of session files in a text, so that they open from where the person stands. */
  fromHere(text: string): string;
  /** The session that a command without a goal is about. */
  pickSession(): Promise<PickedSession>;
  /** The same, or `undefined` where there is none. */
  findSession(): Promise<PickedSession | undefined>;
  /** @throws {CcError} `SESSION_NOT_FOUND`, for what would otherwise look at nothing. */
  assertThere(id: SessionId): Promise<void>;
  /** For what only reads. */
  readonly status: StatusPorts;
  /** How a person is asked for this act. */
  consent(act: Act): AskConsent;
  /** The command that moves the session on; `cc status` where there is none. For the end of a screen. */
  dueCommand(id: SessionId): Promise<string>;
  /** The proposed command, with `--session` where it would otherwise be about another session. */
  propose(command: string | undefined, id: SessionId): Promise<string | undefined>;
}
