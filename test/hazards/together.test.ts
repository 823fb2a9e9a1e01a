/** What a second process does to the folder of a session while the first is at work. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCrashingCc, type CrashingCc, CrashLab } from '../support/crash-lab.ts';
import { FOLDER, ID, planOf, sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const TIMEOUT_MS = 60_000;
const SESSIONS = '.chainlesschain/sessions';

let cc: CrashingCc;
beforeAll(async () => {
  cc = await bundleCrashingCc();
});
afterAll(() => cc[Symbol.asyncDispose]());

test('six requests at once with the same words are six sessions', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await TempProject.createRepository({ 'src/a.js': '' });
  const lab = await CrashLab.open(project, cc);
  const numbers = [0, 1, 2, 3, 4, 5];
  const argv = (at: number) => ['--scope', 'src', '--criterion', `crit number ${at}`, '--yes'];
  const runs = numbers.map((at) => {
    return lab.start(['deep-interview', 'add parallel alpha', ...argv(at)], '').ended;
  });
  const ended = await Promise.all(runs);
  expect(ended.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    numbers.map(() => expect.objectContaining({ exitCode: 0 })),
  );
  const ids = await readdir(join(project.root, SESSIONS));
  const texts = await Promise.all(ids.map((id) => project.read(`${SESSIONS}/${id}/intent.md`)));
  const criteria = texts.map((text) => [...new Set(text.match(/crit number \d/g))]);
  expect(criteria.every((found) => found.length === 1)).toBe(true);
  expect(new Set(criteria.flat())).toEqual(new Set(numbers.map((at) => `crit number ${at}`)));
});

test('of four goals for one named session one is taken, the others are refused', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using project = await TempProject.createRepository({ 'src/a.js': '' });
  const lab = await CrashLab.open(project, cc);
  const goals = ['add alpha', 'add beta', 'add gamma', 'add delta'];
  const rest = ['--scope', 'src', '--criterion', 'it runs', '--yes', '--session', 'same'];
  const runs = goals.map((goal) => lab.start(['deep-interview', goal, ...rest], '').ended);
  const ended = await Promise.all(runs);
  const exits = ended.map(({ exitCode }) => `${exitCode}`).join(' ');
  expect(exits).toMatch(/^(?:6 ){0,3}0(?: 6){0,3}$/);
  const winner = goals[ended.findIndex(({ exitCode }) => exitCode === 0)] ?? '';
  const intent = await project.read(`${SESSIONS}/same/intent.md`);
  expect(goals.filter((goal) => intent.includes(goal))).toEqual([winner]);
  const refused = ended.find(({ exitCode }) => exitCode === 6);
  expect(refused?.stderr).toContain('There is a session same already');
  expect(refused?.stderr).toContain('Next: cc deep-interview --session same');
  expect((await project.cc('deep-interview', '--session', 'same')).exitCode).toBe(0);
});

test('an id that is taken while the questions are asked costs no answer', async () => {
  await using project = await TempProject.createRepository({ 'src/a.js': '' });
  const asked: string[] = [];
  project.io = {
    prompter: {
      confirm: async () => true,
      async text(question) {
        asked.push(question);
        if (asked.length === 1) {
          expect((await project.cc('deep-interview', 'add alpha', '--no-input')).exitCode).toBe(8);
        }
        return 'src';
      },
    },
  };
  const { exitCode, value } = await project.ccJson('deep-interview', 'add alpha');
  expect({ exitCode, value }).toMatchObject({ exitCode: 0, value: { new: true } });
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked).size).toBe(asked.length);
  const ids = await readdir(join(project.root, SESSIONS));
  expect(ids).toHaveLength(2);
  expect(ids.filter((id) => id.endsWith('-2'))).toEqual([value['session']]);
});

test('a session that is removed while its checks run stays removed', async () => {
  await using project = await sessionAt('approved', {
    plan: planOf(
      [
        {
          title: 'Write',
          lines: ['- id: write', '- criteria: AC1', '', '```text file=answer.txt', '42', '```'],
        },
      ],
      [`- \`rm -rf ${FOLDER} && sh check.sh\``, '- `sh check.sh`'],
    ),
  });
  const { exitCode, value } = await project.ccJson('ralph', '--session', ID);
  expect({ exitCode, value }).toMatchObject({
    exitCode: 6,
    value: { error: { code: 'SESSION_NOT_FOUND', hint: 'cc session list' } },
  });
  expect(await readdir(join(project.root, SESSIONS))).toEqual([]);
  expect((await project.cc('session', 'list')).exitCode).toBe(0);
});
