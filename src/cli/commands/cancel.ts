import { cancel } from '../../workflow/cancel.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  name: 'cancel',
  about: 'Ends what runs in the session, with every process it started. Nothing else changes.',
  options: {},

  async run({ host, out }) {
    const { id } = await host.pickSession();
    const { holder, ended } = await cancel(host.controller.ports, id);
    const next = await host.dueCommand(id);
    if (holder === undefined) {
      return out.done({
        value: { session: id, cancelled: false },
        text: `Nothing runs in ${id}`,
        next,
      });
    }
    const text = `${id}: ended ${holder.command} (process ${holder.pid})${ended > 0 ? ` and ${ended} more` : ''}`;
    return out.done({
      value: { session: id, cancelled: true, pid: holder.pid, ended },
      text,
      next,
    });
  },
});
