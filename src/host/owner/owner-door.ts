// The socket on which a bridge becomes the owner: the newest that says so, and speaks a common version, is.
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '../../base/net/local-server.ts';
import { claimSocketPath } from '../../base/net/socket-path.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import { hostVersions, type OwnerFrame } from '../../protocol/wire/host.ts';
import type { Framed } from '../../protocol/wire/host-codec.ts';
import { OwnerLink } from './owner-link.ts';

/** How long a connection may take to say hello, ms. */
const helloMs = 3_000;

export interface OwnerDoorOptions {
  /** Of the socket. */
  path: string;
  clock: Clock;
  /** It is the owner now; the one before is gone. */
  came(owner: OwnerLink, version: number): void;
  /** The owner says something. */
  frame(framed: Framed<OwnerFrame>): void;
  drained(): void;
  /** The owner is gone, and there is no other yet. */
  went(): void;
}

export class OwnerDoor {
  readonly #options: OwnerDoorOptions;
  readonly #server: Server;
  /** Everybody who is connected, with what ends it when it does not say hello. */
  readonly #links = new Map<OwnerLink, Cancel>();
  #owner: OwnerLink | undefined;
  #inode: bigint | undefined;
  #idle: (() => void) | undefined;

  private constructor(options: OwnerDoorOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#take(socket));
  }

  /** @throws UnsafePathError, or the system's error when nothing can listen there */
  static async open(options: OwnerDoorOptions): Promise<OwnerDoor> {
    const door = new OwnerDoor(options);
    await door.#listen(options.path);
    return door;
  }

  /** Nobody is let in any more, and the socket goes. Resolves when every connection has said its last. */
  close(): Promise<void> {
    this.#server.close();
    this.#removeSocket();
    for (const link of [...this.#links.keys()]) link.close();
    return new Promise((resolve) => {
      this.#idle = resolve;
      this.#lookIdle();
    });
  }

  /** Whoever has not taken its last words has no time for them any more. */
  drop(): void {
    for (const link of [...this.#links.keys()]) link.drop();
  }

  /**
   * Node removes the name on which it listened when it closes, whosever it is by then. So that is another one, which is
   * never longer, as the system takes no long ones; and a socket without its mode is at no time in its place.
   */
  async #listen(path: string): Promise<void> {
    claimSocketPath(path);
    const isPipe = process.platform === 'win32';
    const draft = isPipe ? path : `${path.slice(0, -3)}${randomBytes(2).toString('base64url')}`;
    await listenOn(this.#server, { path: draft });
    if (isPipe) return;
    try {
      chmodSync(draft, 0o600);
      renameSync(draft, path);
      this.#inode = inodeOf(path);
    } catch (error) {
      this.#server.close();
      throw error;
    }
  }

  /** Another host may have put its own there. */
  #removeSocket(): void {
    const { path } = this.#options;
    try {
      if (this.#inode !== undefined && inodeOf(path) === this.#inode) unlinkSync(path);
    } catch {
      // Gone with its folder.
    }
  }

  #take(socket: Socket): void {
    const link = new OwnerLink(socket, {
      frame: (from, framed) => this.#hear(from, framed),
      drained: (from) => {
        if (from === this.#owner) this.#options.drained();
      },
      over: (from) => this.#went(from),
      closed: (from) => {
        this.#links.get(from)?.();
        this.#links.delete(from);
        this.#lookIdle();
      },
    });
    this.#links.set(
      link,
      this.#options.clock.after(helloMs, () => link.drop()),
    );
  }

  #hear(link: OwnerLink, { frame, bytes }: Framed<OwnerFrame>): void {
    if (link === this.#owner) {
      this.#options.frame({ frame, bytes });
      return;
    }
    if (frame.type !== 'hello') throw new TypeError(`a ${frame.type} before hello`);
    this.#links.get(link)?.();
    const version = hostVersions.find((each) => frame.versions.includes(each));
    if (version === undefined) {
      link.send({ type: 'refused', versions: hostVersions });
      // A connection that stays half open has as long as one that says nothing.
      this.#links.set(
        link,
        this.#options.clock.after(helloMs, () => link.drop()),
      );
      link.close();
      return;
    }
    this.#owner?.drop();
    this.#owner = link;
    this.#options.came(link, version);
  }

  #went(link: OwnerLink): void {
    if (link !== this.#owner) return;
    this.#owner = undefined;
    this.#options.went();
  }

  #lookIdle(): void {
    if (this.#links.size === 0) this.#idle?.();
  }
}

const inodeOf = (path: string): bigint | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
