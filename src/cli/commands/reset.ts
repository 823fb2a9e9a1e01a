import { CcError } from '../../kernel/base/errors.ts';
import { goBack } from '../../workflow/reset.ts';
import { defineCommand } from '../command.ts';
import { choice } from '../options.ts';

const ACTIONS = {
  intent: 'resetToIntent',
  plan: 'resetToPlan',
  execute: 'resetToExecute',
} as const;

export const command = defineCommand({
  name: 'reset',
  about:
    'Goes back to an earlier stage from any stage. Your documents stay; to intent or plan, the approval goes.',
  examples: ['cc reset --to plan'],
  options: { to: choice(['intent', 'plan', 'execute'], 'The stage to go back to') },

  async run({ args, host, out }) {
    const { to } = args;
    if (to === undefined) {
      throw new CcError('REQUEST_INVALID', 'Say where to: --to intent, plan or execute', {
        hint: 'cc reset --to plan',
      });
    }
    const { id, isNamed } = await host.pickSession();
    const ask = host.consent({
      command: `cc reset --to ${to}`,
      question: 'Go back?',
      sessionNamed: isNamed,
      session: id,
    });
    const decision = await host.controller.request(id, (ports) =>
      goBack(ports, { id, action: ACTIONS[to], ask }),
    );
    if (!decision.allowed) return out.refuse(decision.refusal, id);
    const text = `${id} is at stage ${decision.to}\nwrote mode.json`;
    return out.done({
      value: { session: id, stage: decision.to },
      text,
      next: await host.dueCommand(id),
    });
  },
});
