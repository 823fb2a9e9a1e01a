import { unlock } from '../../workflow/unlock.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  name: 'unlock',
  about:
    'Removes locks and leases of processes that are gone. For one on another machine, which cannot be ' +
    'judged from here, you are asked. What runs on this one is ended with cc cancel.',
  options: {},

  async run({ host, out }) {
    const { id, isNamed } = await host.pickSession();
    const ask = host.consent({
      command: 'cc unlock',
      question: 'Take it away?',
      sessionNamed: isNamed,
      session: id,
    });
    const result = await unlock(host.controller.ports, { id, ask });
    if (!result.allowed) return out.refuse(result.refusal, id);
    const names = result.holders.map(({ pid, host: machine }) => `process ${pid} on ${machine}`);
    const text =
      names.length === 0 ? `${id} was not locked` : `${id} is free again: ${names.join(', ')}`;
    return out.done({
      value: { session: id, removed: names.length },
      text,
      next: await host.dueCommand(id),
    });
  },
});
