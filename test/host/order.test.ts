import { expect, test } from 'vitest';
import { readOrder } from '../../src/host/order.ts';

test('an order names folder, run, socket and secret, and more does not matter', () => {
  const order = { dir: '/d', run: 'r1', socket: '/d/s', secret: 'x' };
  expect(readOrder(`${JSON.stringify({ ...order, more: 1 })}\n`)).toEqual(order);
});

test.each([
  ['cut off', '{"dir":"/d","run'],
  ['nothing', '\n'],
  ['null', 'null'],
  ['without a socket', '{"dir":"/d","run":"r1","secret":"x"}'],
  ['without a secret', '{"dir":"/d","run":"r1","socket":"/s"}'],
  ['with an empty run', '{"dir":"/d","run":"","socket":"/s","secret":"x"}'],
  ['with a number', '{"dir":1,"run":"r1","socket":"/s","secret":"x"}'],
])('one that is %s is none, in words', (_, text) => {
  expect(() => readOrder(text)).toThrow(/its order (?:is no JSON|names no folder)/);
});
