/** The one place that knows what counts as a person's act. */
import type { ErrorCode } from '../../kernel/base/errors.ts';
import type { AskConsent, Consent } from '../../workflow/ports.ts';
import type { Prompter } from '../io.ts';

export interface PersonPorts {
  /** Set in everything that `cc` starts: checks, shells, hooks, members. */
  readonly insideOwnRun: boolean;
  /** `undefined` when nobody sits there: no terminal, or `--no-input`. */
  readonly prompter: Prompter | undefined;
  /** Goes to stderr: with `--json`, stdout is one document. */
  show(text: string): void;
  /** The person's name, for the record. */
  name(): Promise<string>;
}

export interface Act {
  /** The command to repeat, as in `cc ralplan --approve`. */
  readonly command: string;
  readonly question: string;
  /** Given by `--hash`: what the person saw earlier. */
  readonly pinned?: string | undefined;
  /** Given by `--session`, not guessed. */
  readonly sessionNamed: boolean;
  readonly session: string;
  /** A no of this kind. */
  readonly refused?: { readonly code: ErrorCode; readonly message: string };
}

/** Without a terminal, naming the session is the act; `--hash` ties it to what was printed before. */
export function consentOf(ports: PersonPorts, act: Act): AskConsent {
  return async ({ text, hash }): Promise<Consent> => {
    const { command, question, pinned, sessionNamed, session } = act;
    if (ports.insideOwnRun) {
      return no('PERSON_REQUIRED', 'Only a person may do this, outside of a run', command);
    }
    if (pinned !== undefined && pinned !== hash) {
      const message = `This is ${hash}, not ${pinned}`;
      return no('PLAN_CHANGED_SINCE_APPROVAL', message, command, { planHash: hash });
    }
    ports.show(`${text}\n${hash === '' ? '' : `plan: ${hash}\n`}`);
    if (ports.prompter !== undefined) {
      const answer = await ports.prompter.confirm(question);
      if (answer === true) return { given: true, by: `${await ports.name()} (terminal)` };
      const { code, message } = act.refused ?? {
        code: 'PERSON_REQUIRED',
        message: 'Nothing was done: the answer was no',
      };
      return no(code, message, command);
    }
    if (sessionNamed) return { given: true, by: `${await ports.name()} (command line)` };
    const pin = hash === '' ? '' : ` --hash ${hash}`;
    const remedy = `${command} --session ${session}${command.includes('--approve') ? pin : ''}`;
    const details = hash === '' ? {} : { planHash: hash };
    return no('INPUT_REQUIRED', 'Nobody can be asked here: name the session', remedy, details);
  };
}

function no(
  code: ErrorCode,
  message: string,
  remedy: string,
  details: Readonly<Record<string, unknown>> = {},
): Consent {
  return { given: false, refusal: { code, message, remedy, details } };
}
