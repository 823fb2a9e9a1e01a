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
  ['next'],
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
  fc.constantFrom(...COMMANDS).map((argv) => ({ kind: 'command' as const, argv })),
  fc.constantFrom(...Object.keys(EDITS)).map((name) => ({ kind: 'edit' as const, name })),
);

test('whatever a person types and edits, nothing breaks and nothing is completed that was not proven', async () => {
  let completions = 0;
  const property = fc.asyncProperty(
    fc.array(move, { minLength: 5, maxLength: STEPS }),
    async (walk) => {
      await using project = await sessionAt('plan');
      project.io = { prompter: answering(...Array.from({ length: 100 }, () => true)) };
      for (const step of walk) {
        if (step.kind === 'edit') {
          await EDITS[step.name]?.(project);
          continue;
        }
        const run = await project.cc(...step.argv, '--session', ID);
        expect(run.stderr, step.argv.join(' ')).not.toContain('RUNTIME_INTERNAL_ERROR');
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
  // An honest walk reaches the end now and then: a walk that never could would prove nothing.
  console.log(`${WALKS} walks, ${completions} completions on the way`);
});
