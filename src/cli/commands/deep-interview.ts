import { CcError } from '../../kernel/base/errors.ts';
import {
  deepInterview,
  type InterviewResult,
  type InterviewSession,
  newSession,
} from '../../workflow/deep-interview.ts';
import { parseAnswerFlag, parseIntakeJson } from '../../workflow/intake/interview-input.ts';
import type { Answer, Question } from '../../workflow/intake/interview-model.ts';
import { parseSessionId } from '../../workflow/pick-session.ts';
import { isTaken } from '../../workflow/taken.ts';
import { type Call, defineCommand } from '../command.ts';
import { flag, list, wordsOf } from '../options.ts';
import { interviewScreen } from '../interview-screen.ts';

const WAITING_EXIT = 8;

const options = {
  scope: list('<path>', 'Where the work may happen'),
  criterion: list('<text>', 'How you will know that it is done'),
  constraint: list('<text>', 'What must hold on the way'),
  nonGoal: list('<text>', 'What this is not about'),
  clarification: list('<text>', 'Anything else to keep in mind'),
  answer: list('<question>=<text>', 'Answer an open question, such as scope=src/cli'),
  stdin: flag(
    'Take answers as JSON from standard input: goal, scope, criteria, nonGoals, constraints, clarifications',
  ),
  yes: flag('Take every recommendation instead of asking'),
};

export const command = defineCommand({
  name: 'deep-interview',
  positionals: '[goal...]',
  about:
    'Says what you want. Asks only for what is missing: a goal, a scope, one criterion. With a goal it opens ' +
    'a new session; without one it goes on with the current one. Without a terminal the open questions are ' +
    'written into intent.md: answer them there, or with --answer.',
  examples: [
    'cc deep-interview "add a --json flag to the report command"',
    'cc deep-interview --answer scope=src/cli --answer criterion="npm test passes"',
  ],
  options,

  async run(call) {
    const { host, out } = call;
    const answers = await answersOf(call);
    const goal = await goalOf(call, answers);
    const { 'retries.max': maxRetries } = await host.config();
    const askOnce = remembering((question) => ask(call, question));
    for (;;) {
      const session = await sessionOf(call, goal);
      const request = { session, goal, answers, yes: call.args.yes, maxRetries };
      const result = await host.controller.request(session.id, (ports) =>
        deepInterview(ports, { ...request, survey: () => survey(call), ask: askOnce() }),
      );
      if (result.allowed) return report(call, result);
      const isOwnName = host.global.session !== undefined;
      if (isOwnName || !isTaken(result)) return out.refuse(result.refusal, session.id);
    }
  },
});

type InterviewCall = Call<typeof options>;

/** A goal opens a new session; none goes on with the one that is there. */
async function sessionOf(
  { host }: InterviewCall,
  goal: string | undefined,
): Promise<InterviewSession> {
  if (goal === undefined) return { id: (await host.pickSession()).id, isNew: false };
  const named = host.global.session;
  const id = named === undefined ? undefined : parseSessionId(named);
  return newSession(host.controller.ports, goal, id);
}

/** Typed, or in the answers; asked for where there is no session to go on with. */
async function goalOf(
  call: InterviewCall,
  answers: readonly Answer[],
): Promise<string | undefined> {
  const { words, host } = call;
  const typed = wordsOf(words, 'cc deep-interview --help');
  if (typed !== undefined) return typed;
  if ((await host.findSession()) !== undefined) return undefined;
  const given = answers.find(({ slot }) => slot === 'goal')?.text;
  const goal = given ?? (await ask(call, GOAL_QUESTION));
  if (goal !== undefined && goal.trim() !== '') return goal;
  throw new CcError('INPUT_REQUIRED', 'Say what you want', {
    hint: 'cc deep-interview "<what you want>"',
  });
}

const GOAL_QUESTION: Question = {
  id: 'goal',
  text: 'What do you want?',
  why: 'Everything else follows from this.',
};

async function answersOf({ args, host }: InterviewCall): Promise<readonly Answer[]> {
  const all = (slot: Answer['slot'], texts: readonly string[], from: string): Answer[] =>
    texts.map((text) => ({ slot, text, from, isLiteral: true }));
  return [
    ...all('scope', args.scope, '--scope'),
    ...all('criterion', args.criterion, '--criterion'),
    ...all('constraints', args.constraint, '--constraint'),
    ...all('non-goals', args.nonGoal, '--non-goal'),
    ...all('clarification', args.clarification, '--clarification'),
    ...args.answer.map(parseAnswerFlag),
    ...(args.stdin ? parseIntakeJson(await host.io.readInput()) : []),
  ];
}

async function survey({ host }: InterviewCall) {
  const { surveyProject } = await import('../../workflow/intake/project-survey.ts');
  const { recentCommits } = await import('../host/recent-commits.ts');
  return surveyProject(host.root, () => recentCommits(host.root, host.io.env));
}

type Ask = (question: Question) => Promise<string | undefined>;

/** Each call begins anew: a question that was answered in an earlier round is not asked again. */
function remembering(ask: Ask): () => Ask {
  const known = new Map<string, string | undefined>();
  return () => {
    const asked = new Map<string, number>();
    return async (question) => {
      const words = `${question.text}
${question.why}`;
      const count = (asked.get(words) ?? 0) + 1;
      asked.set(words, count);
      const key = `${count} ${words}`;
      if (!known.has(key)) known.set(key, await ask(question));
      return known.get(key);
    };
  };
}

/** One question with its recommendation; Enter takes that, and without one leaves the question open. */
async function ask({ host }: InterviewCall, question: Question): Promise<string | undefined> {
  const { prompter } = host.io;
  if (prompter === undefined || host.global.noInput) return undefined;
  const { text, why, options: choices, recommended } = question;
  const among = choices === undefined ? '' : ` (${choices.join(' · ')})`;
  return prompter.text(`${text}${among}\n${why}`, recommended);
}

async function report(
  { host, out }: InterviewCall,
  result: Extract<InterviewResult, { allowed: true }>,
) {
  const { id, to: stage, questions, draft, files, projectFiles, routingHint, isNew } = result;
  const { survey: found } = result;
  const path = host.fromHere(`.chainlesschain/sessions/${id}/intent.md`);
  const known = { session: id, stage, new: isNew, goal: draft.goal, questions, routingHint };
  const value = { ...known, survey: found, files, projectFiles };
  const said = [...interviewScreen(result), `wrote ${path}`].join('\n');
  if (questions.length === 0) {
    return out.done({ value, text: said, next: await host.dueCommand(id) });
  }
  const flags = questions.map(({ id: slot }) => `--answer ${slot}="…"`).join(' ');
  const next = await host.propose(`cc deep-interview ${flags}`, id);
  const open = `${said}\n${questions.length} open: answer them there behind the arrows, or with --answer`;
  return out.done({ value: { ...value, waiting: true }, text: open, next, exit: WAITING_EXIT });
}
