// One end of a tunnel: a stream on one side, numbered frames on the other.
import { Duplex } from 'node:stream';
import { encodeFrame, type Frame, longestPiece } from './frame.ts';
import { TunnelError } from './tunnel-error.ts';
import { ReceiveWindow, SendWindow, windowBytes } from './window.ts';

/** How often `tick` is called, ms. What was read is acknowledged that soon, or when it is a quarter of the window. */
export const tickMs = 250;
/** Ticks without news of what was sent, until it is sent again. */
const retryTicks = 4;
/** Share of the time until one is gone, after which a silent end gives a sign of life. */
const beatShare = 0.3;
/** Bytes read that are acknowledged at once. */
const promptBytes = windowBytes / 4;

export interface TunnelWires {
  /** Tells the other side, which may miss it. */
  send(frame: Buffer): void;
  /** Nothing is sent any more, and nothing needs to be heard. */
  over(): void;
  /** Silence after which the other side is gone, ms. */
  aliveMs: number;
}

/**
 * Ends with a `TunnelError` of code `closed`, `peer_gone` or `protocol` when it does not come to its end. Once both
 * directions have ended it is closed, and goes on behind the scenes until the other side has all of it.
 */
export class Tunnel extends Duplex {
  readonly #wires: TunnelWires;
  readonly #out = new SendWindow<Buffer>();
  readonly #in = new ReceiveWindow();
  /** What is being written and does not fit into the window yet. */
  #rest: { bytes: Buffer; done: () => void } | undefined;
  /** What the other side was told last. */
  #told = { received: 0, limit: windowBytes };
  #gapToldAt = -1;
  /** Ticks since something was heard, was said, was acknowledged. Time in which this process stood still is one tick. */
  #silent = 0;
  #quiet = 0;
  #waiting = 0;
  #isOver = false;

  constructor(wires: TunnelWires) {
    super();
    this.#wires = wires;
    // Who is not interested in why a tunnel ended must not end because of it.
    this.on('error', () => {});
  }

  /** What the other side said. */
  hear(frame: Frame): void {
    if (this.#isOver) return;
    this.#silent = 0;
    try {
      this.#take(frame);
    } catch (error) {
      this.destroy(error as Error);
    }
    this.#leaveWhenDone();
  }

  /** The connection is there again: what was on its way may be lost, in both directions. */
  reconnected(): void {
    this.#acknowledge(true);
    this.#out.rewind();
    this.#pump();
  }

  /** To be called each `tickMs`. */
  tick(): void {
    if (this.#isOver || this.#isDone) return;
    this.#silent += 1;
    this.#quiet += 1;
    this.#waiting = this.#out.isEmpty ? 0 : this.#waiting + 1;
    if (this.#silent * tickMs > this.#wires.aliveMs) {
      const seconds = this.#wires.aliveMs / 1_000;
      this.fail('peer_gone', `Nothing was heard of the other side of the tunnel for ${seconds} seconds.`);
      return;
    }
    if (this.#waiting >= retryTicks) {
      this.#waiting = 0;
      this.#out.rewind();
      this.#pump();
    }
    if (this.#isNews(1) || this.#quiet * tickMs >= this.#wires.aliveMs * beatShare) this.#acknowledge();
  }

  /** Ends it without a word to the other side. What can still be read stays readable when that is all of it. */
  fail(code: 'closed' | 'peer_gone', words: string): void {
    this.#leave();
    if (!(this.#in.isEnded && this.writableFinished)) this.destroy(new TunnelError(code, words));
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#rest = { bytes, done };
    this.#pump();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
  }

  override _final(done: () => void): void {
    this.#out.add(encodeFrame({ kind: 'end', at: this.#out.end }), 1);
    this.#pump();
    done();
  }

  override _read(): void {
    if (this.#isNews(promptBytes)) this.#acknowledge();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#rest = undefined;
    const isWhole = error === null && this.readableEnded && this.writableFinished;
    if (isWhole) this.#leaveWhenDone();
    else if (!this.#isOver) {
      this.#say({ kind: 'reset', words: error?.message ?? '' });
      this.#leave();
    }
    done(error);
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case 'data':
      case 'end':
        this.#receive(frame);
        return;
      case 'ack':
        if (this.#out.acknowledge(frame.received, frame.limit)) this.#waiting = 0;
        if (frame.gap) this.#out.rewindOnce();
        this.#pump();
        return;
      case 'reset':
        this.fail('closed', `The other side ended the tunnel${frame.words && `: ${frame.words}`}`);
        return;
      default:
      // A hello that was said twice is answered twice.
    }
  }

  #receive(frame: Frame & { kind: 'data' | 'end' }): void {
    const isEnd = frame.kind === 'end';
    switch (this.#in.take(frame.at, isEnd ? 1 : frame.bytes.length, isEnd)) {
      case 'next':
        // A copy: a view would keep all that came with it.
        this.push(isEnd ? null : Buffer.from(frame.bytes));
        if (isEnd || this.#isNews(promptBytes)) this.#acknowledge();
        return;
      case 'again':
        this.#acknowledge();
        return;
      case 'ahead':
        // Once for each place: all that is on its way behind the gap finds it, too.
        if (this.#gapToldAt !== this.#in.received) this.#acknowledge(true);
    }
  }

  #pump(): void {
    while (this.#rest) {
      const { bytes, done } = this.#rest;
      const piece = bytes.subarray(0, Math.min(this.#out.room, longestPiece));
      if (piece.length > 0) {
        this.#out.add(encodeFrame({ kind: 'data', at: this.#out.end, bytes: piece }), piece.length);
      } else if (bytes.length > 0) break;
      const rest = bytes.subarray(piece.length);
      this.#rest = rest.length > 0 ? { bytes: rest, done } : undefined;
      if (!this.#rest) done();
    }
    for (const frame of this.#out.take()) this.#send(frame);
  }

  get #limit(): number {
    return this.#in.grant(this.readableLength);
  }

  /** Whether so many bytes were received, or may be sent, of which the other side does not know. */
  #isNews(bytes: number): boolean {
    const { received, limit } = this.#told;
    return this.#in.received - received >= bytes || this.#limit - limit >= bytes;
  }

  #acknowledge(gap = false): void {
    this.#told = { received: this.#in.received, limit: this.#limit };
    if (gap) this.#gapToldAt = this.#in.received;
    this.#say({ kind: 'ack', ...this.#told, gap });
  }

  #say(frame: Frame): void {
    this.#send(encodeFrame(frame));
  }

  #send(frame: Buffer): void {
    if (this.#isOver) return;
    this.#quiet = 0;
    this.#wires.send(frame);
  }

  /** Each side has all that the other one sent, and its end. */
  get #isDone(): boolean {
    return this.#in.isEnded && this.writableFinished && this.#out.isEmpty;
  }

  #leaveWhenDone(): void {
    if (this.#isDone && this.destroyed) this.#leave();
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wires.over();
  }
}
