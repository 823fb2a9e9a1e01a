import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ERROR_CODES } from '../../src/kernel/protocol/error-codes.ts';
import { decodeEnvelope, EVENT_PAYLOADS, EVENT_SOURCES } from '../../src/kernel/protocol/events.ts';
import {
  accessSchema,
  RUN_ENDINGS,
  STAGES,
  TASK_STATUSES,
} from '../../src/kernel/protocol/vocabulary.ts';
import { ROOT } from '../support/sources.ts';

const FILE = join(ROOT, 'docs', 'PROTOCOL.md');

/** What the exit statuses mean to a script; those of the codes and endings must all be here. */
const EXITS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'the work failed, or a defect',
  2: 'a hook refused, or is broken',
  3: 'a run reached its limit of turns',
  4: 'a run used up its budget',
  5: 'a model or its provider',
  6: 'usage or configuration',
  7: 'refused: a gate is closed, or something is not allowed',
  8: 'waits for a person',
  9: 'somebody else works on the session',
  10: 'a run stopped getting anywhere',
  130: 'cancelled',
  143: 'cancelled by SIGTERM',
};

const ENVELOPE: Readonly<Record<string, string>> = {
  version: '`"1.0"`',
  eventId: 'one id per event',
  id: 'the same id, under the name that older readers look for',
  type: 'one of the names below',
  timestamp: 'milliseconds since the Unix epoch',
  sessionId: 'the session, or `null`',
  requestId: 'one call of a command, or `null`',
  source: EVENT_SOURCES.map((source) => `\`${source}\``).join(', '),
  sequence: 'grows within one `requestId`; `null` outside of one',
  payload: 'by type, below',
  meta: '`traceId`, `model`, `durationMs`; each may be missing, others may come',
};

const EXAMPLE = {
  version: '1.0',
  eventId: 'e-1',
  id: 'e-1',
  type: 'workflow.stage.changed',
  timestamp: 1796083200000,
  sessionId: '20261130-add-json-flag-report',
  requestId: 'r-1',
  source: 'cli-runtime',
  sequence: 0,
  payload: { from: 'plan', to: 'execute', action: 'execute' },
  meta: {},
};

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function typeOf({ type, enum: words, const: only, items }: JsonSchema): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (words !== undefined) return words.map((word) => `\`${String(word)}\``).join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeOf(items)}`;
  return type ?? 'anything';
}

function fieldsOf(schema: z.ZodType): string {
  // A JSON Schema of zod has these keys or lacks them; no key is read that it gives another type.
  const { properties = {}, required = [] } = z.toJSONSchema(schema) as JsonSchema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    return `\`${name}${mark}\` ${typeOf(field)}`;
  });
  return fields.length === 0 ? 'reserved' : fields.join(' · ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (word: string | number) => `\`${word}\``;
const words = (list: readonly string[]) => list.map(code).join(' · ');

function render(): string {
  const sections: readonly (readonly [string, string])[] = [
    [
      'Exit statuses',
      table(
        ['status', 'meaning', 'codes'],
        Object.entries(EXITS).map(([exit, meaning]) => {
          const codes = Object.entries(ERROR_CODES).filter(
            ([, traits]) => traits.exit === Number(exit),
          );
          return [exit, meaning, codes.map(([name]) => code(name)).join(' ')];
        }),
      ),
    ],
    [
      'Error codes',
      [
        'With `--json` an error is the one document on standard output:',
        '`{"error":{"code","message","hint","details","retryable"}}`. `hint` is the command that helps. A code that is',
        'retryable may succeed later although the caller changes nothing.',
        '',
        table(
          ['code', 'exit', 'retryable'],
          Object.entries(ERROR_CODES).map(([name, { exit, retryable }]) => [
            code(name),
            String(exit),
            retryable ? 'yes' : 'no',
          ]),
        ),
      ].join('\n'),
    ],
    ['Stages', words(STAGES)],
    ['Status of a task', words(TASK_STATUSES)],
    [
      'Endings of a run',
      table(
        ['ending', 'exit'],
        Object.entries(RUN_ENDINGS).map(([ending, exit]) => [code(ending), String(exit)]),
      ),
    ],
    ['Access of a tool', words(accessSchema.options)],
    [
      'Envelope of an event',
      [
        table(
          ['field', 'content'],
          Object.entries(ENVELOPE).map(([n, about]) => [code(n), about]),
        ),
        '',
        '```json',
        JSON.stringify(EXAMPLE, undefined, 2),
        '```',
      ].join('\n'),
    ],
    [
      'Events',
      [
        'A field with `?` may be missing. *reserved* is a name whose fields are fixed with its first emitter. Skip a name',
        'that you do not know: a newer program speaks.',
        '',
        table(
          ['type', 'payload'],
          Object.entries(EVENT_PAYLOADS).map(([type, schema]) => [code(type), fieldsOf(schema)]),
        ),
      ].join('\n'),
    ],
  ];
  return [
    '# Words of the protocol',
    '',
    'What programs can rely on. Rendered from `src/kernel/protocol`; after a change there, run',
    '`UPDATE_DOCS=1 npx vitest run test/pins/protocol-docs.test.ts`.',
    '',
    ...sections.flatMap(([title, text]) => [`## ${title}`, '', text, '']),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

test('docs/PROTOCOL.md says what the schemas say', async () => {
  const wanted = render();
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(FILE, wanted);
  expect(await readFile(FILE, 'utf8')).toBe(wanted);
  expect(wanted).toContain('| `SESSION_BUSY` | 9 | yes |');
  expect(wanted).toContain('`from` `none` or `intent`');
});

test('every exit status of a code and of an ending has a meaning', () => {
  const codes = Object.values(ERROR_CODES).map(({ exit }) => exit);
  for (const exit of [...codes, ...Object.values(RUN_ENDINGS)]) {
    expect(EXITS[exit], `exit ${exit}`).toBeDefined();
  }
});

test('the example is an event, and each field of the envelope is needed', () => {
  expect(decodeEnvelope(EXAMPLE)).toMatchObject({ kind: 'event' });
  expect(Object.keys(EXAMPLE)).toEqual(Object.keys(ENVELOPE));
  for (const name of Object.keys(ENVELOPE)) {
    const { [name]: _, ...rest } = EXAMPLE as Readonly<Record<string, unknown>>;
    expect(decodeEnvelope(rest), name).toMatchObject({ kind: 'malformed' });
  }
});
