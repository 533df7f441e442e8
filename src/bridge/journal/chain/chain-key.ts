// What only the holder of the key can write: without it, rows can be changed and linked anew, but not sealed.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export interface SealedHead {
  seq: number;
  link: string;
  /** How many marks there are, and the seal of the last one. */
  marks: number;
  markSeal: string;
}

/** Every seal is 32 hex digits: the first 16 bytes of HMAC-SHA-256. Each kind begins with its own word. */
export class ChainKey {
  readonly #key: KeyObject;
  /** Names the key without giving it away: 16 hex digits. */
  readonly id: string;

  constructor(bytes: Uint8Array) {
    this.#key = createSecretKey(bytes);
    this.id = this.#mac('id').slice(0, 16);
  }

  /** The last row of a commit; the seal before it is part of it, so that none can be taken out. */
  row(previous: string, seq: number, link: string): string {
    return this.#mac(`row\n${previous}\n${seq}\n${link}`);
  }

  mark(previous: string, text: string): string {
    return this.#mac(`mark\n${previous}\n${text}`);
  }

  head({ seq, link, marks, markSeal }: SealedHead): string {
    return this.#mac(`head\n${seq}\n${link}\n${marks}\n${markSeal}`);
  }

  anchor(text: string): string {
    return this.#mac(`anchor\n${text}`);
  }

  /** What is kept in the reserve; the seal before it is part of it. */
  reserve(previous: string, text: string): string {
    return this.#mac(`reserve\n${previous}\n${text}`);
  }

  /** That a row became a tombstone by our hand. */
  forgotten(text: string): string {
    return this.#mac(`forgotten\n${text}`);
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, 32);
  }
}

export function sameSeal(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
