import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/workflow/documents/plan.ts';

const under = (step: string, ...lines: readonly string[]) =>
  parsePlan(`${step}\n${lines.map((line) => (line === '' ? '\n' : `   ${line}\n`)).join('')}`);
const actionsOf = (...lines: readonly string[]) => under('1. One', ...lines).steps[0]?.actions;
const faultsOf = (plan: ReturnType<typeof parsePlan>) =>
  plan.findings
    .filter(({ rule }) => rule !== 'no-scope' && rule !== 'no-check')
    .map(({ level, rule, line }) => `${level} ${rule} ${line}`);

test.each([
  ['```ts file=src/a.ts', 'src/a.ts'],
  ['~~~ts file=src/a.ts', 'src/a.ts'],
  ['````ts file=src/a.ts', 'src/a.ts'],
  ['```file=src/a.ts', 'src/a.ts'],
  ['``` file=src/a.ts', 'src/a.ts'],
  ['```ts file="src/a b.ts"', 'src/a b.ts'],
  ["```file='src/a b.ts'", 'src/a b.ts'],
  ['```ts file=./src//a.ts', 'src/a.ts'],
  ['```ts file=src/目录/ä.ts', 'src/目录/ä.ts'],
  ['```ts file=src/__a__*.ts', 'src/__a__*.ts'],
  ['```html file=a.html', 'a.html'],
])('%s', (fence, path) => {
  const close = /^[`~]+/.exec(fence)?.[0] ?? '';
  expect(actionsOf('', fence, 'x', close)).toEqual([
    { kind: 'file', path, content: 'x\n', line: 3 },
  ]);
});

test.each([
  ['no line', [], ''],
  ['one blank line', [''], '\n'],
  ['two blank lines', ['', ''], '\n\n'],
  ['a blank line first and last', ['', 'a', ''], '\na\n\n'],
  ['spaces', ['  a  ', '\tb\t'], '  a  \n\tb\t\n'],
  ['a comment of HTML', ['<!-- a -->', 'b <!-- c --> d'], '<!-- a -->\nb <!-- c --> d\n'],
  ['what looks like a plan', ['# Plan', '1. x', '- verify: `y`'], '# Plan\n1. x\n- verify: `y`\n'],
  ['backslashes and entities', ['\\* &amp; $& \\\\'], '\\* &amp; $& \\\\\n'],
  ['a shorter fence', ['```', 'a', '```'], '```\na\n```\n'],
])('content with %s', (_, lines, content) => {
  const text = ['````txt file=a', ...lines, '````'];
  expect(actionsOf('', ...text)).toMatchObject([{ kind: 'file', content }]);
  const windows = `1. One\r\n\r\n${text.map((line) => `   ${line}\r\n`).join('')}`;
  expect(parsePlan(windows).steps[0]?.actions).toMatchObject([{ content }]);
});

test.each([
  ['```diff apply', 'diff'],
  ['~~~diff apply', 'diff'],
  ['```sh run', 'run'],
  ['```bash run', 'run'],
])('%s', (fence, kind) => {
  const [action] = actionsOf('', fence, 'a', fence.slice(0, 3)) ?? [];
  const body = kind === 'diff' ? { patch: 'a\n' } : { script: 'a\n' };
  expect(action).toEqual({ kind, ...body, line: 3 });
});

test.each([
  ['another word', '```sh run now'],
  ['another language', '```zsh run'],
  ['another order', '```apply diff'],
  ['capitals', '```SH RUN'],
  ['a word behind the path', '```ts file=a.ts linenums'],
  ['a space before the path', '```ts file= a.ts'],
  ['no words', '```'],
  ['only a language', '```ts'],
])('a block with %s is prose', (_, fence) => {
  const plan = under('1. One', '', fence, 'x', '```');
  expect(plan.steps[0]?.actions).toEqual([]);
  expect(plan.steps[0]?.prose).toContain('x');
});

test.each([
  ['behind the step', '1. One\n\n```sh run\nx\n```\n', 3],
  ['indented too little', '1. One\n\n  ```ts file=a\n  x\n  ```\n', 3],
  ['under a bullet', '1. One\n   - see\n\n     ```sh run\n     x\n     ```\n', 4],
  ['in a quote', '1. One\n\n   > ```diff apply\n   > x\n   > ```\n', 3],
  ['in another section', '1. One\n\n## Notes\n\n```sh run\nx\n```\n', 5],
  ['above the steps', '```sh run\nx\n```\n\n1. One\n', 1],
  ['with other words', '1. One\n\n   ```sh run now\n   x\n   ```\n', 3],
])('a block %s is no action, and that is said', (_, text, line) => {
  const plan = parsePlan(text);
  expect(plan.steps.flatMap(({ actions }) => actions)).toEqual([]);
  expect(faultsOf(plan)).toEqual([`warning unattached-action ${line}`]);
});

test.each([
  ['/etc/passwd'],
  ['../a'],
  ['a/../../b'],
  ['.git/hooks/pre-commit'],
  ['sub/.git/config'],
  ['.chainlesschain/sessions/s1/plan.md'],
  ['C:\\a'],
  ['~/a'],
  ['src/'],
])('the path %s is refused', (path) => {
  const plan = under('1. One', '', `\`\`\`ts file=${path}`, 'x', '```');
  expect(plan.steps[0]?.actions).toEqual([]);
  expect(faultsOf(plan)).toEqual(['error bad-value 3']);
});

test.each([
  ['never closed', ['```ts file=a.ts', 'x'], 'error unclosed-fence 3'],
  ['an empty script', ['```sh run', '```'], 'error bad-value 3'],
  ['an empty patch', ['```diff apply', '', '```'], 'error bad-value 3'],
])('%s', (_, lines, fault) => {
  expect(faultsOf(under('1. One', '', ...lines))).toEqual([fault]);
});

test('actions keep their order, and lines count from the top of the file', () => {
  const plan = parsePlan(
    '---\na: 1\n---\n- One\n\n  ~~~sh run\n  a\n  ~~~\n\n  text\n\n  ```ts file=b\n  ```\n',
  );
  expect(plan.steps).toMatchObject([
    {
      prose: 'text',
      actions: [
        { kind: 'run', script: 'a\n', line: 6 },
        { kind: 'file', path: 'b', content: '', line: 12 },
      ],
    },
  ]);
});
