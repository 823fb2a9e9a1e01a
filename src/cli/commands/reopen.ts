import { goBack } from '../../workflow/reset.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  name: 'reopen',
  about:
    'Takes up a session that is complete or failed: at execute while the approval holds, else at plan.',
  options: {},

  async run({ host, out }) {
    const { id, isNamed } = await host.pickSession();
    const ask = host.consent({
      command: 'cc reopen',
      question: 'Reopen it?',
      sessionNamed: isNamed,
      session: id,
    });
    const decision = await host.controller.request(id, (ports) =>
      goBack(ports, { id, action: 'reopen', ask }),
    );
    if (!decision.allowed) return out.refuse(decision.refusal, id);
    const text = `${id} is open again, at stage ${decision.to}\nwrote mode.json`;
    return out.done({
      value: { session: id, stage: decision.to },
      text,
      next: await host.dueCommand(id),
    });
  },
});
