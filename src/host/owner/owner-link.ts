import type { Socket } from 'node:net';
import type { HostFrame, OwnerFrame } from '../../protocol/wire/host.ts';
import {
  type Framed,
  type FrameOpener,
  type FrameSealer,
  HostFrameReader,
  hostFrameParts,
} from '../../protocol/wire/host-codec.ts';
import { isOwnerFrame } from './owner-frame.ts';

export interface OwnerLinkListener {
  /** One that throws costs the connection. */
  frame(link: OwnerLink, framed: Framed<OwnerFrame>): void;
  /** Everything that was sent is with the system. */
  drained(link: OwnerLink): void;
  /** Once. Nothing comes of it any more, and nothing more can be sent. */
  over(link: OwnerLink): void;
  /** Once, afterwards: what was sent is with the system, or lost. */
  closed(link: OwnerLink): void;
}

/** One connection of somebody who is the owner, or wants to be. */
export class OwnerLink {
  readonly #socket: Socket;
  readonly #listener: OwnerLinkListener;
  readonly #reader = new HostFrameReader<OwnerFrame>();
  #sealer: FrameSealer | undefined;
  /** It said what no bridge says. */
  hasMisspoken = false;
  #isOver = false;
  #isCorked = false;

  constructor(socket: Socket, listener: OwnerLinkListener) {
    this.#socket = socket;
    this.#listener = listener;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('drain', () => listener.drained(this));
    socket.on('error', () => this.drop());
    socket.on('end', () => this.drop());
    socket.on('close', () => {
      this.#end();
      listener.closed(this);
    });
  }

  /** Sent bytes that are not with the system yet. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** It is proven: what it says from now on is sealed, and so is what it is told. */
  seal(sealer: FrameSealer, opener: FrameOpener): void {
    this.#sealer = sealer;
    this.#reader.openWith(opener);
  }

  /** @param bytes must not change any more. Nothing happens when it is over. */
  send(frame: HostFrame, bytes?: Uint8Array): void {
    if (this.#isOver) return;
    this.#cork();
    for (const part of hostFrameParts(frame, bytes, this.#sealer)) this.#socket.write(part);
  }

  /** Ends it at once. What it sent and is not heard yet stays unheard. Idempotent. */
  drop(): void {
    this.#socket.destroy();
    this.#end();
  }

  /** Ends it once everything is sent. What it says meanwhile is unheard. */
  close(): void {
    this.#socket.end();
    this.#end();
  }

  /** What is sent within one turn of the event loop goes to the system together. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.over(this);
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      for (const framed of this.#reader.push(chunk)) {
        if (!isOwnerFrame(framed.frame)) throw new TypeError(`a frame that is no ${framed.frame.type}`);
        this.#listener.frame(this, framed);
        // Another one may be the owner by now, or this one has said its last.
        if (this.#isOver) return;
      }
    } catch {
      this.hasMisspoken = true;
      this.drop();
    }
  }
}
