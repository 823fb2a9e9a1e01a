import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseJson } from '../../../src/kernel/base/files.ts';

const schema = z.looseObject({
  tasks: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['pending', 'completed']).default('pending'),
      scope: z.array(z.string()).optional(),
    }),
  ),
  version: z.literal(1).default(1),
  at: z.iso.datetime().optional(),
});

const MISFITS = [
  ['nothing', '{}', 'x.json:1: "tasks" is missing: it must be a list'],
  ['another type', '{\n  "a": {},\n  "tasks": "none"\n}', 'x.json:3: "tasks" must be a list'],
  ['no object', '[]', 'x.json:1: the document must be an object'],
  [
    'behind empty ones',
    '{"tasks": [\n{"id": "a", "scope": []},\n{"id": "b, ]\\"", "scope": ["x", "y"]},\n{"id":\n 3}]}',
    'x.json:5: "tasks.2.id" must be text',
  ],
  [
    'a missing key',
    '{\n"tasks": [\n{"status": "pending"}]}',
    'x.json:3: "tasks.0.id" is missing: it must be text',
  ],
  [
    'an unknown word',
    '{"tasks": [{"id": "a",\n"status": "done"}]}',
    'x.json:2: "tasks.0.status" must be one of pending, completed',
  ],
  ['another version', '{"tasks": [], \n"version": 2}', 'x.json:2: "version" must be 1'],
  [
    'a form',
    '\uFEFF{"tasks": [], \n"at": "today"}',
    'x.json:2: "at" must be as the format says (Invalid ISO datetime)',
  ],
] as const;

test.each(MISFITS)('%s is told in plain words, with its line', (_what, text, message) => {
  expect(() => parseJson('x.json', text, schema)).toThrow(
    expect.objectContaining({
      code: 'SESSION_DAMAGED',
      message,
      details: { path: 'x.json' },
      hint: 'cc repair',
    }) as Error,
  );
});
