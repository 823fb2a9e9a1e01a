import { expect, test } from 'vitest';
import { FOLDER, PLAN, sessionAt } from '../../support/sessions.ts';

test('writes the report where it is told, and no file of the session', async () => {
  await using project = await sessionAt('executed');
  const before = await project.snapshot(FOLDER);
  const { exitCode, stdout } = await project.cc(
    'verify',
    '--ci',
    '--format',
    'junit',
    '--out',
    'report.xml',
  );
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: `s1: passed\nwrote ${project.root}/report.xml\n`,
  });
  expect(await project.snapshot(FOLDER)).toEqual(before);
  expect(await project.read('report.xml')).toMatch(
    /^<\?xml [^]*<testsuite name="s1" tests="2" failures="0"/,
  );
});

test('relative to --cwd', async () => {
  await using project = await sessionAt('executed', { files: { 'sub/a.txt': '' } });
  await project.cc('verify', '--ci', '--cwd', 'sub', '--format', 'json', '--out', 'r.json');
  expect(await project.json('sub/r.json')).toMatchObject({ session: 's1', passed: true });
});

test.each([
  ['text', [], /^s1: not passed\n {2}✗ sh check\.sh: /],
  ['json', ['--json'], /^\{\n {2}"session": "s1",[^]*"passed": false/],
  ['github', ['--format', 'github'], /^::error title=sh check\.sh::/],
  ['junit', ['--format', 'junit'], /failures="2"/],
])('as %s on stdout, with the status of the checks', async (_form, argv, report) => {
  await using project = await sessionAt('approved');
  const { exitCode, stdout } = await project.cc('verify', '--ci', ...argv);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(report);
});

test('output of a check does not command the terminal, in any form', async () => {
  const files = { 'check.sh': "printf '\\033]0;owned\\007\\342\\200\\256x\\n'; exit 1\n" };
  await using project = await sessionAt('approved', { files });
  for (const argv of [[], ['--json'], ['--format', 'github'], ['--format', 'junit']]) {
    const { stdout } = await project.cc('verify', '--ci', ...argv);
    expect(stdout, argv.join(' ')).toContain('owned');
    expect(stdout, argv.join(' ')).not.toMatch(/[\u001b\u0007\u202e]/);
  }
});

test('--json and another form are two documents for one stdout', async () => {
  await using project = await sessionAt('plan', { plan: PLAN });
  expect(await project.ccJson('verify', '--ci', '--format', 'junit')).toMatchObject({
    exitCode: 6,
    value: { error: { code: 'REQUEST_INVALID' } },
  });
});

test.each([
  ['nowhere/r.xml', /^--out: there is no folder \/.*\/nowhere$/],
  ['check.sh/r.xml', /^--out: there is no folder \/.*\/check\.sh$/],
  ['sub', /^--out: \/.*\/sub is a folder$/],
])(
  'a report that cannot be written to %s is refused before anything runs',
  async (out, message) => {
    const files = { 'sub/a.txt': '', 'check.sh': 'touch ran\n' };
    await using project = await sessionAt('approved', { files });
    const before = await project.snapshot();
    expect(await project.ccJson('verify', '--ci', '--format', 'junit', '--out', out)).toMatchObject(
      {
        exitCode: 6,
        value: {
          error: {
            code: 'REQUEST_INVALID',
            message: expect.stringMatching(message),
            hint: expect.stringMatching(/^cc verify --help/),
          },
        },
      },
    );
    expect(await project.snapshot()).toEqual(before);
  },
);
