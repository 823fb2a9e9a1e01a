import { examine, type Finding } from '../host/examine.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  name: 'doctor',
  about:
    'Looks at what cc needs here: Node, git, a shell, the home folder, the project. Changes nothing.',
  options: {},

  async run({ host, out }) {
    const findings = await examine(host);
    const broken = findings.filter(({ level }) => level === 'error');
    const text = [
      ...findings.map(lineOf),
      broken.length === 0 ? 'Everything that is needed is here' : `${broken.length} to put right`,
    ].join('\n');
    const exit = broken.length === 0 ? 0 : 1;
    return out.done({
      value: { ok: exit === 0, findings },
      text,
      exit,
      next: broken[0]?.remedy ?? 'cc status',
    });
  },
});

const MARKS = { ok: '✓', note: '·', error: '✗' } as const;

function lineOf({ level, what, found, remedy }: Finding): string {
  const cure = remedy === undefined ? '' : `: ${remedy}`;
  return `  ${MARKS[level]} ${what}: ${found}${cure}`;
}
