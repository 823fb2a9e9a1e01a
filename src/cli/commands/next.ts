import { STAGES } from '../../kernel/protocol/vocabulary.ts';
import { readStatus } from '../../workflow/session-status.ts';
import { defineCommand } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import type { Host } from '../host/host.ts';
import { readInvocation } from '../invocation.ts';
import { choice } from '../options.ts';
import type { Output } from '../output.ts';

/** More than any honest chain of commands: a circle ends here. */
const MAX_COMMANDS = 50;

export const command = defineCommand({
  name: 'next',
  about:
    'Runs the command that is due. With --until it goes on until that stage is reached or a person is needed.',
  examples: ['cc next', 'cc next --until verify'],
  options: {
    until: choice(
      ['plan', 'execute', 'verify', 'complete'],
      'Go on until the session is at this stage',
    ),
  },

  async run({ args, host, out }) {
    const found = await host.findSession();
    if (found === undefined) return runLine('cc deep-interview', host, out);
    const { id } = found;
    let last = 0;
    let before: string | undefined;
    for (let count = 0; count < MAX_COMMANDS; count++) {
      const status = await readStatus(host.status, id);
      if (!status.ok) return out.fail(status.problem);
      const { stage } = status.facts;
      const isThere =
        args.until !== undefined && STAGES.indexOf(stage) >= STAGES.indexOf(args.until);
      if (count > 0 && isThere && stage !== 'fix-loop') return last;
      const due = status.next;
      if (due === undefined) {
        return out.done({
          value: { session: id, stage },
          text: `${id} is ${stage}: nothing is due`,
        });
      }
      // The same command twice from the same state would go round in circles.
      const state = `${stage} ${due} ${status.facts.openTasks.length}`;
      if (state === before) return last;
      before = state;
      last = await runLine(due, host, out);
      if (last !== 0 || args.until === undefined) return last;
    }
    return last;
  },
});

async function runLine(line: string, host: Host, out: Output): Promise<number> {
  const { name, argv } = readInvocation(line.split(' ').slice(1), Object.keys(COMMANDS));
  const { command: due } = (await COMMANDS[name]?.load()) ?? {};
  const ready = due?.read(argv);
  if (ready === undefined || 'help' in ready) return 1;
  if (!out.json) host.io.stderr(`$ ${line}\n`);
  return ready.run(host, out);
}
