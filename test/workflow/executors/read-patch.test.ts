import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPatch } from '../../../src/workflow/executors/read-patch.ts';

const HUNK = '@@ -1 +1 @@\n-a\n+b\n';

function summary(patch: string) {
  const read = readPatch(patch);
  if (!read.ok) return read.problem;
  return read.files.map((file) => `${file.kind} ${file.path} ${file.executable ?? ''}`.trim());
}

test('what git prints', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cc-patch-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder }).toString();
  try {
    git('init', '-q');
    const before = ['change.txt', 'gone.txt', 'run.sh', 'both.sh', 'with space.txt', 'empty-gone'];
    for (const name of before) {
      await writeFile(join(folder, name), name === 'empty-gone' ? '' : 'a\nb\n');
    }
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a');
    for (const name of ['change.txt', 'both.sh', 'with space.txt', 'ü "q".txt']) {
      await writeFile(join(folder, name), 'a\nB\n');
    }
    await writeFile(join(folder, 'tool'), '#!/bin/sh\n');
    await writeFile(join(folder, 'empty'), '');
    for (const name of ['run.sh', 'both.sh', 'tool']) await chmod(join(folder, name), 0o755);
    await rm(join(folder, 'gone.txt'));
    await rm(join(folder, 'empty-gone'));
    git('add', '.');
    expect(summary(git('diff', '--cached', '--no-renames'))).toEqual([
      'change both.sh true',
      'change change.txt',
      'create empty',
      'delete empty-gone',
      'delete gone.txt',
      'change run.sh true',
      'create tool true',
      'change with space.txt',
      'create ü "q".txt',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.each([
  ['with prefixes', `--- a/src/x\n+++ b/src/x\n${HUNK}`, ['change src/x']],
  ['without prefixes', `--- src/x\n+++ src/x\n${HUNK}`, ['change src/x']],
  ['in a folder called a', `--- a/x\n+++ a/x\n${HUNK}`, ['change a/x']],
  ['with times', `--- x\t2026-01-01 00:00:00\n+++ x\t2026-01-02 00:00:00\n${HUNK}`, ['change x']],
  ['two files', `--- a/x\n+++ b/x\n${HUNK}--- a/y\n+++ b/y\n${HUNK}`, ['change x', 'change y']],
  ['a new file', '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n', ['create x']],
  ['a deletion', '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', ['delete x']],
  ['words before it', `Please apply:\n\n--- a/x\n+++ b/x\n${HUNK}`, ['change x']],
  [
    'a mail',
    `Subject: x\n\n- one\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n${HUNK}-- \n2.39.5\n\n`,
    ['change x'],
  ],
  ['saved on Windows', `--- a/x\n+++ b/x\n${HUNK}`.replaceAll('\n', '\r\n'), ['change x']],
  ['no newline at its own end', `--- a/x\n+++ b/x\n${HUNK}`.trimEnd(), ['change x']],
  [
    'a bit taken away',
    'diff --git a/x b/x\nold mode 100755\nnew mode 100644\n',
    ['change x false'],
  ],
])('reads a patch %s', (_title, patch, files) => {
  expect(summary(patch)).toEqual(files);
});

test.each([
  ['nothing', '', /changes no file/],
  ['prose', 'just words\n', /changes no file/],
  ['no names', HUNK, /names no file/],
  ['one name', `+++ b/x\n${HUNK}`, /Missing/],
  ['nowhere to nowhere', `--- /dev/null\n+++ /dev/null\n${HUNK}`, /names no file/],
  ['no hunk', '--- a/x\n+++ b/x\n', /no hunk for x/],
  ['lines without hunk', '--- a/x\n+++ b/x\n-a\n+b\n', /no hunk for x/],
  ['a hunk without numbers', '--- a/x\n+++ b/x\n@@ @@\n-a\n+b\n', /no line numbers/],
  [
    'a hunk header without space',
    `--- a/x\n+++ b/x\n${HUNK}@@-5 +5@@\n-c\n+d\n`,
    /outside of a well-formed/,
  ],
  ['lines after a gap', `--- a/x\n+++ b/x\n${HUNK}\n+lost\n`, /outside of a well-formed/],
  [
    'too few lines',
    '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n',
    /invalid line.*numbers between @@/s,
  ],
  ['too many lines', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n', /more lines than expected/],
  ['a line without sign', '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\nc\n', /invalid line/],
  [
    'a rename',
    'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n',
    /renames or copies/,
  ],
  ['a rename in plain form', `--- a/x\n+++ b/y\n${HUNK}`, /renames x to y/],
  ['a copy', 'diff --git a/x b/y\ncopy from x\ncopy to y\n', /renames or copies/],
  ['a binary file', 'diff --git a/x b/x\nBinary files a/x and b/x differ\n', /binary/],
  ['a binary patch', 'diff --git a/x b/x\nGIT binary patch\nliteral 1\nIcmZ\n', /binary/],
  [
    'a link',
    'diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+t\n',
    /link or a submodule/,
  ],
  [
    'a changed link',
    `diff --git a/x b/x\nindex 1..2 120000\n--- a/x\n+++ b/x\n${HUNK}`,
    /link or a submodule/,
  ],
  ['another mode', 'diff --git a/x b/x\nold mode 100644\nnew mode 100600\n', /the mode 100600/],
  ['one file twice', `--- a/x\n+++ b/x\n${HUNK}--- a/x\n+++ b/x\n${HUNK}`, /x stands in it twice/],
  ['line ends only', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+a\n', /nothing in x but line ends/],
])('refuses %s', (_title, patch, problem) => {
  expect(summary(patch)).toEqual(expect.stringMatching(problem));
});
