import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nodeFiles } from '../../../src/kernel/base/node-files.ts';
import { findShell } from '../../../src/kernel/base/shell.ts';
import type { AgentEvent } from '../../../src/kernel/protocol/events.ts';
import { deleteFile } from '../../../src/kernel/tool/builtin/delete-file.ts';
import { createRunShell } from '../../../src/kernel/tool/builtin/run-shell.ts';
import { writeFile } from '../../../src/kernel/tool/builtin/write-file.ts';
import { fail, type ToolContext } from '../../../src/kernel/tool/tool.ts';
import type { LiteralAction } from '../../../src/workflow/documents/plan-model.ts';
import { type OfflinePorts, runLiteralAction } from '../../../src/workflow/executors/offline.ts';
import { TempWorkspace } from '../../kernel/tool/temp-workspace.ts';

const STEP = { cwd: undefined, timeoutMs: undefined };

const file = (path: string, content: string): LiteralAction => ({
  kind: 'file',
  path,
  content,
  line: 7,
});
const diff = (patch: string): LiteralAction => ({ kind: 'diff', patch, line: 7 });
const script = (text: string): LiteralAction => ({ kind: 'run', script: text, line: 7 });

async function portsFor(context: ToolContext, overrides: Partial<OfflinePorts> = {}) {
  const shell = await findShell(context.env);
  if (shell === undefined) throw new Error('This test needs a shell');
  const tools = [writeFile, deleteFile, createRunShell(shell)];
  const events: AgentEvent[] = [];
  let calls = 0;
  const ports: OfflinePorts = {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    context,
    newCallId: () => `call-${++calls}`,
    intercept: async () => undefined,
    checkpoint: async () => undefined,
    observe: async () => undefined,
    emit: (event) => events.push(event),
    now: () => performance.now(),
    ...overrides,
  };
  return { ports, types: () => events.map(({ type }) => type) };
}

async function run(action: LiteralAction, context: ToolContext, step: object = {}) {
  const { ports } = await portsFor(context);
  return runLiteralAction(action, { ...STEP, ...step }, ports);
}

const done = (...changed: string[]) => ({ ok: true, changed });

test('a file is written as it stands, through the path of every tool call', async () => {
  await using ws = await TempWorkspace.create();
  const { ports, types } = await portsFor(ws.context());
  const content = "const a = '$& $$';\n\u201cq\u201d e\u0301\n";
  expect(await runLiteralAction(file('src/a.ts', content), STEP, ports)).toEqual(done('src/a.ts'));
  expect(await ws.read('src/a.ts')).toBe(content);
  expect(types()).toEqual(['tool.call.started', 'tool.call.completed']);
  expect(await runLiteralAction(file('src/a.ts', content), STEP, ports)).toEqual(done());
});

test('a file keeps its line ends, mark, mode and link', async () => {
  await using ws = await TempWorkspace.create({ real: '\uFEFFa\r\nb\r\n' });
  await chmod(join(ws.root, 'real'), 0o755);
  await symlink('real', join(ws.root, 'link'));
  expect(await run(file('link', 'a\nB\n'), ws.context())).toEqual(done('real'));
  expect(await ws.read('real')).toBe('\uFEFFa\r\nB\r\n');
  expect(await ws.modeOf('real')).toBe('755');
  expect((await ws.snapshot())['ws/link']).toBe('link real');
});

const PATCH = `diff --git a/change.txt b/change.txt
--- a/change.txt
+++ b/change.txt
@@ -1,2 +1,2 @@
 a
-b
+B
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/bin/new b/bin/new
new file mode 100755
--- /dev/null
+++ b/bin/new
@@ -0,0 +1 @@
+#!/bin/sh
`;
const PATCHABLE = { 'change.txt': 'a\r\nb\n', 'gone.txt': 'x\n' };

test('a patch changes, makes and deletes; again, it changes nothing', async () => {
  await using ws = await TempWorkspace.create(PATCHABLE);
  const { ports, types } = await portsFor(ws.context());
  const result = await runLiteralAction(diff(PATCH), STEP, ports);
  expect(result).toEqual(done('change.txt', 'bin/new', 'gone.txt'));
  expect(await ws.read('change.txt')).toBe('a\r\nB\n');
  expect(await ws.modeOf('bin/new')).toBe('755');
  expect((await readdir(ws.root)).sort()).toEqual(['bin', 'change.txt']);
  const calls = types().length;
  expect(await runLiteralAction(diff(PATCH), STEP, ports)).toEqual(done());
  // Only the execute bit is looked at again.
  expect(types().length).toBe(calls + 2);
});

const CHANGE_X = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n n\n-1\n+2\n';

test.each<[string, LiteralAction, string, string]>([
  ['a file out of scope', file('other', 'x'), 'TOOL_PERMISSION_DENIED', 'outside of the step'],
  ['a file outside', file('../ws-evil/x', 'x'), 'PATH_OUTSIDE_WORKSPACE', 'outside of'],
  ['a file behind a link', file('in/out/x', 'x'), 'PATH_OUTSIDE_WORKSPACE', 'ws-evil'],
  ['git metadata', file('.git/hooks/pre-commit', 'x'), 'TOOL_PERMISSION_DENIED', 'protected'],
  ['a folder', file('in', 'x'), 'REQUEST_INVALID', 'in is a folder'],
  ['bytes that are no UTF-8', file('in/latin1', 'n=2\n'), 'REQUEST_INVALID', 'not UTF-8'],
  ['UTF-16', file('in/utf16', 'n=2\n'), 'REQUEST_INVALID', 'UTF-16'],
  [
    'a patch of such bytes',
    diff('--- a/in/latin1\n+++ b/in/latin1\n@@ -2 +2 @@\n-n=1\n+n=2\n'),
    'REQUEST_INVALID',
    'Line 7: in/latin1 is not UTF-8',
  ],
  [
    'a patch whose second file does not fit',
    diff(`--- /dev/null\n+++ b/in/a\n@@ -0,0 +1 @@\n+a\n${CHANGE_X.replaceAll('/x', '/in/x')}`),
    'REQUEST_INVALID',
    'Line 7: There is no file in/x',
  ],
  [
    'a patch whose second file is out of scope',
    diff(`--- /dev/null\n+++ b/in/a\n@@ -0,0 +1 @@\n+a\n${CHANGE_X}`),
    'TOOL_PERMISSION_DENIED',
    'outside of the step',
  ],
  [
    'a patch that names one file twice',
    diff(`${CHANGE_X.replaceAll('/x', '/in/n')}${CHANGE_X.replaceAll('/x', '/in/./n')}`),
    'REQUEST_INVALID',
    'are one file',
  ],
  ['a patch that is none', diff('nonsense'), 'REQUEST_INVALID', 'Line 7: It changes no file'],
])('refuses %s, and the tree stays byte for byte', async (_title, action, code, message) => {
  await using ws = await TempWorkspace.create({
    'in/latin1': Buffer.from([0x74, 0x6f, 0x6e, 0xe9, 0x0a, 0x6e, 0x3d, 0x31, 0x0a]),
    'in/utf16': Buffer.from([0xff, 0xfe, 0x61, 0x00]),
    'in/n': 'n\n1\n',
    x: 'n\n1\n',
  });
  await mkdir(join(ws.outside, 'ws-evil'));
  await symlink('../../ws-evil', join(ws.root, 'in/out'));
  const before = await ws.snapshot();
  const result = await run(action, ws.context({ scope: ['in', '.git'] }));
  expect(result).toMatchObject({ ok: false, code, changed: [] });
  expect(result).toMatchObject({ message: expect.stringContaining(message) });
  expect(await ws.snapshot()).toEqual(before);
});

const THREE = `${PATCH}diff --git a/private b/private
deleted file mode 100644
--- a/private
+++ /dev/null
@@ -1 +0,0 @@
-secret
`;

test('a disk that fails in the middle of a patch: what was done is undone', async () => {
  await using ws = await TempWorkspace.create({ ...PATCHABLE, private: 'secret\n' });
  await mkdir(join(ws.root, 'bin'));
  await chmod(join(ws.root, 'gone.txt'), 0o600);
  const before = await ws.snapshot();
  const remove: typeof nodeFiles.remove = async (path) => {
    if (path.endsWith('private')) throw new Error('read-only');
    await nodeFiles.remove(path);
  };
  const result = await run(diff(THREE), ws.context({ files: { ...nodeFiles, remove } }));
  expect(result).toEqual({
    ok: false,
    code: 'TOOL_EXECUTION_FAILED',
    message: 'Line 7: private was not deleted. read-only',
    changed: [],
  });
  expect(await ws.snapshot()).toEqual(before);
});

test('a disk that fails for good: what is left is named', async () => {
  await using ws = await TempWorkspace.create(PATCHABLE);
  let renames = 0;
  const rename: typeof nodeFiles.rename = async (from, to) => {
    if (++renames > 1) throw new Error('gone');
    await nodeFiles.rename(from, to);
  };
  const result = await run(diff(PATCH), ws.context({ files: { ...nodeFiles, rename } }));
  expect(result).toEqual({
    ok: false,
    code: 'TOOL_EXECUTION_FAILED',
    message: 'Line 7: bin/new was not written. gone; could not put back change.txt',
    changed: ['change.txt'],
  });
});

test('cancelled in the middle of a patch: all of it is undone', async () => {
  await using ws = await TempWorkspace.create(PATCHABLE);
  await mkdir(join(ws.root, 'bin'));
  const before = await ws.snapshot();
  const abort = new AbortController();
  const { ports, types } = await portsFor(ws.context({ signal: abort.signal }), {
    observe: async () => abort.abort(),
  });
  const result = await runLiteralAction(diff(PATCH), STEP, ports);
  expect(result).toMatchObject({ ok: false, code: 'REQUEST_CANCELLED', changed: [] });
  expect(await ws.snapshot()).toEqual(before);
  const wrote = ['tool.call.started', 'tool.call.completed'];
  expect(types()).toEqual([...wrote, 'tool.call.skipped', ...wrote]);
});

test('a hook that vetoes stops the action, and cannot keep half of it', async () => {
  await using ws = await TempWorkspace.create(PATCHABLE);
  await mkdir(join(ws.root, 'bin'));
  const before = await ws.snapshot();
  let asked = 0;
  const intercept = async () => (++asked > 1 ? fail('HOOK_VETOED', 'no') : undefined);
  const { ports } = await portsFor(ws.context(), { intercept });
  const result = await runLiteralAction(diff(PATCH), STEP, ports);
  expect(result).toMatchObject({ ok: false, code: 'HOOK_VETOED', changed: [] });
  expect(await ws.snapshot()).toEqual(before);
});

test('a script runs as it stands, in the folder of the step', async () => {
  await using ws = await TempWorkspace.create({ 'sub/a': '' });
  const text = 'for f in *; do\n  echo "$f"\ndone > list\necho "it\'s done"\n';
  expect(await run(script(text), ws.context(), { cwd: 'sub' })).toEqual({
    ok: true,
    changed: [],
    output: "it's done",
  });
  expect(await readFile(join(ws.root, 'sub/list'), 'utf8')).toBe('a\nlist\n');
});

test('a script that fails: exit code and last lines', async () => {
  await using ws = await TempWorkspace.create();
  const result = await run(script('seq 1 30; echo bad >&2; exit 3'), ws.context());
  expect(result).toEqual({
    ok: false,
    code: 'TOOL_EXECUTION_FAILED',
    message: 'Line 7: the script ended with exit code 3',
    changed: [],
    output: expect.stringMatching(/^1[0-9]\n(?:\d+\n)+30\n+bad$/),
  });
});

test.each([
  ['a signal', 'kill -9 $$', {}, /^Line 7: the script was ended by SIGKILL$/],
  ['its time', 'sleep 60', { timeoutMs: 1 }, /^Line 7: the script was ended after 1 s: its time/],
  ['a missing folder', 'true', { cwd: 'nope' }, /^Line 7: cwd nope is not a folder$/],
  ['a folder outside', 'true', { cwd: '..' }, /^Line 7: \.\. leads to .*, outside of /],
  ['a command that is not there', 'no-such-program-here', {}, /exit code 127$/],
])('a script fails by %s', async (_title, text, step, message) => {
  await using ws = await TempWorkspace.create();
  const result = await run(script(text), ws.context(), step);
  expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
});

test('a script that is cancelled', async () => {
  await using ws = await TempWorkspace.create();
  const abort = new AbortController();
  const running = run(script('touch begun; sleep 60'), ws.context({ signal: abort.signal }));
  while (!(await readdir(ws.root)).includes('begun')) await sleep(10);
  abort.abort();
  expect(await running).toMatchObject({ ok: false, code: 'REQUEST_CANCELLED' });
});

test('where there is no shell, a script is refused and a file is not', async () => {
  await using ws = await TempWorkspace.create();
  const tools = new Map([['write_file', writeFile]]);
  const { ports } = await portsFor(ws.context(), { tools });
  const result = await runLiteralAction(script('true'), STEP, ports);
  expect(result).toMatchObject({ ok: false, code: 'TOOL_NOT_REGISTERED' });
  expect(await runLiteralAction(file('a', 'x'), STEP, ports)).toEqual(done('a'));
});
