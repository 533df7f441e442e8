// The socket on which a bridge becomes the owner. Whoever connects has to prove first that it is one, and gets nothing but a
// close when it does not.
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '../../base/net/local-server.ts';
import { claimSocketPath } from '../../base/net/socket-path.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { OwnerFrame } from '../../protocol/wire/host.ts';
import { OwnerLink } from './owner-link.ts';
import { type HostIdentity, OwnerProof } from './owner-proof.ts';
import { Ownership, type OwnershipOptions } from './ownership.ts';
import { Unproven } from './unproven.ts';

/** How long a connection may take to prove itself, ms. A bridge may be slow that starts on a busy machine. */
const proofMs = 10_000;
/** How many may be at it: one more ends the one that takes longest. A bridge takes one turn of the event loop. */
const maxUnproven = 64;

export interface OwnerDoorOptions extends HostIdentity, OwnershipOptions {
  /** Of the socket. */
  path: string;
  clock: Clock;
  /** Whether something that runs below the host has connected: it may have read the secret, and is no bridge. */
  isBelow(socket: Socket): boolean;
  drained(): void;
}

/** A connection that has proven nothing yet. */
interface Stranger {
  proof: OwnerProof;
  cancel: Cancel;
}

export class OwnerDoor {
  readonly #options: OwnerDoorOptions;
  readonly #server: Server;
  readonly #ownership: Ownership;
  readonly #unproven: Unproven;
  /** Everybody who is connected. */
  readonly #links = new Set<OwnerLink>();
  /** Oldest first. */
  readonly #strangers = new Map<OwnerLink, Stranger>();
  #inode: bigint | undefined;
  #idle: (() => void) | undefined;

  private constructor(options: OwnerDoorOptions) {
    this.#options = options;
    this.#ownership = new Ownership(options);
    this.#unproven = new Unproven(options.clock, (count) => {
      this.#ownership.owner?.send({ type: 'unproven', count });
    });
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
    this.#unproven.close();
    this.#ownership.close();
    for (const link of [...this.#links]) link.close();
    return new Promise((resolve) => {
      this.#idle = resolve;
      this.#lookIdle();
    });
  }

  /** Whoever has not taken its last words has no time for them any more. */
  drop(): void {
    for (const link of [...this.#links]) link.drop();
  }

  /** Whether the owner listens. It hears then of those that proved nothing. */
  heard(isHeard: boolean): void {
    this.#unproven.heard(isHeard);
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
      frame: (from, framed) => {
        const stranger = this.#strangers.get(from);
        if (stranger) this.#prove(from, stranger, framed.frame);
        else this.#ownership.hear(from, framed);
      },
      drained: (from) => {
        if (from === this.#ownership.owner) this.#options.drained();
      },
      over: (from) => {
        // One that hangs up by itself has done nothing wrong: its bridge may have been killed.
        if (from.hasMisspoken && this.#strangers.has(from)) this.#unproven.add();
        this.#forget(from);
        this.#ownership.left(from);
      },
      closed: (from) => {
        this.#links.delete(from);
        this.#lookIdle();
      },
    });
    this.#links.add(link);
    if (this.#options.isBelow(socket)) return this.#refuse(link);
    const cancel = this.#options.clock.after(proofMs, () => this.#refuse(link));
    this.#strangers.set(link, { proof: new OwnerProof(this.#options), cancel });
    const [oldest] = this.#strangers.keys();
    if (oldest && this.#strangers.size > maxUnproven) this.#refuse(oldest);
  }

  #prove(link: OwnerLink, { proof }: Stranger, frame: OwnerFrame): void {
    const step = proof.hear(frame);
    if ('answer' in step) {
      link.send(step.answer);
      return;
    }
    this.#forget(link);
    link.seal(step.sealer, step.opener);
    this.#ownership.enter(link);
  }

  #refuse(link: OwnerLink): void {
    this.#unproven.add();
    link.drop();
  }

  #forget(link: OwnerLink): void {
    this.#strangers.get(link)?.cancel();
    this.#strangers.delete(link);
  }

  #lookIdle(): void {
    if (this.#links.size === 0) this.#idle?.();
  }
}

const inodeOf = (path: string): bigint | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
