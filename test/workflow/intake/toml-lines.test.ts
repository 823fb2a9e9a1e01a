import { expect, test } from 'vitest';
import {
  hasTable,
  readToml,
  tomlStrings,
  tomlValue,
} from '../../../src/workflow/intake/toml-lines.ts';

test.each([
  ['a string', '[a]\nk = "v"\n', ['v']],
  ['single quotes', "[a]\nk='v'\n", ['v']],
  ['a comment with a quote', '[a]\nk = "v" # don\'t\n', ['v']],
  ['a hash inside a string', '[a]\nk = "v#1"\n', ['v#1']],
  ['a list', '[a]\nk = ["x", \'y\']\n', ['x', 'y']],
  ['a list over lines', '[a]\nk = [\n  "x", # one\n  "y]",\n]\nz = 1\n', ['x', 'y]']],
  ['CRLF', '[a]\r\nk = "v"\r\n', ['v']],
  ['quoted keys and tables', '["a"]\n"k" = "v"\n', ['v']],
  ['a string over lines before it', '[a]\nt = """\nk = "no"\n"""\nk = "v"\n', ['v']],
  ['a string over lines that ends at once', '[a]\nt = """no"""\nk = "v"\n', ['v']],
  ['a list that never ends before it', '[a]\nt = [\nk = "v"\n', ['v']],
])('reads %s', (_title, text, expected) => {
  expect(tomlStrings(tomlValue(readToml(text), 'a', 'k'))).toEqual(expected);
});

test('a table counts when only tables inside of it are written', () => {
  const file = readToml('[tool.pytest.ini_options]\n[[bin]]\n[toolbox]\n');
  expect(['tool.pytest', 'tool', 'bin', 'tool.py'].map((name) => hasTable(file, name))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test.each([
  ['lists that never end', 'a = [\n'],
  ['strings that never end', 'a = """\n'],
  ['quotes', `a = ${'"\''.repeat(40)}\n`],
])('a megabyte of %s costs little', (_title, line) => {
  const text = line.repeat(Math.ceil(1_000_000 / line.length));
  const startedAt = performance.now();
  expect(readToml(text).tables.size).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(1_500);
});
