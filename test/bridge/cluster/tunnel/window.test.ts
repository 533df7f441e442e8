// Whatever happens to frames on their way, the receiver takes in a beginning of what was sent, and in the end all of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReceiveWindow, SendWindow } from '../../../../src/bridge/cluster/tunnel/window.ts';

const size = 64;

interface Piece {
  at: number;
  bytes: number[];
}
interface Ack {
  received: number;
  limit: number;
  gap: boolean;
}

/** A sender and a receiver, and all that was ever said between them. */
class Wire {
  readonly sender = new SendWindow<Piece>(size);
  readonly receiver = new ReceiveWindow(size);
  readonly written: number[] = [];
  readonly taken: number[] = [];
  readonly pieces: Piece[] = [];
  readonly acks: Ack[] = [];
  unread = 0;

  write(length: number): void {
    const count = Math.min(length, this.sender.room);
    if (count > 0) {
      const bytes = Array.from({ length: count }, (_, n) => (this.written.length + n) % 251);
      this.sender.add({ at: this.sender.end, bytes }, count);
      this.written.push(...bytes);
    }
    this.pieces.push(...this.sender.take());
  }

  arrive(piece: Piece): void {
    const what = this.receiver.take(piece.at, piece.bytes.length);
    if (what === 'next') {
      this.taken.push(...piece.bytes);
      this.unread += piece.bytes.length;
    }
    this.say(what === 'ahead');
  }

  say(gap = false): void {
    this.acks.push({ received: this.receiver.received, limit: this.receiver.grant(this.unread), gap });
  }

  hear({ received, limit, gap }: Ack): void {
    this.sender.acknowledge(received, limit);
    if (gap) this.sender.rewindOnce();
    this.pieces.push(...this.sender.take());
  }
}

/** What the network and the two programs do: `at` picks any message that was ever sent, again or late or never. */
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), at: fc.nat(40) }),
  fc.record({ do: fc.constant('piece' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('ack' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('read' as const), at: fc.nat(40) }),
  fc.record({ do: fc.constant('rewind' as const), at: fc.nat() }),
);

function act(wire: Wire, { do: what, at }: { do: string; at: number }): void {
  const piece = wire.pieces[at % Math.max(1, wire.pieces.length)];
  const ack = wire.acks[at % Math.max(1, wire.acks.length)];
  if (what === 'write') wire.write(at);
  else if (what === 'piece' && piece) wire.arrive(piece);
  else if (what === 'ack' && ack) wire.hear(ack);
  else if (what === 'read') wire.unread = Math.max(0, wire.unread - at);
  else if (what === 'rewind') wire.sender.rewind();
}

const heldBy = (wire: Wire) => wire.written.length - wire.taken.length;

test('frames lost, doubled and in any order: what comes out is a beginning of what went in, within the window', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const wire = new Wire();
      for (const each of steps) {
        act(wire, each);
        expect(heldBy(wire)).toBeLessThanOrEqual(size);
        expect(wire.unread).toBeLessThanOrEqual(size);
      }
      expect(wire.taken).toEqual(wire.written.slice(0, wire.taken.length));
    }),
  );
});

test('once nothing is lost any more, all of it arrives', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const wire = new Wire();
      for (const each of steps) act(wire, each);
      wire.sender.rewind();
      for (const piece of wire.sender.take()) wire.arrive(piece);
      wire.unread = 0;
      wire.say();
      for (const ack of wire.acks.splice(0)) wire.hear(ack);
      expect(wire.taken).toEqual(wire.written);
      expect(wire.sender.isEmpty).toBe(true);
      expect(wire.sender.room).toBe(size);
    }),
  );
});

test('a peer that asks for the same place again and again draws one window, not one each time', () => {
  const wire = new Wire();
  wire.write(40);
  const gap = { received: 0, limit: size, gap: true };
  for (let n = 0; n < 100; n += 1) wire.hear(gap);
  expect(wire.pieces).toHaveLength(2);
});

test.each([
  ['more than was granted', () => new ReceiveWindow(size).take(0, size + 1)],
  ['far more than was granted', () => new ReceiveWindow(size).take(2 ** 47, 1)],
  ['an acknowledgement of what was never sent', () => new SendWindow(size).acknowledge(1, size)],
  [
    'another cut at a place that is half taken in',
    () => {
      const window = new ReceiveWindow(size);
      window.take(0, 10);
      window.take(5, 10);
    },
  ],
  [
    'bytes behind the end',
    () => {
      const window = new ReceiveWindow(size);
      window.take(0, 1, true);
      window.take(1, 1);
    },
  ],
])('a peer that says %s breaks the protocol', (_what, act) => {
  expect(act).toThrow(expect.objectContaining({ code: 'protocol' }));
});

test('whatever the other side grants, no more than a window is kept for it', () => {
  const window = new SendWindow(size);
  window.acknowledge(0, 2 ** 47);
  expect(window.room).toBe(size);
});

test('an end fits where all of the credit is used up', () => {
  const window = new ReceiveWindow(size);
  expect(window.take(0, size)).toBe('next');
  expect(window.take(size, 1, true)).toBe('next');
  expect(window.isEnded).toBe(true);
});
