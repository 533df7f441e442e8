// Frames on their way to the gateway. AGP has no acknowledgements, but a WebSocket answers pings in order: a pong proves
// that everything sent before its ping was read. What was not proved is sent again over the next connection, as it was.

/** The part of an open connection that the outbox needs. */
export interface OutboxLink {
  send(text: string): void;
  ping(payload: string): void;
}

interface Frame {
  text: string;
  /** Its arrival is proved by the pong to this ping, or a later one. */
  proof: number;
  arrived?: (proved: boolean) => void;
}

/** Frames per ping when many go again: a connection that is cut soon, too, gets some of them across. */
const stride = 32;
/** Unproved text that may be on its way, UTF-16 code units: what a slow gateway costs in memory. */
const windowSize = 1_048_576;

export class Outbox {
  #frames: Frame[] = [];
  #size = 0;
  #link: OutboxLink | undefined;
  #pings = 0;
  #pingPlanned = false;
  #closed = false;
  #waiters: (() => void)[] = [];

  /** Frames whose arrival is not proved. */
  get size(): number {
    return this.#frames.length;
  }

  /** Resolves when there is a connection with room for more; at once, with false, when the outbox is closed. */
  async room(): Promise<boolean> {
    while (!this.#closed && (!this.#link || this.#size >= windowSize)) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
    return !this.#closed;
  }

  /** An intermediate frame. Wait for {@link room} first. */
  send(text: string): void {
    this.#add({ text, proof: 0 });
    // Proof is cheap but not free: the heartbeat brings it, unless the window fills up before.
    if (this.#size >= windowSize / 2) this.#planPing();
  }

  /** A frame that must arrive, with or without a connection. Resolves with true once that is proved, false on close. */
  deliver(text: string): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#add({ text, proof: 0, arrived: resolve });
    this.#planPing();
    return promise;
  }

  /** A new connection: what may have been lost with the last one goes first. */
  attach(link: OutboxLink): void {
    this.#link = link;
    for (const [index, frame] of this.#frames.entries()) {
      this.#transmit(frame);
      if (index % stride === stride - 1) this.ping();
    }
    if (this.#frames.length % stride > 0) this.ping();
    this.#wake();
  }

  detach(): void {
    this.#link = undefined;
  }

  ping(): void {
    if (!this.#link) return;
    this.#pings += 1;
    this.#link.ping(String(this.#pings));
  }

  /**
   * @param payload of a pong that came over the attached connection; one that we did not send proves nothing
   * @returns true when it proved that something arrived
   */
  pong(payload: string): boolean {
    const proof = /^\d{1,15}$/.test(payload) ? Number(payload) : 0;
    const proved = this.#frames.filter((frame) => frame.proof <= proof);
    if (proved.length === 0) return false;
    this.#frames = this.#frames.filter((frame) => frame.proof > proof);
    for (const { text, arrived } of proved) {
      this.#size -= text.length;
      arrived?.(true);
    }
    this.#wake();
    return true;
  }

  /** Nothing is sent any more. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#link = undefined;
    for (const { arrived } of this.#frames) arrived?.(false);
    this.#wake();
  }

  #add(frame: Frame): void {
    this.#frames.push(frame);
    this.#size += frame.text.length;
    this.#transmit(frame);
  }

  #transmit(frame: Frame): void {
    frame.proof = this.#pings + 1;
    this.#link?.send(frame.text);
  }

  /** Frames of one moment share a ping. */
  #planPing(): void {
    if (this.#pingPlanned) return;
    this.#pingPlanned = true;
    queueMicrotask(() => {
      this.#pingPlanned = false;
      this.ping();
    });
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
