import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isCompilerCall } from '../../src/cli/compiler-call.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { ROOT } from '../support/sources.ts';
import { TempRepo } from '../support/temp-repo.ts';

test.each([
  ['-c x.c -o x.o'],
  ['-o x x.c'],
  ['x.c'],
  ['main.o util.o -lm'],
  ['src/a.cpp'],
  ['-E -'],
  ['-xc -'],
  ['-x c -'],
  ['-v'],
  ['-lfoo'],
  ['-Wall -O2 -g a.c'],
  ['-std=c11 -c a.c'],
  ['-I. -DX=1 -c a.c'],
  ['-dumpmachine'],
  ['-print-search-dirs'],
  ['-shared -fPIC a.o'],
  ['-MM a.c'],
  ['@args.txt'],
  ['--sysroot=/x -c a.c'],
  ['-nostdlib a.o'],
])('cc %s is the compiler', (line) => {
  const argv = line.split(' ');
  expect(isCompilerCall('/usr/local/bin/cc', argv)).toBe(true);
  for (const program of ['/usr/bin/chainlesschain', '/usr/bin/clc', '/app/dist/cc.cjs']) {
    expect(isCompilerCall(program, argv)).toBe(false);
  }
});

const OURS: readonly (readonly string[])[] = [
  [],
  ['-h'],
  ['-V'],
  ['--version'],
  ['--help'],
  ['-interview', 'fix main.c'],
  ['--approve'],
  ['fix main.c'],
  ['fix', 'the', 'bug', 'in', 'main.c'],
  ['--json', 'deep-interview', 'fix', 'main.c'],
  ['--cwd', 'a.c', 'status'],
  ['--fast'],
  ['--session=-c', 'status'],
  ...Object.keys(COMMANDS).map((name) => [name, '-c', 'x.c', '-o', 'x']),
];

test.each(OURS.map((argv) => [argv]))('cc %j is ours', (argv) => {
  expect(isCompilerCall('/usr/local/bin/cc', argv)).toBe(false);
});

/** The program as npm links it, in a folder of the repository's own. */
async function linked(repo: TempRepo, folder: string): Promise<string> {
  const bin = join(repo.root, folder);
  await mkdir(bin);
  for (const name of ['cc', 'clc']) await symlink(join(ROOT, 'dist/cc.cjs'), join(bin, name));
  // Its own folder may hold a compiler.
  await symlink(process.execPath, join(bin, 'node'));
  return bin;
}

async function script(repo: TempRepo, path: string, text: string): Promise<void> {
  await repo.write(path, `#!/bin/sh\n${text}\n`);
  await chmod(join(repo.root, path), 0o755);
}

test('the next cc on PATH gets the words, the input and the status', async () => {
  await using repo = await TempRepo.create();
  const bin = await linked(repo, 'bin');
  await script(repo, 'later/cc', 'printf "<%s>" "$@"; cat; echo told >&2; exit 3');
  const before = await repo.snapshot();
  const PATH = `${bin}:${bin}/../bin:${repo.root}/later:/bin`;
  const ended = await repo.run(join(bin, 'cc'), ['-c', 'a b.c', '-o', 'x'], { PATH });
  expect(ended).toEqual({ exit: 3, stdout: '<-c><a b.c><-o><x>', stderr: 'told\n' });
  // Neither a folder nor a cache of ours.
  expect(await repo.snapshot()).toEqual(before);
});

test('two of us on PATH never pass a call to and fro', async () => {
  await using repo = await TempRepo.create();
  const bin = await linked(repo, 'bin');
  await script(repo, 'copy/cc', `exec "${bin}/cc" "$@"`);
  const PATH = `${bin}:${repo.root}/copy`;
  const ended = await repo.run(join(bin, 'cc'), ['x.c'], { PATH });
  expect(ended.exit).toBe(127);
});

test('without another cc it ends as a shell ends, and says so', async () => {
  await using repo = await TempRepo.create();
  const bin = await linked(repo, 'bin');
  await repo.write('later/cc', 'not a program');
  const PATH = `${bin}:${repo.root}/later`;
  const ended = await repo.run(join(bin, 'cc'), ['x.c'], { PATH });
  expect(ended).toMatchObject({
    exit: 127,
    stdout: '',
    stderr: expect.stringContaining('no other cc is on PATH'),
  });
});

test('under its other names it takes no source', async () => {
  await using repo = await TempRepo.create();
  const bin = await linked(repo, 'bin');
  const { exit, stderr } = await repo.run(join(bin, 'clc'), ['x.c'], { PATH: bin });
  expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('x.c') });
});
