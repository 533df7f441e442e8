import { expect, test } from 'vitest';
import { Watch } from '../../../../src/base/waiting/watch.ts';
import { type WatchedTurns, watchTurns } from '../../../../src/bridge/claude/delivery/turn-watch.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { elapse } from '../elapse.ts';

/** A turn of which the screen shows nothing: no work, and an empty box. */
class StillRun implements WatchedTurns {
  readonly clock = new ManualClock();
  readonly watch = new Watch(this.clock);
  exit: undefined;
  stopping: string | undefined;
  worked = false;
  takenAt = 0;
  readonly limits = { quietMs: 100 };
  readonly turns = { busy: true, resting: false, queued: false, proven: true, over: 0, agents: 0 };
  readonly view = { box: '', interrupted: false };
  drawn = 0;
  silentAt: number | undefined;
  /** It draws what it is asked for, unless it stands still. */
  isStill = false;
  readonly terminal = {
    title: '✳ Claude Code',
    size: { cols: 80, rows: 24 },
    resize: (): void => {
      if (!this.isStill) this.draw();
    },
    kill: (): void => {},
  };
  readonly desk = { held: 0 };
  /** What was told, and when. */
  readonly told: string[] = [];

  turnIdle(): void {
    this.turns.busy = false;
    this.turns.queued = false;
    this.turns.over += 1;
    this.told.push(`over after ${this.clock.now()}`);
  }

  draw(): void {
    this.drawn += 1;
    this.watch.poke();
  }

  /** Looks on for `ms` milliseconds. */
  pass(ms: number): Promise<void> {
    return elapse(this.clock, ms);
  }
}

function watched(more: Partial<StillRun['turns']> = {}): StillRun {
  const run = new StillRun();
  Object.assign(run.turns, more);
  const nothingHappened = () => void run.told.push('nothing happened');
  void watchTurns(run, { endsItself: () => false, nothingHappened });
  return run;
}

test('a turn that began and shows no work is over after five seconds', async () => {
  const run = watched();
  await run.pass(4900);
  expect(run.told).toEqual([]);
  await run.pass(2000);
  expect(run.told).toEqual(['nothing happened', expect.stringContaining('over after')]);
});

test('one that asks something on the screen has no box, and is not over', async () => {
  const run = watched();
  run.worked = true;
  Object.assign(run.view, { box: undefined });
  await run.pass(60_000);
  expect(run.told).toEqual([]);
});

test('what was quiet is not over when it was the end of a turn, and the next one works', async () => {
  const run = watched();
  run.worked = true;
  run.terminal.title = '⠂ Claude Code';
  await run.pass(60);
  run.turns.over += 1;
  run.watch.poke();
  await run.pass(2000);
  expect(run.told).toEqual([]);
});

test('one that stands still has drawn no work yet, and is not over before it draws', async () => {
  const run = watched();
  run.isStill = true;
  // Of the turn before.
  run.view.interrupted = true;
  await run.pass(60_000);
  expect(run.told).toEqual([]);
  run.view.interrupted = false;
  run.isStill = false;
  run.worked = true;
  run.terminal.title = '⠂ Claude Code';
  run.draw();
  await run.pass(2000);
  expect(run.told).toEqual([]);
  run.terminal.title = '✳ Claude Code';
  run.draw();
  await run.pass(500);
  expect(run.told).toEqual([expect.stringContaining('over after')]);
});

test('one that stood still and shows no work when it draws again is over then', async () => {
  const run = watched();
  run.isStill = true;
  await run.pass(30_000);
  run.isStill = false;
  run.draw();
  await run.pass(20_000);
  expect(run.told).toEqual(['nothing happened', expect.stringContaining('over after')]);
});

test('one that the channel wrote, and that Claude Code has not begun, has half a minute', async () => {
  const run = watched({ proven: false });
  await run.pass(29_900);
  expect(run.told).toEqual([]);
  await run.pass(2000);
  expect(run.told).toHaveLength(2);
});

test('from when it begins on it has five seconds again', async () => {
  const run = watched({ proven: false });
  await run.pass(20_000);
  run.turns.proven = true;
  run.takenAt = run.clock.now();
  await run.pass(4900);
  expect(run.told).toEqual([]);
  await run.pass(2000);
  expect(run.told).toHaveLength(2);
});

test('one that showed work is over as soon as the screen is quiet', async () => {
  const run = watched({ proven: false });
  run.worked = true;
  run.watch.poke();
  await run.pass(200);
  expect(run.told).toEqual([expect.stringContaining('over after')]);
});

test('the quiet at the end of a turn says nothing of the next one', async () => {
  const run = watched();
  run.worked = true;
  run.watch.poke();
  // Its Stop comes, and the next one is taken before anything is drawn.
  await run.pass(50);
  run.turns.over += 1;
  run.worked = false;
  run.takenAt = run.clock.now();
  await run.pass(1000);
  expect(run.told).toEqual([]);
});

test('one that waits for an answer to its hook goes on, whatever is drawn', async () => {
  const run = watched();
  run.worked = true;
  run.desk.held = 1;
  run.draw();
  await run.pass(60_000);
  expect(run.told).toEqual([]);
  run.desk.held = 0;
  run.draw();
  await run.pass(200);
  expect(run.told).toEqual([expect.stringContaining('over after')]);
});

test('one that rests is ended by what it waits for', async () => {
  const run = watched({ resting: true });
  run.worked = true;
  run.draw();
  await run.pass(10_000);
  expect(run.told).toEqual([]);
});

test('one that was interrupted before it showed work is over, and something happened', async () => {
  const run = watched();
  run.view.interrupted = true;
  await run.pass(7_000);
  expect(run.told).toEqual([expect.stringContaining('over after')]);
});

test('a message that Claude Code has in its own queue is over when nothing runs', async () => {
  const run = watched({ busy: false, queued: true });
  await run.pass(7_000);
  expect(run.told).toEqual([expect.stringContaining('over after')]);
});

test('agents draw work of their own: only an Esc shows', async () => {
  const run = watched({ agents: 1 });
  run.worked = true;
  run.draw();
  await run.pass(10_000);
  expect(run.told).toEqual([]);
  run.view.interrupted = true;
  run.draw();
  await run.pass(200);
  expect(run.told).toEqual([expect.stringContaining('over after')]);
});

test('behind a title that says nothing a turn is over when the screen says that it was interrupted, and not before', async () => {
  const run = watched();
  run.terminal.title = 'claude';
  await run.pass(60_000);
  expect(run.told).toEqual([]);
  run.view.interrupted = true;
  run.draw();
  await run.pass(3000);
  expect(run.told).toEqual([expect.stringContaining('over after')]);
});
