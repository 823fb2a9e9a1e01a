import { CcError } from '../../kernel/base/errors.ts';
import { busy } from '../../kernel/base/lock.ts';
import { type SessionId, STAGES, type Stage } from '../../kernel/protocol/vocabulary.ts';
import { WATCH_IT } from '../../workflow/next-command.ts';
import { openSessionIds } from '../../workflow/pick-session.ts';
import { openSession } from '../../workflow/session-dir.ts';
import { readStatus } from '../../workflow/session-status.ts';
import { decide, TRANSITIONS } from '../../workflow/transitions.ts';
import { type Call, defineCommand } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import type { Host } from '../host/host.ts';
import { readInvocation } from '../invocation.ts';
import { choice } from '../options.ts';
import type { Output } from '../output.ts';
import { safeText } from '../terminal/safe-text.ts';

/** More than any honest chain of commands: a circle ends here. */
const MAX_COMMANDS = 50;
/** Of a proposed command: what a person has to fill in. */
const PLACEHOLDER = /[<…]/;
/** Puts something of the person's aside, which only they may want. */
const REPLACES = / --revise\b/;
const NEW_SESSION = 'cc deep-interview "<what you want>"';

const options = {
  until: choice(
    ['plan', 'execute', 'verify', 'complete'],
    'Go on until the session is at this stage',
  ),
};

export const command = defineCommand({
  name: 'next',
  about:
    'Runs the command that is due. With --until it goes on until that stage is reached or a person is needed.',
  examples: ['cc next', 'cc next --until verify'],
  options,

  async run(call) {
    const { host, out } = call;
    // Several commands, one document: the last one's.
    let last = '';
    const own = out.json
      ? out.tapped((text) => {
          last = text;
        })
      : out;
    const exit = await runDue({ ...call, out: own });
    if (last !== '') host.io.stdout(last);
    return exit;
  },
});

type NextCall = Call<typeof options>;

async function runDue({ args, host, out }: NextCall): Promise<number> {
  const { id } = (await host.findSession()) ?? {};
  if (id === undefined) return begin(host, out);
  await host.assertThere(id);
  let exit = 0;
  let before: string | undefined;
  for (let count = 0; count < MAX_COMMANDS; count++) {
    const status = await readStatus(host.status, id);
    if (!status.ok) return out.fail(status.problem, id);
    const { facts, running } = status;
    if (running !== undefined) {
      const { message } = busy(running);
      return out.refuse({ code: 'SESSION_BUSY', message, remedy: WATCH_IT }, id);
    }
    const { stage } = facts;
    const due = await freshly(host, id, status.next);
    if (args.until !== undefined && isAt(stage, args.until)) {
      if (count > 0) return exit;
      const next = await host.dueCommand(id);
      return out.done({
        value: { session: id, stage },
        text: `${id} is at ${stage} already`,
        next,
      });
    }
    if (due === undefined) {
      const text = `${id} is ${stage}: nothing is due`;
      return out.done({ value: { session: id, stage }, text, next: NEW_SESSION });
    }
    // The same command twice from the same state would go round in circles.
    const state = `${stage} ${due} ${facts.openTasks.length}`;
    if (state === before) return exit;
    before = state;
    if (PLACEHOLDER.test(due)) {
      const hint = await host.dueCommand(id);
      throw new CcError('BLOCKED_ON_HUMAN', 'What is due needs words of yours', { hint });
    }
    if (REPLACES.test(due)) {
      const hint = await host.dueCommand(id);
      throw new CcError('BLOCKED_ON_HUMAN', 'A new draft would take the place of your plan', {
        hint,
      });
    }
    exit = await runLine(due, unnamed(host, id), out);
    if (exit !== 0 || args.until === undefined) return exit;
  }
  return exit;
}

/** Who only proposes takes evidence for fresh; who runs it looks at the tree first, or would be refused each time. */
async function freshly(host: Host, id: SessionId, due: string | undefined) {
  if (due !== TRANSITIONS.complete.command) return due;
  const { facts } = await openSession(host.controller.ports, id).read({ withTree: true });
  const decision = decide(facts, 'complete');
  const isStale = !decision.allowed && decision.refusal.code === 'VERIFICATION_STALE';
  return isStale ? decision.refusal.remedy : due;
}

/** What failed or is being fixed has reached nothing. */
function isAt(stage: Stage, wanted: Stage): boolean {
  if (stage === 'failed' || stage === 'fix-loop') return false;
  return STAGES.indexOf(stage) >= STAGES.indexOf(wanted);
}

/** Several open sessions and none chosen is no reason to open another. */
async function begin(host: Host, out: Output): Promise<number> {
  const open = await openSessionIds(host.root);
  if (open.length > 0) await host.pickSession();
  return runLine('cc deep-interview', host, out);
}

/** Naming a session approves what a command line spells out, and this one did not spell out anything. */
function unnamed(host: Host, id: SessionId): Host {
  return { ...host, pickSession: async () => ({ id, isNamed: false }) };
}

async function runLine(line: string, host: Host, out: Output): Promise<number> {
  const { name, argv } = readInvocation(line.split(' ').slice(1), Object.keys(COMMANDS));
  const { command: due } = (await COMMANDS[name]?.load()) ?? {};
  const ready = due?.read(argv);
  if (ready === undefined || 'help' in ready) return 1;
  if (!out.json) host.io.stderr(`$ ${safeText(line)}\n`);
  return ready.run(host, out);
}
