// Who has the host: the first bridge that proves itself, until its connection is over. Nobody takes it from one that lives.
// Others wait, and meanwhile the owner is asked whether it does: a bridge that was stopped keeps its connection open.
import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { OwnerFrame } from '../../protocol/wire/host.ts';
import type { Framed } from '../../protocol/wire/host-codec.ts';
import type { OwnerLink } from './owner-link.ts';

/** Until an owner that does not answer a ping is taken for dead, and from one ping to the next, ms. */
const pingMs = 3_000;
/** How long one may wait for an owner that lives, ms. */
const waitMs = 10_000;

export interface OwnershipOptions {
  clock: Clock;
  /** It is the owner now; there is no other. */
  came(owner: OwnerLink): void;
  /** The owner says something. */
  frame(framed: Framed<OwnerFrame>): void;
  /** The owner is gone. */
  went(): void;
}

export class Ownership {
  readonly #options: OwnershipOptions;
  /** Longest first, with what ends the wait. */
  readonly #waiting = new Map<OwnerLink, Cancel>();
  #owner: OwnerLink | undefined;
  #next: Cancel = () => {};
  #isClosed = false;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  get owner(): OwnerLink | undefined {
    return this.#owner;
  }

  /** Nobody becomes the owner any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** It has proven itself. */
  enter(link: OwnerLink): void {
    if (!this.#owner) return this.#become(link);
    link.send({ type: 'wait' });
    this.#waiting.set(
      link,
      this.#options.clock.after(waitMs, () => link.drop()),
    );
    if (this.#waiting.size === 1) this.#ask();
  }

  /** @param link one that has entered @throws for what costs the connection */
  hear(link: OwnerLink, framed: Framed<OwnerFrame>): void {
    if (link !== this.#owner) throw new TypeError(`a ${framed.frame.type} of one that waits`);
    if (framed.frame.type === 'pong') this.#askLater();
    this.#options.frame(framed);
  }

  /** It is over. */
  left(link: OwnerLink): void {
    this.#waiting.get(link)?.();
    this.#waiting.delete(link);
    if (link === this.#owner) {
      this.#owner = undefined;
      this.#options.went();
      const [next] = this.#waiting.keys();
      if (next && !this.#isClosed) this.#become(next);
    }
    if (this.#waiting.size === 0) this.#next();
  }

  #become(link: OwnerLink): void {
    this.#waiting.get(link)?.();
    this.#waiting.delete(link);
    this.#owner = link;
    this.#options.came(link);
    this.#askLater();
  }

  #ask(): void {
    const owner = this.#owner;
    owner?.send({ type: 'ping' });
    this.#then(() => owner?.drop());
  }

  #askLater(): void {
    if (this.#waiting.size > 0) this.#then(() => this.#ask());
    else this.#next();
  }

  #then(what: () => void): void {
    this.#next();
    this.#next = this.#options.clock.after(pingMs, what);
  }
}
