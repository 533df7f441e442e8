import { expect, test } from 'vitest';
import { type Pressed, pressOption } from '../../../../src/bridge/claude/dialog/press-option.ts';
import { readDialog } from '../../../../src/bridge/claude/screen/read-dialog.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { bareRun } from '../bare-run.ts';
import { Menu } from './menu.ts';

class Pressing {
  readonly menu = new Menu();
  readonly clock = new ManualClock();
  readonly run = bareRun({ terminal: this.menu, clock: this.clock });
  readonly shown = readDialog(this.menu.rows());

  /** @param option from 0; undefined: Esc */
  async press(option: number | undefined): Promise<Pressed> {
    if (!this.shown) throw new Error('no dialog is drawn');
    let result: Pressed | undefined;
    void pressOption(this.run, this.shown, option).then((pressed) => {
      result = pressed;
    });
    for (let ms = 0; ms < 60_000 && result === undefined; ms += 50) {
      for (let each = 0; each < 10; each += 1) await Promise.resolve();
      this.clock.advance(50);
    }
    if (result === undefined) throw new Error('it does not end');
    return result;
  }
}

const up = '\x1b[A';
const down = '\x1b[B';

test.each([
  [0, 0, ['\r']],
  [0, 2, [down, down, '\r']],
  [2, 1, [up, '\r']],
])('from option %i to %i by arrows, and Enter', async (at, option, keys) => {
  const on = new Pressing();
  on.menu.at = at;
  expect(await on.press(option)).toBe('done');
  expect(on.menu.keys).toEqual(keys);
});

test('a no is Esc, wherever the marker stands', async () => {
  const on = new Pressing();
  on.menu.at = 1;
  expect(await on.press(undefined)).toBe('done');
  expect(on.menu.keys).toEqual(['\x1b']);
});

test.each([0, undefined])('nothing is pressed on another dialog (%s)', async (option) => {
  const on = new Pressing();
  on.menu.becomes('Do you want to delete everything?');
  expect(await on.press(option)).toBe('changed');
  expect(on.menu.keys).toEqual([]);
});

test('nothing is chosen in one that changes while the marker moves', async () => {
  const on = new Pressing();
  on.menu.onArrow = () => {
    on.menu.words = 'Do you want to delete everything?';
  };
  expect(await on.press(2)).toBe('changed');
  expect(on.menu.keys).toEqual([down]);
});

test('nor in one that changes right before Enter', async () => {
  const on = new Pressing();
  on.clock.after(100, () => on.menu.becomes('Do you want to delete everything?'));
  expect(await on.press(0)).toBe('changed');
  expect(on.menu.keys).toEqual([]);
});

test('nor where somebody moves the marker away right before Enter', async () => {
  const on = new Pressing();
  on.clock.after(100, () => {
    on.menu.at = 1;
    on.menu.draw('✳');
  });
  expect(await on.press(0)).toBe('unmoved');
  expect(on.menu.keys).toEqual([]);
});

test('nor where the marker does not move', async () => {
  const on = new Pressing();
  on.menu.onArrow = () => {
    on.menu.at = 0;
  };
  expect(await on.press(1)).toBe('unmoved');
  expect(on.menu.keys).not.toContain('\r');
});

test.each([3, -1, Number.NaN])('nothing is pressed for an option that there is not (%d)', async (option) => {
  const on = new Pressing();
  expect(await on.press(option)).toBe('unmoved');
  expect(on.menu.keys).toEqual([]);
});

test('one that stands there still is said to', async () => {
  const on = new Pressing();
  on.menu.onEnter = () => {};
  expect(await on.press(0)).toBe('stands');
});
