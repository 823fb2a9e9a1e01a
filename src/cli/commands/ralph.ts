import { RUN_ENDINGS } from '../../kernel/protocol/vocabulary.ts';
import { wholeOutputs } from '../../workflow/evidence/failure-words.ts';
import { ralph, type RalphResult } from '../../workflow/ralph.ts';
import { defineCommand } from '../command.ts';
import { choice, duration, flag, text } from '../options.ts';

export const command = defineCommand({
  name: 'ralph',
  positionals: '[note...]',
  about:
    'Carries the approved plan out, one step after the other. Literal actions run to the letter; what is ' +
    'prose is yours: do it, then call this again. Stops where a person is needed and goes on from there.',
  examples: ['cc ralph', 'cc ralph --done', 'cc ralph --task add-flag'],
  options: {
    task: text('<id>', 'Only this step, by id or by its number'),
    done: flag('Check the step that was shown although nothing changed'),
    executor: choice(
      ['offline', 'me'],
      'Who does the steps; default: literal actions offline, the rest me',
    ),
    maxTime: duration('Stop between two steps once this much time went by'),
  },

  async run({ args, words, host, out }) {
    const { id } = await host.pickSession();
    const result = await host.controller.request(id, (ports) =>
      ralph(ports, {
        id,
        note: words.length === 0 ? undefined : words.join(' '),
        task: args.task,
        done: args.done,
        executor: args.executor,
        maxTimeMs: args.maxTime,
        signal: host.io.signal,
      }),
    );
    if (!result.allowed) return out.refuse(result.refusal, id);
    const next = await host.propose(nextOf(result), id);
    const value = {
      session: id,
      ending: result.ending,
      completed: result.completed,
      doneTasks: result.doneTasks,
      openTasks: result.openTasks,
    };
    const stop = result.stop === undefined ? {} : { stop: result.stop };
    return out.done({
      value: { ...value, ...stop },
      text: host.fromHere(screenOf(id, result)),
      next,
      exit: RUN_ENDINGS[result.ending],
    });
  },
});

type Ended = Extract<RalphResult, { allowed: true }>;
type Waiting = Extract<Ended['stop'], { kind: 'waiting' }>;

const NOTHING = 'nothing checks this step';

function nextOf({ ending, stop, openTasks }: Ended): string | undefined {
  if (ending === 'done') return openTasks === 0 ? 'cc verify' : 'cc ralph';
  return stop?.kind === 'waiting' || stop?.kind === 'failed' ? stop.next : 'cc ralph';
}

/** The endings in a person's words; programs read the word itself. */
const ENDINGS = {
  done: 'done',
  failed: 'failed',
  limit: 'the limit of turns was reached',
  budget: 'the budget is used up',
  'blocked-on-human': 'waiting for you',
  stalled: 'no progress any more',
  cancelled: 'cancelled',
} as const satisfies Record<keyof typeof RUN_ENDINGS, string>;

function screenOf(id: string, { ending, completed, stop, doneTasks, openTasks }: Ended): string {
  const done = completed.map((title) => `  ✓ ${title}`);
  const head = `${id}: ${ENDINGS[ending]}; ${doneTasks} done, ${openTasks} open`;
  if (stop?.kind === 'waiting') {
    const step = stepLines(stop);
    return [head, ...done, '', stop.title, ...step, '', stop.message].join('\n');
  }
  if (stop?.kind === 'failed') {
    const files = wholeOutputs(id, stop.records);
    return [head, ...done, '', `✗ ${stop.title}`, stop.message, ...files].join('\n');
  }
  return [head, ...done].join('\n');
}

function stepLines({ step, checks, hasChecks = true }: Waiting): string[] {
  const prose = step?.prose.split('\n').filter((line) => line !== '') ?? [];
  const scope =
    step === undefined || step.scope.length === 0 ? [] : [`scope: ${step.scope.join(', ')}`];
  const own = checks.length === 0 ? ["the plan's checks"] : checks;
  const checked = hasChecks ? own.map((command) => `check: ${command}`) : [NOTHING];
  const criteria = step?.doneWhen.map((text) => `done when: ${text}`) ?? [];
  return [
    ...prose.map((line) => `  | ${line}`),
    ...[...scope, ...criteria, ...checked].map((line) => `  ${line}`),
  ];
}
