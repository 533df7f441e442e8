// What a message waits for that cannot be handed over, and when it is tried again.
import { beforeEach, expect, test } from 'vitest';
import type { ClaudeRun } from '../../../../src/bridge/claude/claude-run.ts';
import { deliverTyped, type Held } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { HeldMessage } from '../../../../src/bridge/claude/delivery/held-message.ts';
import { typePlan } from '../../../../src/bridge/claude/delivery/typist.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { bareRun } from '../bare-run.ts';
import { elapse } from '../elapse.ts';
import { usualKeys } from '../usual-keys.ts';
import { TypedBox } from './typed-box.ts';

let clock: ManualClock;
let terminal: TypedBox;
let run: ClaudeRun;
let held: HeldMessage;
/** When there was a way, seconds. */
let open: number[];
let keys = usualKeys;

beforeEach(() => {
  clock = new ManualClock();
  terminal = new TypedBox();
  keys = usualKeys;
  run = bareRun({ terminal, clock, keys: () => keys() });
  open = [];
  held = new HeldMessage(clock, () => open.push(clock.now() / 1000));
});

const pass = (seconds: number): Promise<void> => elapse(clock, seconds * 1000, 100);

/** Tries to hand a message over, in at most so many seconds. */
async function obstacleOf(seconds: number): Promise<Held> {
  const done = deliverTyped(run, { turn: 't1', cancelled: false, sent: false }, typePlan('apple', 'alice'));
  await pass(seconds);
  const result = await done;
  if (result.kind !== 'held') throw new Error(`${result.kind} is not held`);
  return result;
}

const never = { isGone: () => false };

test('a dialog that nobody told of holds it, with the picture, until the prompt is there again', async () => {
  const { rows } = terminal;
  terminal.rows = () => ['Make auto mode your default?', '❯ 1. Yes', '  2. No', 'Esc to cancel'];
  terminal.draw('✳ asks');
  // It could still become a question of this message.
  const result = await obstacleOf(11);
  expect(result).toMatchObject({ code: 'untold_question', detail: expect.stringContaining('❯ 1. Yes') });
  expect(terminal.keys).toEqual([]);
  held.wait(result.obstacle);
  await pass(60);
  expect(open).toEqual([]);
  terminal.rows = rows;
  terminal.shows('');
  await pass(1);
  expect(open).toHaveLength(1);
});

test('a prompt that no key submits holds it until one does, and nothing is typed meanwhile', async () => {
  terminal.shows('');
  keys = async () => ({ ...(await usualKeys()), submit: undefined });
  const result = await obstacleOf(1);
  expect(result).toMatchObject({
    code: 'delivery_failed',
    detail: expect.stringContaining('keybindings.json'),
  });
  held.wait(result.obstacle);
  await pass(30);
  expect([open, terminal.keys]).toEqual([[], []]);
  keys = usualKeys;
  await pass(4);
  expect(open).toHaveLength(1);
});

test('a file that cannot be read now and then is looked at again', async () => {
  const found = [Promise.reject(new Error('EBUSY')), Promise.resolve(false), Promise.resolve(true)];
  held.wait({ look: () => found.shift() ?? Promise.resolve(false) });
  await pass(60);
  expect(open).toEqual([6]);
});

test('a process that ends is started again after pauses that grow to ten minutes, until a message is taken', async () => {
  run.stopping = 'it ends';
  const pauses: number[] = [];
  for (let start = 0; start < 7; start += 1) {
    const before = clock.now() / 1000;
    held.wait({ run, ...never });
    await pass(601);
    pauses.push((open.at(-1) ?? 0) - before);
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600]);
  held.taken();
  const before = clock.now() / 1000;
  held.wait({ run, ...never });
  await pass(31);
  expect((open.at(-1) ?? 0) - before).toBe(30);
});

test('nothing is tried any more once it is over, and no timer is left', async () => {
  held.wait({ run, ...never });
  await pass(4);
  held.end();
  run.stopping = 'it ends';
  run.watch.poke();
  await pass(60);
  held.wait({ look: async () => false });
  await pass(4);
  held.end();
  held.wait({ run, ...never });
  await pass(1);
  held.end();
  await pass(700);
  expect([open, clock.timers]).toEqual([[], 0]);
});
