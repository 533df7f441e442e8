import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliverTyped, pressEscape } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { fillThroughEditor } from '../../../../src/bridge/claude/delivery/through-editor.ts';
import { typePlan } from '../../../../src/bridge/claude/delivery/typist.ts';
import { textFile } from '../../../../src/bridge/claude/launch/prompt-editor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { tempDir } from '../../journal/temp-dir.ts';
import { bareRun } from '../bare-run.ts';
import { submitKey, usualKeys } from '../usual-keys.ts';
import { TypedBox } from './typed-box.ts';

function claude() {
  const [terminal, clock] = [new TypedBox(), new ManualClock()];
  const run = bareRun({ terminal, clock });
  /** It has read none of the keys for ten seconds, and is asked to draw. */
  const standsStill = async () => {
    terminal.onResize = () => {};
    for (let ms = 0; ms < 5_000 && terminal.size.rows === 24; ms += 100) {
      await new Promise(setImmediate);
      clock.advance(100);
    }
    clock.advance(10_000);
  };
  /** What comes of it when all its time is over. */
  const over = async <T>(done: Promise<T>) => {
    for (let ms = 0; ms < 60_000; ms += 100) {
      await new Promise(setImmediate);
      clock.advance(100);
    }
    return done;
  };
  const deliver = () =>
    deliverTyped(run, { turn: 't1', cancelled: false, sent: false }, typePlan('apple', 'alice'));
  return { run, terminal, standsStill, over, deliver };
}

test.each([
  ['together with other keys', 'garbled', 'the text was mixed with other keys'],
  ['behind a prompt of somebody else', 'foreign', 'another prompt was entered at the same time'],
] as const)('a box that takes a text %s, again and again, is not stuck', async (_, fate, detail) => {
  const { run, terminal, deliver } = claude();
  terminal.onSubmit = () => {
    run.fate = fate;
    terminal.shows('');
  };
  expect(await deliver()).toEqual({ kind: 'failed', seen: false, detail });
});

test.each<[string, string[], 'short' | undefined]>([
  ['takes nothing, and nothing again, is stuck', ['nothing', 'nothing'], 'short'],
  ['takes a text together with other keys, and then nothing, is stuck', ['mixture', 'nothing'], 'short'],
  [
    'takes nothing, and then a text together with other keys, is not stuck',
    ['nothing', 'mixture'],
    undefined,
  ],
  ['takes nothing because a turn of others began is not stuck', ['nothing', 'turn'], undefined],
])('a box that %s', async (_, does, stuck) => {
  const { run, terminal, over, deliver } = claude();
  terminal.onPaste = (text) => {
    const what = does.shift();
    if (what === 'turn') run.taken('t0');
    if (what === 'mixture') terminal.shows(text);
  };
  terminal.onSubmit = () => {
    run.fate = 'garbled';
    terminal.shows('');
  };
  expect(await over(deliver())).toEqual({ kind: 'failed', seen: false, detail: expect.any(String), stuck });
  expect(does).toEqual([]);
});

test('a text that is read late is typed once: a second one would be mixed with it', async () => {
  const { run, terminal, standsStill, deliver } = claude();
  terminal.onPaste = () => {};
  terminal.onSubmit = () => {
    run.fate = 'ours';
  };
  const delivered = deliver();
  await standsStill();
  terminal.shows('apple ');
  expect(await delivered).toEqual({ kind: 'taken' });
  expect(terminal.keys).toEqual([typePlan('apple', 'alice').keys, submitKey]);
});

test('an Enter that is read late is pressed once', async () => {
  const { run, terminal, standsStill, deliver } = claude();
  const delivered = deliver();
  await standsStill();
  run.fate = 'ours';
  run.watch.poke();
  expect(await delivered).toEqual({ kind: 'taken' });
  expect(terminal.keys.filter((key) => key === submitKey)).toHaveLength(1);
});

test('an Esc that is read late is pressed once: a second one would open a dialog', async () => {
  const { run, terminal, standsStill } = claude();
  run.taken('t1');
  const pressed = pressEscape(run);
  await standsStill();
  run.turnIdle(true);
  expect(await pressed).toBe(true);
  expect(terminal.keys).toEqual(['\x1b']);
});

test('where Ctrl+C alone stops a turn, a second one is not pressed within a second, which would end Claude Code', async () => {
  const [terminal, clock] = [new TypedBox(), new ManualClock()];
  const run = bareRun({ terminal, clock, keys: async () => ({ ...(await usualKeys()), cancel: undefined }) });
  const pressed: number[] = [];
  terminal.onInterrupt = () => {
    pressed.push(clock.now());
    run.turnIdle(true);
  };
  for (const turn of ['t1', 't2']) {
    run.taken(turn);
    const done = pressEscape(run);
    for (let ms = 0; ms < 5000; ms += 50) {
      await new Promise(setImmediate);
      if (!run.turns.busy) break;
      clock.advance(50);
    }
    expect(await done).toBe(true);
  }
  const [first = 0, second = 0] = pressed;
  expect(pressed).toHaveLength(2);
  expect(second - first).toBeGreaterThanOrEqual(1500);
});

test('a text for the editor stays where it is until Claude Code comes to open that', async () => {
  const { run, terminal, standsStill } = claude();
  const dir = tempDir();
  const filled = fillThroughEditor(run, dir, 'apple');
  await standsStill();
  expect(existsSync(join(dir, textFile))).toBe(true);
  terminal.shows('apple');
  expect(await filled).toBe(true);
  expect(existsSync(join(dir, textFile))).toBe(false);
});

test('behind an editor that is not ours nothing is drawn: a person who waits for the words about it is told soon', async () => {
  const { run, terminal, over } = claude();
  terminal.editorDir = tempDir();
  const filled = fillThroughEditor(run, tempDir(), 'apple').then((done) => ({ done, ms: run.clock.now() }));
  const { done, ms } = await over(filled);
  expect([done, terminal.keys]).toEqual([false, ['\x07']]);
  expect(ms).toBeLessThan(10_000);
});
