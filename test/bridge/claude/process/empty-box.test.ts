import { expect, test } from 'vitest';
import { emptyBox } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { LateBox } from './late-box.ts';

test('a text that was taken, and is gone from the box when the picture comes, has no key pressed on it', async () => {
  const late = new LateBox();
  late.draw('apple pie');
  expect(await late.empty(50, () => late.draw(''))).toBe(true);
  // Ctrl+C on an empty box begins to quit.
  expect(late.keys).toEqual([]);
});

test.each([
  ['our own, that stays, is deleted', 'apple pie', '\x03'],
  ['a draft of the operator is put aside', 'my own words', '\x13'],
])('a text that is %s', async (_, text, key) => {
  const late = new LateBox();
  late.draw(text);
  late.onKey = () => late.draw('');
  expect(await late.empty(0)).toBe(true);
  expect(late.keys).toEqual([key]);
});

test('a key that empties nothing is not pressed again', async () => {
  const late = new LateBox();
  late.draw('apple pie');
  expect(await late.empty(0)).toBe(false);
  expect(late.keys).toEqual(['\x03']);
});

test('an empty box costs no time', async () => {
  const late = new LateBox();
  expect(await emptyBox(late)).toBe(true);
  expect([late.keys, late.clock.timers]).toEqual([[], 0]);
});
