import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseJson } from '../../../src/kernel/base/files.ts';

const schema = z.looseObject({ a: z.int().optional() });

test.each([
  ['nothing', '', 'x.json:1: it is empty'],
  ['cut in a string', '{\n  "a": 1,\n  "b": "c', 'x.json:3: it is not JSON'],
  ['cut behind a key', '{\n  "a":\n', 'x.json:3: it is not JSON'],
  ['a comma too many', '{\n  "a": 1,\n}\n', 'x.json:3: it is not JSON'],
  ['a word', '{\n  "a": 1,\n  "b": yes,\n  "c": 2\n}', 'x.json:3: it is not JSON'],
  ['stale bytes behind it', '{\n  "a": 1\n}\n}\n', 'x.json:4: it is not JSON'],
  ['NUL bytes', '\0\0\0', 'x.json:1: it is not JSON'],
  ['a wrong type', '{"a": "1"}', 'x.json:1: "a" must be '],
])('names the line of %s', (_case, text, message) => {
  expect(() => parseJson('x.json', text, schema)).toThrow(message);
});

test('takes a byte order mark', () => {
  expect(parseJson('x.json', '\uFEFF{"a": 1}', schema)).toEqual({ a: 1 });
});
