import { whyNoSessionId } from '../../kernel/base/ids.ts';
import { checkSessions, type CheckedSession, REQUIREMENTS } from '../../workflow/check-sessions.ts';
import { listSessionIds, parseSessionId } from '../../workflow/pick-session.ts';
import { sessionsTouchedSince } from '../../workflow/touched-sessions.ts';
import { type Call, defineCommand } from '../command.ts';
import { choice, text } from '../options.ts';
import { withSession } from '../output.ts';

const options = {
  since: text('<ref>', 'Only sessions whose files changed since this commit'),
  require: choice(REQUIREMENTS, 'Each of them must be this far'),
};

export const command = defineCommand({
  name: 'check',
  about:
    'Judges the files of every session: damage, merge conflicts, plans with errors, approvals that do not ' +
    'hold. Reads only; exit status 1 when something is wrong. For pre-commit hooks and CI.',
  examples: ['cc check', 'cc check --since origin/main --require verified'],
  options,

  async run(call) {
    const { args, host, out } = call;
    const sessions = await checkSessions(host.status, await chooseIds(call), args.require);
    const failed = sessions.filter(({ errors }) => errors.length > 0);
    const { length: count } = sessions;
    const verdict = failed.length === 0 ? 'nothing wrong' : `${failed.length} with errors`;
    const text = [
      ...sessions.flatMap(linesOf),
      `${count} ${count === 1 ? 'session' : 'sessions'}, ${verdict}`,
    ];
    const exit = failed.length === 0 ? 0 : 1;
    const [first] = failed;
    const next = first === undefined ? undefined : await remedyFor(call, first.id);
    return out.done({ value: { ok: exit === 0, sessions }, text: text.join('\n'), next, exit });
  },
});

/** What moves the session on, or puts it right; sessions of other programs can only be looked at. */
async function remedyFor({ host }: Call<typeof options>, id: string): Promise<string> {
  if (whyNoSessionId(id) !== undefined) return `cc session show ${id}`;
  return withSession(await host.dueCommand(parseSessionId(id)), id);
}

async function chooseIds({ args, host }: Call<typeof options>): Promise<readonly string[]> {
  if (host.global.session !== undefined) return [(await host.pickSession()).id];
  const all = await listSessionIds(host.root);
  if (args.since === undefined) return all;
  const touched = await sessionsTouchedSince(host.root, args.since, host.io.env);
  return all.filter((id) => touched.has(id));
}

function linesOf({ id, errors, warnings, notes }: CheckedSession): readonly string[] {
  if (errors.length + warnings.length + notes.length === 0) return [];
  return [
    id,
    ...errors.map((error) => `  ✗ ${error}`),
    ...warnings.map((warning) => `  ! ${warning}`),
    ...notes.map((note) => `  · ${note}`),
  ];
}
