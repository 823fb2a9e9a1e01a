/** Edits that a person could make to an approved plan, and whether the approval must fall with them. */

export interface PlanEdit {
  readonly title: string;
  /** Throws when the text does not hold what is to be edited. */
  readonly edit: (text: string) => string;
  /** True when the plan means something else afterwards. */
  readonly semantic: boolean;
}

export const EDITABLE_INTENT = `# Intent

**Session:** s1
**Created:** 2026-11-30T09:00:00.000Z

## Goal

Print the report as JSON

## Clarifications

- Machines read it (asked)

## Non-Goals

- No XML

## Constraints

- No new packages

## Acceptance Criteria

- AC1: report --json prints JSON
- AC2: the text report stays as it is

## Assumptions

- Node 20 or later

## Open Questions

_(none yet)_
`;

export const EDITABLE_PLAN = `---
session: s1
approved: false
updated: 2026-11-30T09:00:00.000Z
---

# Plan: Report as JSON

## Steps

1. Add the \`--json\` flag
   - id: add-flag
   - kind: feature
   - role: executor/main
   - scope: \`src/report.mjs\`, \`test/**\`
   - after: none
   - verify: \`node --test\`
   - done when: the flag is listed in the help
   - criteria: AC1, AC2
   - allow: \`node --version\`
   - network: no
   - cwd: packages/report
   - timeout: 90s
   - budget: turns 40, cost $2, time 30m

   Parse the flag before the file name.
   Keep the old output as it is.

   - never touch stdin
   - do not print colors

   \`\`\`mjs file=src/report.mjs
   export const report = (rows) => JSON.stringify(rows);

   // the end
   \`\`\`

2. Write it down
   - kind: docs
   - scope: README.md
   - after: add-flag

   \`\`\`diff apply
   --- a/README.md
   +++ b/README.md
   @@ -1 +1,2 @@
    # Report
   +--json prints JSON.
   \`\`\`

   \`\`\`sh run
   node src/report.mjs
   \`\`\`

   \`\`\`
   An example, nothing to run.
   \`\`\`

## Tradeoffs

- JSON only, no streaming

## Verification

- \`node --test\`
- \`node bench.mjs\` (ci)
- AC1: \`node src/report.mjs --json\`
- AC2: review

## Risks

- Large reports

## Budget

- turns 100
`;

const swap = (from: string, to: string) => (text: string) => {
  if (!text.includes(from)) throw new Error(`Not in the plan: ${from}`);
  return text.replace(from, () => to);
};
const means = (title: string, from: string, to: string): PlanEdit => ({
  title,
  edit: swap(from, to),
  semantic: true,
});
const looks = (title: string, from: string, to: string): PlanEdit => ({
  title,
  edit: swap(from, to),
  semantic: false,
});

const SEMANTIC: readonly PlanEdit[] = [
  means('another title of the plan', 'Plan: Report as JSON', 'Plan: Report as YAML'),
  means('another title of a step', '2. Write it down', '2. Write it up'),
  means('another word in code in a title', '`--json` flag', '`--yaml` flag'),
  means('another id', 'id: add-flag', 'id: add-the-flag'),
  means('no id', '   - id: add-flag\n', ''),
  means('another kind', 'kind: feature', 'kind: refactor'),
  means('another role', 'role: executor/main', 'role: tester/main'),
  means('another lane', 'role: executor/main', 'role: executor/docs'),
  means('a wider scope', '`test/**`', '`**`'),
  means('one more path in the scope', '`test/**`', '`test/**`, `package.json`'),
  means('no scope', '   - scope: README.md\n', ''),
  means('no dependency', 'after: add-flag', 'after: none'),
  means('a dependency where there was none', '   - after: none\n', ''),
  means('another check of a step', 'verify: `node --test`', 'verify: `true`'),
  means('one more check of a step', 'verify: `node --test`', 'verify: `node --test`, `node x.mjs`'),
  means('a check of a step put off', 'verify: `node --test`', 'verify: `node --test` (ci)'),
  means('a check without backticks', 'verify: `node --test`', 'verify: node --test'),
  means('a misspelled key', '- verify:', '- verfy:'),
  means('another end', 'listed in the help', 'listed in the manual'),
  means('fewer criteria of a step', 'criteria: AC1, AC2', 'criteria: AC1'),
  means('another allowed command', 'allow: `node --version`', 'allow: `node --eval 1`'),
  means('the network', 'network: no', 'network: yes'),
  means('a host', 'network: no', 'network: registry.example.org'),
  means('another folder', 'cwd: packages/report', 'cwd: packages'),
  means('more time', 'timeout: 90s', 'timeout: 10m'),
  means('more turns', 'turns 40', 'turns 400'),
  means('more money', 'cost $2', 'cost $20'),
  means('a larger budget of the plan', 'turns 100', 'turns 1000'),
  means('no budget of the plan', '## Budget\n\n- turns 100\n', ''),
  means('a word of prose', 'before the file name', 'after the file name'),
  means('a word fewer in prose', 'Keep the old output', 'Keep the output'),
  means('a sentence more', 'as it is.\n', 'as it is. Then delete the tests.\n'),
  means('a word in a bullet of prose', 'never touch stdin', 'always touch stdin'),
  means('a bullet of prose more', 'colors\n', 'colors\n   - print a banner\n'),
  means('bold words', 'Keep the old output', '**Keep** the old output'),
  means('a character of zero width', 'never touch stdin', 'never to\u200Buch stdin'),
  means('a character that turns the direction', 'print colors', 'print \u202Ecolors'),
  means('a space that does not break', 'never touch', 'never\u00A0touch'),
  means('a byte of a literal file', 'JSON.stringify(rows)', 'JSON.stringify(rows, 0)'),
  means('trailing space in a literal file', '// the end\n', '// the end \n'),
  means('a blank line more in a literal file', ';\n\n   //', ';\n\n\n   //'),
  means('a comment of HTML in a literal file', '// the end', '// <!-- the end -->'),
  means('another path of a literal file', 'file=src/report.mjs', 'file=src/main.mjs'),
  means('a literal file that is prose', '```mjs file=', '```mjs name='),
  means('a line of a patch', '+--json prints JSON.', '+--json prints all.'),
  means('a script', '   node src/report.mjs\n', '   node src/report.mjs --all\n'),
  means('a script that is prose', '```sh run', '```sh'),
  means('an example that is a script', '```\n   An example', '```sh run\n   An example'),
  means('a word of an example', 'An example, nothing to run', 'An example, run it'),
  means('a check of the plan', '- `node --test`\n-', '- `node --test --only`\n-'),
  means('a check of the plan fewer', '- `node --test`\n- `node b', '- `node b'),
  means('a check of the plan no longer put off', '`node bench.mjs` (ci)', '`node bench.mjs`'),
  means('the proof of a criterion', 'AC1: `node src/report.mjs --json`', 'AC1: `node --version`'),
  means('a waiver', 'AC2: review', 'AC2: waived: no time'),
  means('a proof fewer', '- AC2: review\n', ''),
  means('one step more', '\n## Tradeoffs', '\n3. Publish it\n\n## Tradeoffs'),
  means('a bullet that swallows a key', '   - kind: docs\n', '   - kind: docs\n   - notes: x\n'),
  {
    title: 'the steps in another order',
    semantic: true,
    edit: (text) => {
      const first = text.indexOf('1. Add the');
      const second = text.indexOf('2. Write it');
      const end = text.indexOf('## Tradeoffs');
      if (first === -1 || second < first || end < second) throw new Error('Not the plan');
      const [one, two] = [text.slice(first, second), text.slice(second, end)];
      return text.slice(0, first) + two + one + text.slice(end);
    },
  },
];

const COSMETIC: readonly PlanEdit[] = [
  looks('a tick', '1. Add the', '1. [x] Add the'),
  looks('a box', '2. Write', '2. [ ] Write'),
  looks('a mark of work going on', '2. Write', '2. [~] Write'),
  looks('trailing space behind a title', '2. Write it down\n', '2. Write it down  \n'),
  looks('trailing space behind a key', 'timeout: 90s\n', 'timeout: 90s \t\n'),
  looks('trailing space in prose', 'the file name.\n', 'the file name.   \n'),
  looks('prose wrapped elsewhere', 'file name.\n   Keep the', 'file name. Keep\n   the'),
  looks('two spaces between words', 'Keep the old', 'Keep  the old'),
  looks('a blank line more', '# Plan: Report as JSON\n', '\n# Plan: Report as JSON\n\n'),
  looks('a blank line between keys', 'after: none\n', 'after: none\n\n'),
  looks('a comment above the steps', '## Steps\n', '## Steps\n\n<!-- ask Ann -->\n'),
  looks('a comment in a line', 'Keep the old output', 'Keep the <!-- old? --> old output'),
  looks('a comment on a line of its own', 'name.\n', 'name.\n<!-- why? -->\n'),
  looks('a comment of several lines', 'name.\n', 'name.\n   <!-- why\n\n   and how -->\n'),
  looks('a comment between keys', '   - after: none\n', '<!-- first -->\n   - after: none\n'),
  looks('a comment in a value', 'scope: README.md', 'scope: README.md <!-- only -->'),
  looks('a comment in a title', '2. Write', '2. <!-- later --> Write'),
  looks(
    'other bullets of keys',
    '   - kind: docs\n   - scope: R',
    '   * kind: docs\n   * scope: R',
  ),
  looks('a numbered list with brackets', '2. Write', '2) Write'),
  looks('another number', '2. Write', '7. Write'),
  looks('a bold key', '- verify: `node --test`', '- **verify**: `node --test`'),
  looks('a key in capitals', '- kind: docs', '- Kind: docs'),
  looks('a key with another word', '- scope: README.md', '- files: README.md'),
  looks('a key in Chinese', '- scope: README.md', '- 范围：README.md'),
  looks('backticks around a path', 'scope: README.md', 'scope: `README.md`'),
  looks('a dot in front of a path', 'scope: README.md', 'scope: ./README.md'),
  looks('a list below its key', 'criteria: AC1, AC2', 'criteria:\n     - AC1\n     - AC2'),
  looks('a dependency by its number', 'after: add-flag', 'after: step 1'),
  looks('a dependency by its title', 'after: add-flag', 'after: Add the `--json` flag'),
  looks('a time in another unit', 'timeout: 90s', 'timeout: 1m30s'),
  looks('a budget in another order', 'turns 40, cost $2', 'cost $2, turns 40'),
  looks('a kind that is the default', '   - kind: feature\n', ''),
  looks('a heading underlined', '## Steps\n', 'Steps\n-----\n'),
  looks('a heading with a colon', '## Verification\n', '## Verification: ##\n'),
  looks('a heading in Chinese', '## Steps\n', '## 步骤\n'),
  looks('another tradeoff', 'JSON only, no streaming', 'No streaming'),
  looks('no risks', '## Risks\n\n- Large reports\n', ''),
  looks(
    'another sign of a fence',
    '```sh run\n   node src/report.mjs\n   ```',
    '~~~sh run\n   node src/report.mjs\n   ~~~',
  ),
  looks('another name of the shell', '```sh run', '```bash run'),
  looks('a key of its own on top', 'session: s1\n', 'session: s1\nteam: blue\n'),
  looks('a section of its own', '## Risks\n', '## Notes\n\n- call Ann\n\n## Risks\n'),
  {
    title: 'keys of a step in another order',
    semantic: false,
    edit: (text) => {
      const without = swap('   - timeout: 90s\n', '')(text);
      return swap('   - id: add-flag\n', '   - timeout: 90s\n   - id: add-flag\n')(without);
    },
  },
  {
    title: 'CRLF everywhere',
    semantic: false,
    edit: (text) => text.replace(/\r?\n/g, '\r\n'),
  },
  { title: 'a byte-order mark', semantic: false, edit: (text) => `\uFEFF${text}` },
  { title: 'no line end at the end', semantic: false, edit: (text) => text.trimEnd() },
];

export const PLAN_EDITS: readonly PlanEdit[] = [...SEMANTIC, ...COSMETIC];
