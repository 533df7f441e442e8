import { expect, test } from 'vitest';
import { Chords } from '../../src/demo/claude/screen/chords.ts';
import { KeyReader } from '../../src/demo/claude/screen/keys.ts';

const x = '\x18';
const k = '\x0b';
/** How often the chord was completed. */
const count = (typed: string) => {
  const chord = new Chords();
  return new KeyReader().push(typed).filter((key) => chord.press(key) === 'kill').length;
};

test.each([
  [x + k + x + k, 1],
  [x + k, 0],
  [`${x}${k}a${x}${k}`, 0],
  // The second Ctrl+X ends the chord that the first began.
  [x + x + k + x + k, 0],
  [k + k + k + k, 0],
  [(x + k).repeat(4), 2],
])('%j stops the agents %i times', (typed, times) => {
  expect(count(typed)).toBe(times);
});
