import { expect, test } from 'vitest';
import { deleteFile } from '../../../src/kernel/tool/builtin/delete-file.ts';
import { createRunShell } from '../../../src/kernel/tool/builtin/run-shell.ts';
import { writeFile } from '../../../src/kernel/tool/builtin/write-file.ts';

const shell = { kind: 'sh', label: 'POSIX sh', path: '/bin/sh' } as const;

test('what a provider is told about each tool', () => {
  const tools = [writeFile, deleteFile, createRunShell(shell)];
  const told = tools.map(({ name, access, inputSchema }) => [name, access, inputSchema]);
  const object = { type: 'object', additionalProperties: false };
  expect(told).toMatchObject([
    ['write_file', 'write', { ...object, required: ['path', 'content'] }],
    ['delete_file', 'write', { ...object, required: ['path'] }],
    ['run_shell', 'execute', { ...object, required: ['command'] }],
  ]);
  expect(JSON.stringify(told).length).toBeLessThan(1_500);
});
