import { repair } from '../../workflow/repair.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  name: 'repair',
  about:
    'Shows what in the session cannot be read and where, asks, keeps a copy in artifacts/, and rebuilds it ' +
    'from the other documents, never further on than they prove.',
  options: {},

  async run({ host, out }) {
    const { id, isNamed } = await host.pickSession();
    const ask = host.consent({
      command: 'cc repair',
      question: 'Repair it like this?',
      sessionNamed: isNamed,
      session: id,
    });
    const result = await repair(host.controller.ports, { id, ask });
    if (!result.allowed) return out.refuse(result.refusal, id);
    const { damages, copies } = result;
    const next = await host.dueCommand(id);
    const value = { session: id, damages, copies };
    if (damages.length === 0) return out.done({ value, text: `${id}: nothing to repair`, next });
    const lines = damages.map(({ problem, cure }) => `  ${problem}\n    ${cure}`);
    const text = [`${id}: repaired`, ...lines, ...copies.map((copy) => `kept ${copy}`)].join('\n');
    return out.done({ value, text, next });
  },
});
