import { expect, test } from 'vitest';
import { boundStrings, boundText } from '../../../src/kernel/tool/truncation.ts';

test.each([
  ['short', 'abc', 100],
  ['of exactly the limit', 'é'.repeat(100), 200],
  ['empty', '', 0],
])('a text that is %s stays as it is', (_title, text, maxBytes) => {
  expect(boundText(text, maxBytes)).toEqual({ text, truncated: false });
});

test('a long text keeps both ends and says how much is missing', () => {
  const { text, truncated } = boundText(`begin${'x'.repeat(1_000)}end`, 164);
  expect(truncated).toBe(true);
  expect(text).toBe(`begin${'x'.repeat(45)}\n[cut: 908 bytes]\n${'x'.repeat(47)}end`);
});

test.each([0, 1, 2, 3])('no character is cut in two (offset %i)', (offset) => {
  const { text } = boundText('a'.repeat(offset) + '😀语é'.repeat(200), 301);
  expect(text).not.toContain('\uFFFD');
  expect(text).toMatch(/^a*(?:😀语é)*(?:😀语?)?\n\[cut: \d+ bytes\]\n/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(304);
});

test('strings are bounded wherever they are; the rest stays', () => {
  const long = 'y'.repeat(500);
  const bounded = boundStrings({ a: [long, 1, true, null], b: { c: 'short' } }, 100);
  const cut = `${'y'.repeat(18)}\n[cut: 464 bytes]\n${'y'.repeat(18)}`;
  expect(bounded).toEqual({ a: [cut, 1, true, null], b: { c: 'short' } });
});

test('what refers to itself comes to an end', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(JSON.stringify(boundStrings(circle, 100))).toContain('[cut: nested too deep]');
});
