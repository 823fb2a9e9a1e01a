import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../src/cli.js', import.meta.url));
const run = (...args) => execFileSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });

test('without a flag the report is text', () => {
  assert.equal(run().split('\n')[0], 'Assam    350 g  17.70 EUR');
});

test('with --json the report is JSON', () => {
  assert.deepEqual(JSON.parse(run('--json')), {
    currency: 'EUR',
    rows: [
      { tea: 'Assam', grams: 350, cents: 1770 },
      { tea: 'Sencha', grams: 100, cents: 980 },
    ],
  });
});
