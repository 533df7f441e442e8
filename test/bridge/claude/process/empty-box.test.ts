import { expect, test } from 'vitest';
import { emptyBox } from '../../../../src/bridge/claude/delivery/empty-box.ts';
import { backspace, LateBox } from './late-box.ts';

/** Deletes "apple pie", and more. */
const erased = backspace.repeat(41);

test('a text that was taken, and is gone from the box when the picture comes, has no key pressed on it', async () => {
  const late = new LateBox();
  late.draw('apple pie');
  expect(await late.empty(50, () => late.draw(''))).toBe(true);
  expect(late.typed).toEqual([]);
});

test.each([
  ['our own, that stays, is deleted', 'apple pie', erased],
  ['a draft of the operator is put aside', 'my own words', '\x13'],
])('a text that is %s', async (_, text, key) => {
  const late = new LateBox();
  late.draw(text);
  late.onKey = () => late.draw('');
  expect(await late.empty(0)).toBe(true);
  expect(late.typed).toEqual([key]);
});

test('a box that is full again is emptied at once: there is no key in it that could end Claude Code', async () => {
  const late = new LateBox();
  late.onKey = () => late.draw('');
  for (let each = 0; each < 3; each += 1) {
    late.draw('apple pie');
    expect(await late.empty(0)).toBe(true);
  }
  expect(late.typed).toEqual([erased, erased, erased]);
});

test('a key that empties nothing is not pressed again', async () => {
  const late = new LateBox();
  late.draw('apple pie');
  expect(await late.empty(0)).toBe(false);
  expect(late.typed).toEqual([erased]);
});

test('a key that Claude Code comes to read late, on a machine that is busy, is waited for', async () => {
  const late = new LateBox();
  const { size } = late.terminal;
  late.draw('apple pie');
  late.onResize = () => {};
  const done = late.empty(0);
  await asked(late);
  late.clock.advance(10_000);
  late.draw('');
  expect(await done).toBe(true);
  expect([late.typed, late.terminal.size, late.clock.timers]).toEqual([[erased], size, 0]);
});

test('one that draws nothing whatever it is asked for is not waited for for ever', async () => {
  const late = new LateBox();
  late.draw('apple pie');
  late.onResize = () => {};
  expect(await late.empty(0)).toBe(false);
  expect([late.typed, late.terminal.size.rows]).toEqual([[erased], 24]);
});

test('a size that somebody gives the terminal meanwhile is left alone', async () => {
  const late = new LateBox();
  late.draw('apple pie');
  late.onResize = () => {};
  const done = late.empty(0);
  await asked(late);
  late.terminal.resize(100, 50);
  late.draw('');
  await done;
  expect(late.terminal.size).toEqual({ cols: 100, rows: 50 });
});

test('keys that waited are read before a box is believed to be empty', async () => {
  const late = new LateBox();
  late.silentAt = late.drawn;
  late.onKey = () => late.draw('');
  late.onResize = () => {};
  const done = emptyBox(late);
  await asked(late);
  late.clock.advance(10_000);
  late.draw('');
  for (let ms = 0; ms < 200; ms += 100) {
    for (let each = 0; each < 10; each += 1) await Promise.resolve();
    late.clock.advance(100);
  }
  late.draw('apple pie');
  expect(await late.over(done)).toBe(true);
  expect([late.typed, late.terminal.size.rows]).toEqual([[erased], 24]);
});

test('a box whose Claude Code goes on drawing nothing is not believed, and gets no key', async () => {
  const late = new LateBox();
  late.silentAt = late.drawn;
  late.onResize = () => {};
  expect(await late.empty(0)).toBe(false);
  expect([late.typed, late.clock.timers]).toEqual([[], 0]);
});

/** It is asked to draw. */
async function asked({ clock, terminal }: LateBox): Promise<void> {
  for (let ms = 0; ms < 5_000 && terminal.size.rows === 24; ms += 100) {
    await Promise.resolve();
    clock.advance(100);
  }
}

test('an empty box costs no time', async () => {
  const late = new LateBox();
  expect(await emptyBox(late)).toBe(true);
  expect([late.typed, late.clock.timers]).toEqual([[], 0]);
});
