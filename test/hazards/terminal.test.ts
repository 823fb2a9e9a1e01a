/** What reaches the program when a shell or a build tool calls it by a name that means something else. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

/** What a program gets of a line that a POSIX shell reads. */
function wordsOf(line: string): readonly string[] {
  const script = `cc() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${line}`;
  const env = { PATH: process.env['PATH'] };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\n').slice(0, -1);
}

test.each([
  ['cc $deep-interview "say 42" --session n1', 8, /"session":"n1"/],
  ['cc $ralplan --approve', 8, /INPUT_REQUIRED/],
  ['cc $ralph', 0, /"stage":"plan"/],
  ['cc $team "say 42"', 6, /REQUEST_INVALID.*cc deep-interview 'say 42'/],
  ['cc "$ralph"', 6, /REQUEST_INVALID/],
] as const)('%s', async (line, status, told) => {
  await using project = await sessionAt('plan');
  const before = await project.snapshot();
  const { exitCode, stdout } = await project.cc(...wordsOf(line), '--json');
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: status,
    stdout: expect.stringMatching(told),
  });
  const after = await project.snapshot();
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  // Only the interview writes: its session, and which one commands are about.
  expect(
    changed.filter((path) => !/^\.chainlesschain\/(?:sessions\/n1|\.git|current)/.test(path)),
  ).toEqual([]);
});

test.each([
  ['-c x.c -o x.o'],
  ['x.c'],
  ['-E -'],
  ['-S x.c'],
  ['-o x x.o -lm'],
  ['-v'],
  ['-dumpmachine'],
  ['-print-prog-name=ld'],
])('called as a compiler with %s, it makes nothing and does not succeed', async (line) => {
  await using project = await TempProject.createRepository({
    'x.c': 'int main(void) { return 0; }\n',
  });
  const before = [await project.snapshot(), await project.snapshot('../home')];
  const { exitCode } = await project.cc(...line.split(' '));
  expect(exitCode).toBeGreaterThan(0);
  expect([await project.snapshot(), await project.snapshot('../home')]).toEqual(before);
});
