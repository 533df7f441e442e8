import { describe, expect, test } from 'vitest';
import { shapes } from './shapes.ts';
import { textFunctions } from './text-functions.ts';
import { within } from './within.ts';

/** At this length what is quadratic takes half a minute and more over all shapes; what is not, half a second. */
const length = 40_000;
const limitMs = 25_000;

describe('a hostile text of 40,000 characters holds nothing up', () => {
  test.each(Object.keys(textFunctions))('%s', { timeout: 60_000 }, (name) => {
    const run = textFunctions[name];
    let at = '';
    const work = () => {
      for (const [shape, make] of Object.entries(shapes)) {
        at = shape;
        run?.(make(length));
      }
      at = '';
    };
    try {
      within(limitMs, work);
    } catch (cause) {
      throw new Error(`it did not come to an end with: ${at}`, { cause });
    }
    expect(at).toBe('');
  });
});

test('a shape takes as many characters as it is asked for, give or take a few', () => {
  for (const make of Object.values(shapes)) {
    expect(make(10_000).length).toBeGreaterThanOrEqual(10_000);
    expect(make(10_000).length).toBeLessThan(10_200);
  }
});

test('what is quadratic is broken off', () => {
  const slow = () => 'a'.concat(' '.repeat(200_000), 'b').replace(/\s+$/, '');
  expect(() => within(200, slow)).toThrow('timed out');
});
