import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asText, sumUp } from '../src/report.js';

test('sales of one tea are added up, best seller first', () => {
  const rows = sumUp([
    { tea: 'Sencha', grams: 50, cents: 500 },
    { tea: 'Assam', grams: 100, cents: 400 },
    { tea: 'Assam', grams: 100, cents: 400 },
  ]);
  assert.deepEqual(rows, [
    { tea: 'Assam', grams: 200, cents: 800 },
    { tea: 'Sencha', grams: 50, cents: 500 },
  ]);
});

test('a row of the text names tea, weight and price', () => {
  const text = asText([{ tea: 'Assam', grams: 200, cents: 800 }]);
  assert.equal(text, 'Assam    200 g  8.00 EUR');
});
