// One direction of a tunnel, as numbers: what may be sent, what is to be sent again, what is taken in. Pure.
import { TunnelError } from './tunnel-error.ts';

/** Bytes of a direction that are on their way or not yet read. */
export const windowBytes = 256 * 1024;

interface Kept<Piece> {
  at: number;
  size: number;
  piece: Piece;
}

/** The sender's side. It keeps what is not acknowledged, at most one window. @typeParam Piece what is sent */
export class SendWindow<Piece> {
  readonly #size: number;
  #kept: Kept<Piece>[] = [];
  /** How many of the kept are sent, as far as is known. */
  #sent = 0;
  #acknowledged = 0;
  #end = 0;
  #limit: number;
  #askedAt = -1;

  constructor(size = windowBytes) {
    this.#size = size;
    this.#limit = size;
  }

  /** Where the next piece begins. */
  get end(): number {
    return this.#end;
  }

  /** How many bytes may be added now. */
  get room(): number {
    // Whatever the other side grants, no more than a window is kept for it.
    return Math.max(0, Math.min(this.#limit, this.#acknowledged + this.#size) - this.#end);
  }

  /** All that was added is acknowledged. */
  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /** @param size bytes that it counts */
  add(piece: Piece, size: number): void {
    this.#kept.push({ at: this.#end, size, piece });
    this.#end += size;
  }

  /** What is to be sent now: that which was added, and after `rewind` all that is kept. */
  take(): Piece[] {
    const pieces = this.#kept.slice(this.#sent).map(({ piece }) => piece);
    this.#sent = this.#kept.length;
    return pieces;
  }

  /** @returns whether it says anything new @throws TunnelError `protocol` for what was never sent */
  acknowledge(received: number, limit: number): boolean {
    if (received > this.#end)
      throw new TunnelError('protocol', 'Bytes of the tunnel were acknowledged that were never sent.');
    const isNews = received > this.#acknowledged || limit > this.#limit;
    this.#limit = Math.max(this.#limit, limit);
    this.#acknowledged = Math.max(this.#acknowledged, received);
    const open = this.#kept.findIndex(({ at, size }) => at + size > this.#acknowledged);
    const done = open < 0 ? this.#kept.length : open;
    this.#kept.splice(0, done);
    this.#sent = Math.max(0, this.#sent - done);
    return isNews;
  }

  /** All that is kept is sent again. */
  rewind(): void {
    this.#sent = 0;
  }

  /** The same because the other side asks for it: once for each place, or a few bytes could draw a window each. */
  rewindOnce(): void {
    if (this.isEmpty || this.#askedAt === this.#acknowledged) return;
    this.#askedAt = this.#acknowledged;
    this.rewind();
  }
}

/** The receiver's side. It keeps nothing: what comes behind a gap is sent again. */
export class ReceiveWindow {
  readonly #size: number;
  #received = 0;
  #limit: number;
  #isEnded = false;

  constructor(size = windowBytes) {
    this.#size = size;
    this.#limit = size;
  }

  /** All before it is here. */
  get received(): number {
    return this.#received;
  }

  /** All is here, and its end. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * @returns `next` for what is to be taken in, `again` for what was, `ahead` for what comes behind a gap
   * @throws TunnelError `protocol` for more than was granted, and for what no sender of pieces says
   */
  take(at: number, size: number, isEnd = false): 'next' | 'again' | 'ahead' {
    // An end is told where all of the credit is used up, too.
    if (at + size > this.#limit + Number(isEnd)) {
      throw new TunnelError('protocol', 'More bytes came through the tunnel than were granted.');
    }
    if (at > this.#received) return 'ahead';
    if (at + size <= this.#received) return 'again';
    if (at < this.#received || this.#isEnded) {
      throw new TunnelError(
        'protocol',
        'Bytes came through the tunnel that are not the next ones, nor those of before.',
      );
    }
    this.#received += size;
    this.#isEnded = isEnd;
    return 'next';
  }

  /** Grants a window beyond what was read. @param unread bytes @returns up to where may be sent */
  grant(unread: number): number {
    this.#limit = Math.max(this.#limit, this.#received - unread + this.#size);
    return this.#limit;
  }
}
