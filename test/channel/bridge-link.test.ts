import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { BridgeLink } from '../../src/channel/bridge-link.ts';
import type { SocketEvents, WireSocket } from '../../src/channel/wire-socket.ts';
import { ManualClock } from '../support/manual-clock.ts';

class ScriptedSocket implements WireSocket {
  readonly sent: { type: string }[] = [];
  closedWith: number | undefined;
  readonly events: SocketEvents;

  constructor(events: SocketEvents) {
    this.events = events;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(code: number): void {
    this.closedWith = code;
  }

  accept(): void {
    this.events.open();
    this.events.text('{"type":"hello_ack","tools":[]}');
  }
}

let clock: ManualClock;
let sockets: ScriptedSocket[];
let told: string[];
let link: BridgeLink;

beforeEach(() => {
  clock = new ManualClock();
  sockets = [];
  told = [];
  link = new BridgeLink({
    settings: { url: 'ws://127.0.0.1:1/bridge', token: 't', openclawSession: 's', claudeSession: 'c' },
    dial: (_url, events) => {
      const socket = new ScriptedSocket(events);
      sockets.push(socket);
      return socket;
    },
    clock,
    log: silentLog,
    pid: 1,
    random: () => 0,
    handlers: {
      hello: () => ({ open_calls: [], seen: [] }),
      ready: () => told.push('ready'),
      frame: (frame) => told.push(frame.type),
      down: () => told.push('down'),
      stopped: () => told.push('stopped'),
    },
  });
  link.start();
});

const last = (): ScriptedSocket => {
  const socket = sockets.at(-1);
  if (!socket) throw new Error('nothing was dialed');
  return socket;
};

describe('reconnecting', () => {
  test('waits 1, 2, 4, 4 s between attempts', () => {
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = sockets.length;
      const from = clock.now();
      last().events.closed(1006, 'ECONNREFUSED');
      while (sockets.length === before) clock.advance(100);
      waits.push((clock.now() - from) / 1000);
    }
    expect(waits).toEqual([1, 2, 4, 4]);
  });

  test('starts over after a connection of 10 s, but not after one that flaps', () => {
    const waitAfter = (readyMs: number): number => {
      last().accept();
      clock.advance(readyMs);
      const before = sockets.length;
      const from = clock.now();
      last().events.closed(1006, '');
      while (sockets.length === before) clock.advance(100);
      return clock.now() - from;
    };
    expect([waitAfter(100), waitAfter(100), waitAfter(100)]).toEqual([1000, 2000, 4000]);
    expect(waitAfter(10_000)).toBe(1000);
  });

  test('a bridge that takes the connection but never answers the hello is left after 10 s', () => {
    last().events.open();
    expect(last().sent.map(({ type }) => type)).toEqual(['hello']);
    clock.advance(10_000);
    expect(last().closedWith).toBe(1001);
    clock.advance(1000);
    expect(sockets.length).toBe(2);
    expect(told).toEqual([]);
  });

  test('75 s without a sign of life end the connection; a WebSocket ping or a frame is one', () => {
    last().accept();
    clock.advance(70_000);
    last().events.alive();
    clock.advance(70_000);
    last().events.text('{"type":"ping","ts":1}');
    clock.advance(74_999);
    expect(link.state).toBe('ready');
    clock.advance(1);
    expect(link.state).toBe('waiting');
    expect(told).toEqual(['ready', 'down']);
  });

  test('what an abandoned socket still says is ignored', () => {
    last().accept();
    const old = last();
    old.events.closed(1006, '');
    clock.advance(1000);
    last().accept();
    old.events.text('{"type":"tools_changed","tools":[]}');
    old.events.closed(4409, '');
    expect(told).toEqual(['ready', 'down', 'ready']);
    expect(link.state).toBe('ready');
  });
});

describe('giving up', () => {
  test.each([4401, 4404, 4409])('close code %i stops the link and leaves no timer', (code) => {
    last().accept();
    last().events.closed(code, '');
    expect(told).toEqual(['ready', 'stopped']);
    expect([link.state, clock.timers]).toEqual(['stopped', 0]);
  });

  test('close is final, may be repeated, and leaves no timer', () => {
    last().accept();
    link.close();
    link.close();
    expect([link.state, clock.timers, last().closedWith]).toEqual(['stopped', 0, 1000]);
    last().events.closed(1000, '');
    clock.advance(100_000);
    expect(sockets.length).toBe(1);
  });

  test('a session name that no hello can carry is told, not retried', () => {
    const words: string[] = [];
    const broken = new BridgeLink({
      settings: { url: 'ws://127.0.0.1:1', token: 't', openclawSession: 'x'.repeat(300), claudeSession: 'c' },
      dial: (_url, events) => {
        const socket = new ScriptedSocket(events);
        sockets.push(socket);
        return socket;
      },
      clock,
      log: silentLog,
      pid: 1,
      handlers: {
        hello: () => ({ open_calls: [], seen: [] }),
        ready: () => {},
        frame: () => {},
        down: () => {},
        stopped: (reason) => words.push(reason),
      },
    });
    broken.start();
    last().events.open();
    expect(words[0]).toContain('openclaw_session');
    expect(broken.state).toBe('stopped');
  });
});

test('what comes before hello_ack is not taken', () => {
  last().events.open();
  last().events.text('{"type":"inbound_message","request_id":"m","content":"hi","meta":{}}');
  last().events.text('{"type":"hello_ack","tools":[]}');
  expect(told).toEqual(['ready']);
});

test('nothing but the hello is sent before the bridge has answered it', () => {
  expect(link.send({ type: 'ping', ts: 1 })).toBe(false);
  last().events.open();
  expect(link.send({ type: 'ping', ts: 1 })).toBe(false);
  last().events.text('{"type":"hello_ack","tools":[]}');
  expect(link.send({ type: 'ping', ts: 1 })).toBe(true);
  expect(last().sent.map(({ type }) => type)).toEqual(['hello', 'ping']);
});
