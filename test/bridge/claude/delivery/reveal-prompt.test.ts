// Something stands in the place of the prompt when a message comes.
import { beforeEach, expect, test } from 'vitest';
import type { ClaudeRun } from '../../../../src/bridge/claude/claude-run.ts';
import { type Delivered, deliverTyped } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { resumeAfter } from '../../../../src/bridge/claude/delivery/suspended.ts';
import { typePlan } from '../../../../src/bridge/claude/delivery/typist.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { bareRun } from '../bare-run.ts';
import { elapse } from '../elapse.ts';
import { submitKey, usualKeys } from '../usual-keys.ts';
import { TypedBox } from './typed-box.ts';

const rule = '─'.repeat(20);
const plan = typePlan('apple', 'alice');

let clock: ManualClock;
let terminal: TypedBox;
let run: ClaudeRun;
let signals: [NodeJS.Signals, boolean | undefined][];
let keys = usualKeys;

beforeEach(() => {
  clock = new ManualClock();
  terminal = new TypedBox();
  signals = [];
  keys = usualKeys;
  terminal.kill = (signal, all) => signals.push([signal, all]);
  run = bareRun({ terminal, clock, keys: () => keys() });
  terminal.shows('');
  terminal.onSubmit = () => {
    run.fate = 'ours';
    terminal.shows('');
  };
});

/** Draws something else, until one of these keys comes. */
function cover(rows: string[], closedBy: readonly string[] = []): void {
  const { rows: prompt, write } = terminal;
  terminal.rows = () => rows;
  terminal.write = (pressed) => {
    if (!closedBy.includes(pressed)) return write(pressed);
    terminal.keys.push(pressed);
    terminal.rows = prompt;
    terminal.write = write;
    terminal.shows('');
  };
  terminal.draw('✳');
}

async function deliver(ms: number): Promise<Delivered | undefined> {
  let result: Delivered | undefined;
  const ticket = { turn: 't1', cancelled: false, sent: false };
  void deliverTyped(run, ticket, plan).then((each) => {
    result = each;
  });
  await elapse(clock, ms);
  return result;
}

test.each([
  ['a view', [rule, '  Showing detailed transcript · ctrl+o to toggle'], '\x1b'],
  ['the mode of a shell', [rule, '! ', rule, '  ! for shell mode'], '\x7f'],
  ['a command for a shell', [rule, '! ls', rule, '  ! for shell mode'], '\x13'],
])('%s is left, and the message goes in', async (_what, rows, key) => {
  cover(rows, [key]);
  expect(await deliver(10_000)).toEqual({ kind: 'taken' });
  expect(terminal.keys).toEqual([key, plan.keys, submitKey]);
});

test('a command for a shell that no key puts aside is deleted', async () => {
  keys = async () => ({ ...(await usualKeys()), stash: undefined });
  cover([rule, '! ls', rule, '  ! for shell mode'], ['\x7f\x7f\x7f']);
  expect(await deliver(10_000)).toEqual({ kind: 'taken' });
});

test.each([
  ['that draws', () => {}],
  ['that draws nothing', () => (terminal.onResize = () => {})],
])('an editor %s gets no key and keeps the message, which says what is seen', async (_what, arrange) => {
  cover(['~', '~', 'message.md  0,0-1  All']);
  arrange();
  expect(await deliver(8_000)).toMatchObject({
    kind: 'held',
    code: 'prompt_hidden',
    detail: expect.stringContaining('message.md'),
  });
  expect(terminal.keys).toEqual([]);
});

test('what comes back each time keeps the message after three', async () => {
  const rows = [rule, '! ', rule, '  ! for shell mode'];
  terminal.rows = () => rows;
  let left = 0;
  terminal.write = () => {
    left += 1;
    terminal.rows = () => [rule, '❯ ', rule];
    terminal.draw('◐');
    // Somebody presses it again before anything is typed.
    clock.after(100, () => {
      terminal.rows = () => rows;
      terminal.draw('✳');
    });
  };
  terminal.draw('✳');
  expect(await deliver(30_000)).toMatchObject({ kind: 'held', code: 'prompt_hidden' });
  expect(left).toBe(3);
});

test('one that was stopped is sent on', async () => {
  cover(['Claude Code is suspended. Run `fg` to bring it back.']);
  terminal.onResize = () => {};
  const prompt = [rule, '❯ ', rule];
  terminal.kill = (signal, all) => {
    signals.push([signal, all]);
    terminal.rows = () => prompt;
    terminal.draw('✳');
  };
  await deliver(5_000);
  expect(signals[0]).toEqual(['SIGCONT', true]);
  expect(terminal.keys[0]).toBe(plan.keys);
});

test('a flicker is no reason for a key', async () => {
  cover(['loading']);
  const result = deliver(2_500);
  await result;
  expect([terminal.keys, signals]).toEqual([[], []]);
});

test.each([
  ['\x1a', [['SIGCONT', true]]],
  ['\x1b[122;5u', [['SIGCONT', true]]],
  ['z', []],
])('keys of somebody at the terminal: %j', async (pressed, expected) => {
  void resumeAfter(run, pressed);
  await elapse(clock, 1000);
  expect(signals).toEqual(expected);
});
