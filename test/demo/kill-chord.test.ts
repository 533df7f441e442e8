import { expect, test } from 'vitest';
import { KeyReader } from '../../src/demo/claude/screen/keys.ts';
import { KillChord } from '../../src/demo/claude/screen/kill-chord.ts';

const x = '\x18';
const k = '\x0b';
/** How often the chord was completed. */
const count = (typed: string) => {
  const chord = new KillChord();
  return new KeyReader().push(typed).filter((key) => chord.press(key)).length;
};

test.each([
  [x + k + x + k, 1],
  [x + k, 0],
  [`${x}${k}a${x}${k}`, 0],
  [x + x + k + x + k, 1],
  [k + k + k + k, 0],
  [(x + k).repeat(4), 2],
])('%j stops the agents %i times', (typed, times) => {
  expect(count(typed)).toBe(times);
});
