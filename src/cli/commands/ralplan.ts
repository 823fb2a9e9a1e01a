import { CcError } from '../../kernel/base/errors.ts';
import { approvePlan } from '../../workflow/approve-plan.ts';
import { diffPlan } from '../../workflow/diff-plan.ts';
import { draftPlan, type PlanResult, rejectPlan } from '../../workflow/draft-plan.ts';
import { editPlan } from '../../workflow/edit-plan.ts';
import { ensureFolder } from '../../workflow/init-project.ts';
import { readStatus } from '../../workflow/session-status.ts';
import { inWords } from '../../workflow/session-facts.ts';
import { type Call, defineCommand } from '../command.ts';
import type { PickedSession } from '../host/host.ts';
import { flag, list, text } from '../options.ts';
import { directionOf } from '../plan-words.ts';

const options = {
  step: list('<title>', 'Add a step; the plan is no longer approved'),
  edit: flag('Open plan.md in your editor, then read it'),
  revise: flag('Draft the plan anew; the old one is kept in artifacts/'),
  approve: flag('Show the plan and approve exactly that'),
  hash: text('<p1:…>', 'With --approve: only if the plan still has this hash'),
  reject: flag('Take the approval away'),
  reason: text('<text>', 'With --reject: why'),
  diff: flag('What changed since the approval'),
};

export const command = defineCommand({
  name: 'ralplan',
  positionals: '[direction...]',
  about:
    'Drafts plan.md from the intent. On a plan that is there it reads what you edited: says what is wrong ' +
    'with it and where, and compiles tasks.json. Your text is never written over. Words behind it are the ' +
    'direction of a new draft and stand under its title; where there is a plan they need --revise.',
  examples: [
    'cc ralplan',
    'cc ralplan --edit',
    'cc ralplan --revise "keep it small"',
    'cc ralplan --approve',
  ],
  options,

  async run(call) {
    const { args, words, host, out } = call;
    assertOneMode(args);
    const direction = directionOf(words, args);
    const picked = await host.pickSession();
    const { id } = picked;
    if (args.approve) return approve(call, picked);
    if (args.reject) {
      const reason = args.reason ?? 'no reason given';
      const decision = await host.controller.request(id, (ports) =>
        rejectPlan(ports, { id, reason }),
      );
      if (!decision.allowed) return out.refuse(decision.refusal, id);
      const value = { session: id, stage: decision.to, approved: false };
      const next = await host.propose('cc ralplan --edit', id);
      return out.done({ value, text: `Plan of ${id} rejected: ${reason}`, next });
    }
    if (args.diff) {
      const diff = await diffPlan(host.controller.ports, id);
      return out.done({
        value: { session: id, ...diff },
        text: diff.text,
        next: await host.dueCommand(id),
      });
    }
    if (args.edit) {
      const decision = await edit(call, id);
      if (!decision.allowed) return out.refuse(decision.refusal, id);
    }
    const request = {
      id,
      direction,
      steps: args.step,
      revise: args.revise,
      survey: () => survey(host),
    };
    const result = await host.controller.request(id, (ports) => draftPlan(ports, request));
    if (!result.allowed) return out.refuse(result.refusal, id);
    await ensureFolder(host);
    return report(call, id, result);
  },
});

type PlanCall = Call<typeof options>;

function assertOneMode(args: PlanCall['args']): void {
  const modes = (['approve', 'reject', 'diff', 'edit', 'revise'] as const).filter(
    (mode) => args[mode],
  );
  if (modes.length <= 1) return;
  const message = `--${modes.join(' and --')} do not go together`;
  throw new CcError('REQUEST_INVALID', message, { hint: 'cc ralplan --help' });
}

async function approve({ args, host, out }: PlanCall, { id, isNamed }: PickedSession) {
  const ask = host.consent({
    command: 'cc ralplan --approve',
    question: 'Approve exactly this?',
    pinned: args.hash,
    sessionNamed: isNamed,
    session: id,
    refused: { code: 'PLAN_REJECTED', message: 'The plan was not approved' },
  });
  const decision = await host.controller.request(id, (ports) =>
    approvePlan(ports, { id, ask, survey: () => survey(host) }),
  );
  if (!decision.allowed) return out.refuse(decision.refusal, id);
  await ensureFolder(host);
  const approved = await readStatus(host.status, id);
  const hash = approved.ok ? { planHash: approved.documents.planHash } : {};
  const value = { session: id, stage: decision.to, approved: true, ...hash };
  const said = `Plan of ${id} approved.\nwrote plan.md, tasks.json, mode.json`;
  return out.done({ value, text: said, next: await host.dueCommand(id) });
}

async function edit({ host }: PlanCall, id: PickedSession['id']) {
  const { editor } = await host.config();
  const { env } = host.io;
  const program = editor || env['VISUAL'] || env['EDITOR'] || '';
  const isManned = host.io.prompter !== undefined && !host.global.noInput;
  return editPlan(host.controller.ports, {
    id,
    program,
    isManned,
    open: (command, args) => host.io.handOver(command, args),
  });
}

async function survey(host: PlanCall['host']) {
  const { surveyProject } = await import('../../workflow/intake/project-survey.ts');
  return surveyProject(host.root);
}

async function report(
  { host, out }: PlanCall,
  id: PickedSession['id'],
  result: Extract<PlanResult, { allowed: true }>,
) {
  const { to: stage, findings, steps, planHash, approved, files, copies, notes } = result;
  const path = `.chainlesschain/sessions/${id}/plan.md`;
  const lines = [
    `Plan of ${id}: ${steps} ${steps === 1 ? 'step' : 'steps'}, ${approved ? 'approved' : 'not approved'}`,
    ...findings.map((finding) => `  ${finding.level === 'error' ? '✗' : '!'} ${inWords(finding)}`),
    ...notes,
    ...(files.length > 0
      ? [`wrote ${files.join(', ')}`]
      : ['nothing to write: tasks.json is as the plan says']),
    ...copies.map((copy) => `kept ${copy}`),
    ...(approved ? [] : [`edit it as you like: ${path}`]),
  ];
  const value = { session: id, stage, approved, steps, planHash, findings, files, copies };
  return out.done({
    value,
    text: host.fromHere(lines.join('\n')),
    next: await host.dueCommand(id),
  });
}
