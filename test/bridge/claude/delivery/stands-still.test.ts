// A Claude Code that has not come to read its keys: what the screen shows is older than they are.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deliverTyped, pressEscape } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { typePlan } from '../../../../src/bridge/claude/delivery/typist.ts';
import { untilDrawn } from '../../../../src/bridge/claude/delivery/until-drawn.ts';
import { textFile } from '../../../../src/bridge/claude/launch/prompt-editor.ts';
import { endRun } from '../../../../src/bridge/claude/process/end-run.ts';
import type { RunOptions } from '../../../../src/bridge/claude/run-options.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { tempDir } from '../../journal/temp-dir.ts';
import { bareRun } from '../bare-run.ts';
import { submitKey } from '../usual-keys.ts';
import { TypedBox } from './typed-box.ts';

const short = typePlan('apple', 'alice');
const long = typePlan('apple\n'.repeat(1000), 'alice');

function claude(given: Partial<RunOptions> = {}) {
  const [terminal, clock, editorDir] = [new TypedBox(), new ManualClock(), tempDir()];
  terminal.editorDir = editorDir;
  const run = bareRun({ terminal, clock, editorDir, ...given });
  terminal.shows('');
  terminal.onSubmit = () => {
    run.fate = 'ours';
    terminal.shows('');
  };
  const goesOn = async (ms: number) => {
    for (let gone = 0; gone < ms; gone += 100) {
      await new Promise(setImmediate);
      clock.advance(100);
    }
  };
  /** What comes of it when all its time is over. */
  const over = async <T>(done: Promise<T>) => {
    await goesOn(90_000);
    return done;
  };
  const ticket = { turn: 't1', cancelled: false, sent: false };
  const cancel = () => {
    ticket.cancelled = true;
    run.watch.poke();
  };
  const deliver = (plan = short) => deliverTyped(run, ticket, plan);
  return { run, terminal, clock, goesOn, over, cancel, deliver };
}

test('a long text reaches one that comes to read Ctrl+G later than an editor takes', async () => {
  const { terminal, goesOn, over, deliver } = claude();
  terminal.stop();
  const delivered = deliver(long);
  await goesOn(15_000);
  terminal.continue();
  expect(await over(delivered)).toEqual({ kind: 'taken' });
  expect([terminal.keys, terminal.edited]).toEqual([['\x07', submitKey], []]);
});

test('nor is it lost on one that stands still once more, right behind the picture it was asked for', async () => {
  const { terminal, goesOn, over, deliver } = claude();
  terminal.stop();
  const delivered = deliver(long);
  await goesOn(8_000);
  terminal.draw(terminal.title);
  await goesOn(5_000);
  terminal.continue();
  expect(await over(delivered)).toEqual({ kind: 'taken' });
  expect([terminal.keys, terminal.edited]).toEqual([['\x07', submitKey], []]);
});

test.each([
  ['long', long],
  ['short', short],
])('a %s text is there, although its box is just drawn anew and has only begun to show', async (_, plan) => {
  const { terminal, clock, over, deliver } = claude({
    // By the time that it is on disk, a picture that was asked for begins with a blank screen.
    reported: async () => {
      const { rows } = terminal;
      terminal.rows = () => [];
      terminal.draw(terminal.title);
      clock.after(100, () => {
        terminal.rows = rows;
        terminal.draw(terminal.title);
      });
    },
  });
  expect(await over(deliver(plan))).toEqual({ kind: 'taken' });
  expect(terminal.keys.filter((key) => key === submitKey)).toHaveLength(1);
});

test('one that draws late each time, and reads no keys, is believed not to', async () => {
  const { run, terminal, goesOn, over, deliver } = claude();
  terminal.stop();
  terminal.resize = () => void run.clock.after(2_000, () => terminal.draw(terminal.title));
  const delivered = deliver();
  let isOver = false;
  void delivered.then(() => {
    isOver = true;
  });
  await goesOn(30_000);
  expect(isOver).toBe(true);
  expect(await over(delivered)).toMatchObject({ kind: 'failed', stuck: 'short' });
});

test('one that is asked by two at once has its own size again when both have their answer', async () => {
  const { run, terminal, goesOn, over } = claude();
  const { size } = terminal;
  terminal.stop();
  const never = () => untilDrawn(run, () => false, 200);
  const first = never();
  await goesOn(100);
  const second = never();
  await goesOn(300);
  terminal.continue();
  await over(Promise.all([first, second]));
  expect(terminal.size).toEqual(size);
});

test.each([
  ['long', long, '\x07'],
  ['short', short, short.keys],
])(
  'behind the keys of a %s text that are not read, nothing is typed: they may open an editor, or be a text',
  async (_, plan, keys) => {
    const { terminal, over, deliver } = claude();
    terminal.stop();
    expect(await over(deliver(plan))).toEqual({
      kind: 'failed',
      seen: false,
      stuck: 'short',
      detail: 'the text did not appear in the prompt box',
    });
    expect(terminal.keys).toEqual([keys]);
  },
);

test('where its text cannot lie, and cannot be taken away, a long text is typed', async () => {
  const { run, terminal, over, deliver } = claude();
  mkdirSync(join(run.editorDir ?? '', textFile));
  expect(await over(deliver(long))).toEqual({ kind: 'taken' });
  expect(terminal.keys).toEqual([long.keys, submitKey]);
});

test('where Ctrl+G brings nothing, a long text is typed', async () => {
  const { terminal, over, deliver } = claude();
  terminal.editorDir = undefined;
  expect(await over(deliver(long))).toEqual({ kind: 'taken' });
  expect(terminal.keys).toEqual(['\x07', long.keys, submitKey]);
});

test('behind an Enter that is not read, nothing is typed, and nobody knows what becomes of it', async () => {
  const { terminal, over, deliver } = claude();
  terminal.onPaste = (text) => {
    terminal.shows(text);
    terminal.stop();
  };
  expect(await over(deliver())).toMatchObject({ kind: 'failed', seen: true });
  expect(terminal.keys).toEqual([short.keys, submitKey]);
});

test('nor behind the second one, that a notice wanted', async () => {
  const { terminal, over, deliver } = claude();
  terminal.onSubmit = () => {
    terminal.shows('[alice] apple', 'press Enter to send');
    terminal.stop();
  };
  expect(await over(deliver())).toMatchObject({ kind: 'failed', seen: true });
  expect(terminal.keys).toEqual([short.keys, submitKey, submitKey]);
});

test('an Esc that is not read is pressed once, however often somebody says so, and is not taken for one that was', async () => {
  const { run, terminal, goesOn, over } = claude();
  run.taken('t1');
  // Of before the turn: hooks are faster than the picture.
  terminal.shows('apple');
  terminal.onEscape = () => run.turnIdle(true);
  terminal.stop();
  expect(await over(pressEscape(run))).toBe(false);
  const again = pressEscape(run);
  await goesOn(1000);
  terminal.continue();
  expect(await over(again)).toBe(true);
  expect(terminal.keys).toEqual(['\x1b']);
});

test('a text that is taken back before it is drawn is deleted when it is', async () => {
  const { terminal, goesOn, over, cancel, deliver } = claude();
  terminal.stop();
  const delivered = deliver();
  await goesOn(500);
  cancel();
  await goesOn(500);
  terminal.continue();
  expect(await over(delivered)).toEqual({ kind: 'cancelled' });
  expect(terminal.keys).toEqual([short.keys, expect.stringMatching(/^\x7f+$/)]);
});

test('one that may come in front of the next has it find another Claude Code, and soon', async () => {
  const { terminal, goesOn, cancel, deliver } = claude();
  terminal.stop();
  const delivered = deliver();
  await goesOn(500);
  cancel();
  await goesOn(20_000);
  terminal.continue();
  expect(await delivered).toEqual({ kind: 'cancelled', stuck: true });
  expect(terminal.keys).toEqual([short.keys]);
});

describe.each([
  ['draws nothing', false],
  ['draws when its size changes', true],
])('an editor of the user that opens, and %s,', (_, draws) => {
  const edited = async () => {
    const world = claude();
    world.terminal.editorDir = tempDir();
    world.terminal.drawsEdited = draws;
    const delivered = world.deliver(long);
    await world.goesOn(500);
    return { ...world, delivered };
  };

  test('gets no text, which is not tried again: the next Claude Code has that editor, too', async () => {
    const { terminal, over, delivered } = await edited();
    expect(await over(delivered)).toMatchObject({ kind: 'failed', seen: false, stuck: 'long' });
    expect([terminal.keys, terminal.edited]).toEqual([['\x07'], []]);
  });

  test.each([
    ['has the next message find another Claude Code', false, { kind: 'cancelled', stuck: true }],
    ['is the business of a turn that began', true, { kind: 'cancelled' }],
  ])('and stands there when a text is taken back %s', async (_title, isBusy, expected) => {
    const { run, terminal, over, cancel, delivered } = await edited();
    if (isBusy) run.taken('t0');
    cancel();
    expect(await over(delivered)).toEqual(expected);
    expect(terminal.edited).toEqual([]);
  });
});

test.each<[string, number, string[]]>([
  ['that did not read its keys is ended without any more', 0, []],
  ['that does not read its /exit has a second for it', 1500, ['/exit']],
])('one %s', async (_, mostMs, keys) => {
  const { run, terminal, clock, over, deliver } = claude();
  terminal.stop();
  if (mostMs === 0) await over(deliver());
  const [typed, before] = [terminal.keys.length, clock.now()];
  const signals: number[] = [];
  terminal.kill = () => {
    signals.push(clock.now() - before);
  };
  await over(endRun(run, 'enough', true));
  expect(terminal.keys.slice(typed)).toEqual(keys);
  expect(signals[0]).toBeLessThanOrEqual(mostMs);
});
