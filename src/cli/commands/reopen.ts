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
    if (!decision.allowed) {
      const { refusal } = decision;
      // What is open needs no reopening, but whatever is due in it.
      const isOpen = refusal.code === 'STAGE_MISMATCH';
      return out.refuse(isOpen ? { ...refusal, remedy: await host.dueCommand(id) } : refusal, id);
    }
    const text = `${id} is open again, at stage ${decision.to}\nwrote mode.json`;
    return out.done({
      value: { session: id, stage: decision.to },
      text,
      next: await host.dueCommand(id),
    });
  },
});
