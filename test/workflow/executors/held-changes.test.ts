/** What a script changes outside of its scope waits until it is put back or allowed. */
import { expect, test } from 'vitest';
import { FOLDER, ID, planOf, sessionAt } from '../../support/sessions.ts';
import { answering, type TempProject } from '../../support/temp-project.ts';

const NAMED = ['--session', ID];
const PASSES = ['- `test -f check.sh`'];
const EDIT = 'cc ralplan --edit';

const scripted = (script: string, ...keys: readonly string[]) =>
  planOf(
    [{ title: 'Run it', lines: ['- id: run', ...keys, '', '```sh run', script, '```'] }],
    PASSES,
  );
const TOUCHING = scripted('echo hi > src/a.txt; echo hi > README.txt', '- scope: `src`');

const prepared = (plan: string) =>
  sessionAt('approved', { plan, files: { 'src/b.txt': 'b\n', 'README.txt': 'read me\n' } });

async function statusOf(project: TempProject): Promise<unknown> {
  const { tasks } = await project.json(`${FOLDER}/tasks.json`);
  return (tasks as readonly { status: string }[])[0]?.status;
}

const waits = { exitCode: 8, value: { next: EDIT, stop: { message: /README\.txt/ } } };

test.each([
  ['again', []],
  ['with a yes', ['--done']],
  ['by name', ['--task', 'run', '--done']],
  ['by hand', ['--executor', 'me', '--done']],
])('is said again by each call until it is gone: %s', async (_title, more) => {
  await using project = await prepared(TOUCHING);
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject(waits);
  expect(await project.ccJson('ralph', ...more, ...NAMED)).toMatchObject(waits);
  // Another change in the tree is no answer to it either.
  await project.write('src/b.txt', 'c\n');
  expect(await project.ccJson('ralph', ...more, ...NAMED)).toMatchObject(waits);
  expect(await statusOf(project)).toBe('running');
  expect((await project.ccJson('status', ...NAMED)).value['next']).toBe(EDIT);
});

test('holds a ticked step too', async () => {
  await using project = await prepared(TOUCHING.replace('1. Run', '1. [x] Run'));
  await project.cc('ralph', ...NAMED);
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject(waits);
});

test('the patch that the message names puts the files back, and the run goes on', async () => {
  await using project = await prepared(TOUCHING);
  const { stdout } = await project.cc('ralph', ...NAMED);
  const [, patch = ''] = /`git apply -R ([^`]+)`/.exec(stdout) ?? [];
  await project.git('apply', '-R', patch);
  expect(await project.read('README.txt')).toBe('read me\n');
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject({ exitCode: 0 });
  expect(await statusOf(project)).toBe('completed');
  expect(await project.read(`${FOLDER}/tasks.json`)).not.toMatch(/held|needsPlan/);
});

test('a scope that holds them lets the run go on; another edit of the step does not', async () => {
  await using project = await prepared(TOUCHING);
  await project.cc('ralph', ...NAMED);
  const change = async (from: string, to: string) => {
    const path = `${FOLDER}/plan.md`;
    await project.write(path, (await project.read(path)).replace(from, to));
    project.io = { prompter: answering(true) };
    expect((await project.cc('ralplan', '--approve')).exitCode).toBe(0);
    project.io = {};
  };
  await change('- scope: `src`', '- scope: `src`\n   - done when: it ran');
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject(waits);
  await change('- scope: `src`', '- scope: `src`, `README.txt`');
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject({ exitCode: 0 });
});

test('is held although the script failed: its next run would find its own files', async () => {
  await using project = await prepared(
    scripted('echo hi > README.txt; test -f src/ready', '- scope: `src`'),
  );
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject({
    exitCode: 1,
    value: { next: EDIT, stop: { message: /exit code 1[^]*README\.txt\. They are held/ } },
  });
  await project.write('src/ready', '');
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject(waits);
});

test('the second script waits for the first one', async () => {
  const plan = TOUCHING.replace(
    '## Verif',
    '   ```sh run\n   touch src/second\n   ```\n\n## Verif',
  );
  await using project = await prepared(plan);
  await project.cc('ralph', ...NAMED);
  await project.cc('ralph', '--done', ...NAMED);
  expect(Object.keys(await project.snapshot('src'))).not.toContain('src/second');
  await project.git('checkout', '--', 'README.txt');
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
  expect(Object.keys(await project.snapshot('src'))).toContain('src/second');
});

test.each([
  ['a scope that does not hold its file', '- scope: `test`', 'src/a.txt'],
  ['a protected file', '- kind: chore', '.bashrc'],
])('a literal action with %s names the way out', async (_title, key, path) => {
  const fence = ['', `\`\`\`text file=${path}`, 'a', '```'];
  const plan = planOf([{ title: 'Write', lines: [key, ...fence] }], PASSES);
  await using project = await sessionAt('approved', { plan });
  const refused = {
    exitCode: 1,
    value: { next: EDIT, stop: { message: /^TOOL_PERMISSION_DENIED/ } },
  };
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject(refused);
  expect(await project.ccJson('ralph', '--done', ...NAMED)).toMatchObject(refused);
  expect((await project.ccJson('status', ...NAMED)).value['next']).toBe(EDIT);
});

test('verify and the summary say what was changed outside of every scope', async () => {
  await using project = await sessionAt('executed', { files: { 'README.txt': 'read me\n' } });
  const intent = await project.read(`${FOLDER}/intent.md`);
  await project.write('README.txt', 'changed\n');
  expect(intent).toContain('Say 42');
  const { stdout } = await project.cc('verify', ...NAMED);
  expect(stdout).toContain('! changed outside of every scope: README.txt\n');
  expect(await project.json(`${FOLDER}/verify.json`)).toMatchObject({ outside: ['README.txt'] });
  await project.cc('complete', ...NAMED);
  expect(await project.read(`${FOLDER}/summary.md`)).toContain(
    '## Changed Outside of the Scope\n\n- `README.txt`\n',
  );
});

test('an assumption about the scope is not repeated where it did not come true', async () => {
  const assumption = 'Non-goals: nothing outside of the scope is changed';
  const goal = '# Intent\n\n## Goal\n\nSay 42\n\n## Assumptions\n\n';
  await using project = await sessionAt('executed', {
    intent: `${goal}- ${assumption}\n`,
    plan: planOf([
      {
        title: 'Write',
        lines: ['- scope: `answer.txt`', '', '```text file=answer.txt', '42', '```'],
      },
    ]),
  });
  await project.write('README.txt', 'new\n');
  await project.cc('verify', ...NAMED);
  await project.cc('complete', ...NAMED);
  expect(await project.read(`${FOLDER}/summary.md`)).toContain(
    `- ${assumption} (not so: \`README.txt\`)\n`,
  );
});
