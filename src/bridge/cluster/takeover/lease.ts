// How long this node may go on with what another may take over: until a while after its last record was written. By a
// clock that goes on while the machine is suspended.
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { sinceBoot } from '../../../base/time/since-boot.ts';

/** Longest time until is looked again whether it has run out, ms: Node's timers stand still in suspension. */
const lookMs = 250;

export interface LeaseOptions {
  /** For a node's conversations to be lost to it, ms. */
  leaseMs: number;
  /** It has run out. */
  ended(): void;
  /** How long it holds from now on, ms. */
  renewed(ms: number): void;
  clock: Clock;
  /** Milliseconds since this machine started, those in which it was suspended included. */
  boot?(): number;
}

/** Part of a lease after which a node that writes nothing gives up; others wait for {@link goneShare} of it. */
const keepShare = 2 / 3;
export const goneShare = 9 / 10;

export class Lease {
  readonly #options: LeaseOptions;
  readonly #boot: () => number;
  /** Undefined before the first record. */
  #until: number | undefined;
  #holds = false;
  #next: Cancel | undefined;
  #isClosed = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#boot = options.boot ?? sinceBoot;
  }

  get now(): number {
    return this.#boot();
  }

  /** How long it holds, ms; 0 when it has run out; undefined before the first record. */
  get left(): number | undefined {
    return this.#until === undefined ? undefined : Math.max(0, this.#until - this.#boot());
  }

  /** The record was written. @param since when that was begun, as `now` had it: whoever reads it does so later */
  renew(since: number): void {
    if (this.#isClosed) return;
    // Whoever stood still for so long has lost it before.
    this.look();
    const until = since + this.#options.leaseMs * keepShare;
    if (until <= this.#boot()) return;
    this.#until = until;
    this.#holds = true;
    this.#options.renewed(this.left ?? 0);
    this.#wait();
  }

  close(): void {
    this.#isClosed = true;
    this.#next?.();
  }

  /** By the clock: its own timer may come later than what is read when a machine wakes. */
  look(): void {
    if (!this.#holds || this.left !== 0) return;
    this.#holds = false;
    this.#options.ended();
  }

  #wait(): void {
    this.#next?.();
    if (!this.#holds || this.#isClosed) return;
    this.#next = this.#options.clock.after(Math.min(lookMs, this.left ?? 0), () => {
      this.look();
      this.#wait();
    });
  }
}
