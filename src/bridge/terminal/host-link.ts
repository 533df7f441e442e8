// A connection to a host's socket, as its owner.
import { connect, type Socket } from 'node:net';
import { isSafeSocket } from '../../base/net/socket-path.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { HostFrame, OwnerFrame } from '../../protocol/wire/host.ts';
import {
  type Framed,
  type FrameSealer,
  HostFrameReader,
  hostFrameParts,
} from '../../protocol/wire/host-codec.ts';
import { type HostAddress, HostProof } from './host-proof.ts';

type Hello = HostFrame & { type: 'hello' };
type Hear = (framed: Framed<HostFrame>) => void;

/** How long a host may take to prove itself, and as long again to say who it is, ms. */
const helloMs = 3_000;
/** And how often as long where it only waits for a machine that has too much to do. */
const mostWaits = 10;
/** How long it may have another owner first, ms: it ends the wait after 10 s by itself. */
const ownedMs = 15_000;

const unprovenWords =
  'the host hung up before it proved itself: it is of another release, or of another state folder';

export class HostLink {
  /** Resolves when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #reader = new HostFrameReader<HostFrame>();
  readonly #proof: HostProof;
  readonly #opened = Promise.withResolvers<void>();
  #sealer: FrameSealer | undefined;
  #hello: Framed<Hello> | undefined;
  #hear: Hear | undefined;
  /** What came before anybody listened. */
  readonly #early: Framed<HostFrame>[] = [];
  #cancel: Cancel = () => {};
  /** The host has all its time again: this process may have been what was slow. */
  #hasProven = () => {};
  /** Somebody else has it still. */
  #waits = () => {};

  private constructor(address: HostAddress) {
    const over = Promise.withResolvers<void>();
    this.ended = over.promise;
    this.#proof = new HostProof(address);
    this.#socket = connect(address.socket);
    this.#socket.on('error', (error) => this.#opened.reject(error));
    this.#socket.on('close', () => {
      this.#cancel();
      this.#opened.reject(new Error(this.#sealer ? 'the host hung up' : unprovenWords));
      over.resolve();
    });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.once('connect', () => this.send(this.#proof.hello));
  }

  /**
   * Becomes the owner of the host at `address`, once it has no other.
   * @param isHeldUp it says nothing because it gets no processor or no memory @throws Error in words, UnsafePathError
   */
  static async to(address: HostAddress, clock: Clock, isHeldUp: () => boolean): Promise<HostLink> {
    if (!isSafeSocket(address.socket)) throw new Error('there is no socket of a host');
    const link = new HostLink(address);
    await link.#open(clock, isHeldUp);
    return link;
  }

  /** Who is on the other end. */
  get hello(): Hello {
    return this.#first.frame;
  }

  /** What an owner before left with it. */
  get memo(): Buffer {
    return this.#first.bytes;
  }

  /** From now on frames come here, those that came before first. */
  listen(hear: Hear): void {
    this.#hear = hear;
    for (const framed of this.#early.splice(0)) hear(framed);
  }

  /** Harmless when the connection is over. */
  send(frame: OwnerFrame, bytes?: Uint8Array): void {
    if (this.#socket.destroyed) return;
    this.#socket.cork();
    for (const part of hostFrameParts(frame, bytes, this.#sealer)) this.#socket.write(part);
    this.#socket.uncork();
  }

  /** Idempotent. */
  close(): void {
    this.#socket.destroy();
  }

  get #first(): Framed<Hello> {
    if (!this.#hello) throw new Error('the host has not said who it is');
    return this.#hello;
  }

  async #open(clock: Clock, isHeldUp: () => boolean): Promise<void> {
    const wait = (times: number) => {
      this.#cancel = clock.after(helloMs, () => {
        if (times < mostWaits && isHeldUp()) return wait(times + 1);
        this.#fail(new Error(`the host says nothing within ${(times * helloMs) / 1000} s`));
      });
    };
    wait(1);
    this.#hasProven = () => {
      this.#cancel();
      wait(1);
    };
    this.#waits = () => {
      this.#cancel();
      const words = `the host has another owner, which does not go within ${ownedMs / 1000} s`;
      this.#cancel = clock.after(ownedMs, () => this.#fail(new Error(words)));
    };
    try {
      await this.#opened.promise;
    } finally {
      this.#cancel();
    }
  }

  /** What cannot be read, or is not what a host says, costs the connection. */
  #take(chunk: Buffer): void {
    try {
      for (const framed of this.#reader.push(chunk)) this.#heard(framed);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    this.#opened.reject(error);
    this.#socket.destroy();
  }

  #heard(framed: Framed<HostFrame>): void {
    const { frame } = framed;
    if (!this.#sealer) return this.#prove(frame);
    switch (frame.type) {
      case 'wait':
        return this.#waits();
      case 'ping':
        return this.send({ type: 'pong' });
      case 'hello':
        this.#hello ??= framed as Framed<Hello>;
        return this.#opened.resolve();
      default:
        if (this.#hear) this.#hear(framed);
        else this.#early.push(framed);
    }
  }

  #prove(frame: HostFrame): void {
    const { answer, sealer, opener } = this.#proof.hear(frame);
    this.send(answer);
    this.#sealer = sealer;
    this.#reader.openWith(opener);
    this.#hasProven();
  }
}
