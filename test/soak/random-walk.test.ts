import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FOLDER, ID, PLAN, sessionAt } from '../support/sessions.ts';
import { answering, type TempProject } from '../support/temp-project.ts';

const WALKS = Number(process.env['CC_SOAK_WALKS'] ?? 60);
const STEPS = 25;

/** What a person may type, in any order. */
const COMMANDS: readonly (readonly string[])[] = [
  ['deep-interview', '--answer', 'scope=answer.txt'],
  ['ralplan'],
  ['ralplan', '--revise'],
  ['ralplan', '--step', 'one more'],
  ['ralplan', '--approve'],
  ['ralplan', '--reject'],
  ['ralplan', '--diff'],
  ['ralph'],
  ['ralph', '--done'],
  ['verify'],
  ['verify', '--fresh'],
  ['verify', '--only-failed'],
  ['verify', '--accept', 'AC1', '--reason', 'seen'],
  ['complete'],
  ['status'],
  ['check'],
  ['cancel'],
  ['unlock'],
  ['repair'],
  ['reopen'],
  ['reset', '--to', 'intent'],
  ['reset', '--to', 'plan'],
  ['reset', '--to', 'execute'],
];

/** What a person may do with an editor. */
const EDITS: Readonly<Record<string, (project: TempProject) => Promise<void>>> = {
  'answer right': (project) => project.write('answer.txt', '42\n'),
  'answer wrong': (project) => project.write('answer.txt', 'no\n'),
  'new file': (project) => project.write('extra.txt', 'x\n'),
  'plan anew': (project) => project.write(`${FOLDER}/plan.md`, PLAN),
  'plan bare': (project) => project.write(`${FOLDER}/plan.md`, '1. say 42\n2. and stop\n'),
  'plan flag': (project) =>
    project.write(`${FOLDER}/plan.md`, PLAN.replace('approved: false', 'approved: true')),
  'plan broken': (project) => project.write(`${FOLDER}/plan.md`, '---\na: 1\na: 2\n---\n1. x\n'),
  'mode cut': (project) => project.write(`${FOLDER}/mode.json`, '{"stage":'),
  'mode complete': (project) => project.write(`${FOLDER}/mode.json`, '{"stage":"verify"}'),
  'tasks gone': (project) => project.write(`${FOLDER}/tasks.json`, '{"tasks":[]}'),
  'verify forged': (project) =>
    project.write(
      `${FOLDER}/verify.json`,
      '{"sessionId":"s1","status":"passed","checks":[{"id":"a","command":"b","status":"passed","durationMs":1,"summary":""}],"nextAction":"complete","updatedAt":"x"}',
    ),
};

const move = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...COMMANDS) },
  // Often enough what is due, or no walk would ever come to an end.
  { weight: 4, arbitrary: fc.constant(['next'] as const) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(EDITS)) },
  { weight: 1, arbitrary: fc.constant('answer right') },
);

test('whatever a person types and edits, nothing breaks and nothing is completed that was not proven', async () => {
  let completions = 0;
  const property = fc.asyncProperty(
    fc.array(move, { minLength: 5, maxLength: STEPS }),
    async (walk) => {
      await using project = await sessionAt('plan');
      project.io = { prompter: answering(...Array.from({ length: 100 }, () => true)) };
      for (const step of walk) {
        if (typeof step === 'string') {
          await EDITS[step]?.(project);
          continue;
        }
        const run = await project.cc(...step, '--session', ID);
        expect(run.stderr, step.join(' ')).not.toContain('RUNTIME_INTERNAL_ERROR');
        expect([0, 1, 6, 7, 8]).toContain(run.exitCode);
        const isCompleted = run.exitCode === 0 && run.stdout.includes('# Summary');
        if (!isCompleted) continue;
        completions++;
        expect(await project.read('answer.txt')).toBe('42\n');
      }
      // There is always a way out: whatever the state, a person gets to a completed session.
      await project.write('answer.txt', '42\n');
      await project.cc('repair', '--session', ID);
      await project.cc('reset', '--to', 'intent', '--session', ID);
      await project.write(`${FOLDER}/plan.md`, PLAN);
      for (const argv of [
        ['ralplan'],
        ['ralplan', '--approve'],
        ['ralph'],
        ['verify'],
        ['complete'],
      ]) {
        const run = await project.cc(...argv, '--session', ID);
        expect([argv.join(' '), run.exitCode, run.stderr]).toEqual([
          argv.join(' '),
          0,
          expect.anything(),
        ]);
      }
    },
  );
  await fc.assert(property, { numRuns: WALKS, endOnFailure: false });
  console.log(`${WALKS} walks, ${completions} completions on the way`);
  // Walks that never could come to the end would prove nothing.
  expect(completions).toBeGreaterThan(0);
});
