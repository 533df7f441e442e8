import { expect, test } from 'vitest';
import { emptyBox } from '../../../src/bridge/claude/deliver-typed.ts';
import { Watch } from '../../../src/bridge/claude/watch.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A prompt box of which the picture comes late: what is drawn is what the bridge sees, whatever the box holds. */
class LateBox {
  readonly clock = new ManualClock();
  readonly watch = new Watch(this.clock);
  readonly keys: string[] = [];
  readonly exit = undefined;
  readonly view = { box: '' };
  lastTyped: string | undefined = 'apple pie';
  /** What Claude Code does with a key. */
  onKey = () => {};
  readonly terminal = {
    write: (keys: string) => {
      this.keys.push(keys);
      this.onKey();
    },
  };

  draw(text: string): void {
    this.view.box = text;
    this.watch.poke();
  }

  /** @returns whether it was found empty, once the time that was given to the picture is over */
  async empty(beforeMs: number, meanwhile = () => {}): Promise<boolean> {
    const done = emptyBox(this);
    this.clock.advance(beforeMs);
    meanwhile();
    for (let each = 0; each < 40; each += 1) {
      await Promise.resolve();
      this.clock.advance(100);
    }
    return done;
  }
}

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
