import { beforeEach, describe, expect, test } from 'vitest';
import { OpenCalls } from '../../src/channel/calls.ts';
import type { ToolCall, ToolCancel } from '../../src/protocol/wire/wire.ts';
import { ManualClock } from '../support/manual-clock.ts';

const minute = 60_000;
let clock: ManualClock;
let reachable: boolean;
let sent: (ToolCall | ToolCancel)[];
let calls: OpenCalls;

beforeEach(() => {
  clock = new ManualClock();
  reachable = false;
  sent = [];
  calls = new OpenCalls({
    clock,
    offlineMs: 10 * minute,
    send: (frame) => {
      if (reachable) sent.push(frame);
      return reachable;
    },
  });
});

const start = (signal = new AbortController().signal) => calls.call({ tool: 'x', args: {}, signal });
const connect = () => {
  reachable = true;
  calls.online();
};
const disconnect = () => {
  reachable = false;
  calls.offline();
};

describe('a bridge that is away', () => {
  test('the deadline runs only while it is away, and starts anew at each loss', async () => {
    const outcome = start();
    clock.advance(9 * minute);
    connect();
    clock.advance(60 * minute);
    disconnect();
    clock.advance(9 * minute);
    expect(calls.ids().length).toBe(1);
    clock.advance(minute);
    expect(await outcome).toMatchObject({ ok: false, error: expect.stringContaining('10 minutes') });
    expect([calls.ids().length, clock.timers]).toEqual([0, 0]);
  });

  test('a call that never left says that it did not run, one that left says that it may have', async () => {
    const unsent = start();
    clock.advance(10 * minute);
    expect(await unsent).toMatchObject({ error: expect.stringContaining('did not run') });
    connect();
    const left = start();
    disconnect();
    clock.advance(10 * minute);
    expect(await left).toMatchObject({ error: expect.stringContaining('may have run') });
  });

  test('every handshake sends the open calls again under their old ids', async () => {
    const outcome = start();
    connect();
    disconnect();
    connect();
    expect(sent.length).toBe(2);
    expect(sent[0]).toEqual(sent[1]);
    const id = calls.ids()[0] ?? '';
    expect(calls.result({ type: 'tool_result', call_id: id, ok: true, result: 1 })).toBe(true);
    expect(calls.result({ type: 'tool_result', call_id: id, ok: true, result: 2 })).toBe(false);
    expect(await outcome).toEqual({ ok: true, result: 1 });
  });
});

test('a result that is an envelope is handed on as one', async () => {
  connect();
  const outcome = start();
  const failed = start();
  const [first = '', second = ''] = calls.ids();
  calls.result({ type: 'tool_result', call_id: first, ok: true, result: '{}', envelope: true });
  calls.result({ type: 'tool_result', call_id: second, ok: false, error: '{}', envelope: true });
  expect(await outcome).toEqual({ ok: true, result: '{}', envelope: true });
  expect(await failed).toEqual({ ok: false, error: '{}', envelope: true });
});

describe('ends', () => {
  test('stopping ends open and later calls with the same words', async () => {
    const before = start();
    calls.stop('Another process took over.');
    expect(await before).toEqual({ ok: false, error: 'Another process took over.' });
    expect(await start()).toEqual({ ok: false, error: 'Another process took over.' });
    expect(clock.timers).toBe(0);
  });

  test('an abort sends one tool_cancel, and none when the answer was there first', async () => {
    connect();
    const abort = new AbortController();
    const cancelled = start(abort.signal);
    const id = calls.ids()[0] ?? '';
    abort.abort();
    expect(await cancelled).toMatchObject({ ok: false });
    const late = new AbortController();
    const answered = start(late.signal);
    calls.result({ type: 'tool_result', call_id: calls.ids()[0] ?? '', ok: true, result: 'fine' });
    late.abort();
    expect(await answered).toEqual({ ok: true, result: 'fine' });
    expect(sent.filter(({ type }) => type === 'tool_cancel')).toEqual([{ type: 'tool_cancel', call_id: id }]);
  });

  test('a request that was cancelled before it started never reaches the wire', async () => {
    connect();
    expect(await start(AbortSignal.abort())).toMatchObject({ ok: false });
    expect(sent).toEqual([]);
  });

  test('the 1001st open call is refused: hello could not name it', async () => {
    for (let n = 0; n < 1000; n += 1) void start();
    expect(await start()).toMatchObject({ ok: false, error: expect.stringContaining('1000 calls') });
    expect(calls.ids().length).toBe(1000);
  });
});
