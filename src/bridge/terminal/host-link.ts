// A connection to a host's socket, as its owner.
import { connect, type Socket } from 'node:net';
import { isSafeSocket } from '../../base/net/socket-path.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type HostFrame, hostVersions, type OwnerFrame } from '../../protocol/wire/host.ts';
import { type Framed, HostFrameReader, hostFrameHead } from '../../protocol/wire/host-codec.ts';

type Hello = HostFrame & { type: 'hello' };
type Hear = (framed: Framed<HostFrame>) => void;

/** How long a host may take to say who it is, ms. */
const helloMs = 3_000;
/** And how often as long where it only waits for a machine that has too much to do. */
const mostWaits = 10;

export class HostLink {
  /** Who is on the other end. */
  readonly hello: Hello;
  /** What an owner before left with it. */
  readonly memo: Buffer;
  /** Resolves when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  #hear: Hear | undefined;
  /** What came before anybody listened. */
  #early: Framed<HostFrame>[];

  private constructor(socket: Socket, { frame, bytes }: Framed<Hello>, ended: Promise<void>) {
    this.#socket = socket;
    this.hello = frame;
    this.memo = bytes;
    this.ended = ended;
    this.#early = [];
  }

  /**
   * Becomes the owner of the host at `path`.
   * @param isHeldUp it says nothing because it gets no processor or no memory @throws Error in words, UnsafePathError
   */
  static async to(path: string, clock: Clock, isHeldUp: () => boolean): Promise<HostLink> {
    if (!isSafeSocket(path)) throw new Error('there is no socket of a host');
    const socket = connect(path);
    const opened = Promise.withResolvers<HostLink>();
    const over = Promise.withResolvers<void>();
    let cancel = () => {};
    const wait = (times: number) => {
      cancel = clock.after(helloMs, () => {
        if (times < mostWaits && isHeldUp()) return wait(times + 1);
        opened.reject(new Error(`the host says nothing within ${(times * helloMs) / 1000} s`));
        socket.destroy();
      });
    };
    wait(1);
    const reader = new HostFrameReader<HostFrame>();
    let link: HostLink | undefined;
    socket.on('error', (error) => opened.reject(error));
    socket.on('close', () => {
      cancel();
      opened.reject(new Error('the host hung up'));
      over.resolve();
    });
    socket.on('data', (chunk) => {
      for (const framed of read(reader, chunk, socket)) {
        if (link) link.#heard(framed);
        else {
          if (isHello(framed)) link = new HostLink(socket, framed, over.promise);
          if (link) opened.resolve(link);
          else socket.destroy(new Error('the host speaks another version of its protocol'));
        }
      }
    });
    socket.once('connect', () => socket.write(frameOf({ type: 'hello', versions: hostVersions })));
    try {
      return await opened.promise;
    } finally {
      cancel();
    }
  }

  /** From now on frames come here, those that came before first. */
  listen(hear: Hear): void {
    this.#hear = hear;
    for (const framed of this.#early.splice(0)) hear(framed);
  }

  /** Harmless when the connection is over. */
  send(frame: OwnerFrame, bytes: Uint8Array = nothing): void {
    if (this.#socket.destroyed) return;
    this.#socket.write(hostFrameHead(frame, bytes.length));
    if (bytes.length > 0) this.#socket.write(bytes);
  }

  /** Idempotent. */
  close(): void {
    this.#socket.destroy();
  }

  #heard(framed: Framed<HostFrame>): void {
    if (this.#hear) this.#hear(framed);
    else this.#early.push(framed);
  }
}

const nothing = Buffer.alloc(0);

const frameOf = (frame: OwnerFrame): Buffer => hostFrameHead(frame, 0);

const isHello = (framed: Framed<HostFrame>): framed is Framed<Hello> => framed.frame.type === 'hello';

/** What cannot be read costs the connection. */
function read(reader: HostFrameReader<HostFrame>, chunk: Buffer, socket: Socket): Framed<HostFrame>[] {
  try {
    return reader.push(chunk);
  } catch (error) {
    socket.destroy(error as Error);
    return [];
  }
}
