// What one side of a connection says, sealed record by record: who stands between both ends reads nothing, and what is
// changed, left out, repeated or put in costs the connection. Each direction has its own key, so a number is a nonce.
import { createCipheriv, createDecipheriv } from 'node:crypto';

const cipher = 'aes-256-gcm';
/** What a sealed record is longer than its content, bytes. */
export const sealBytes = 16;

/** Counts the records of one direction. */
class Records {
  #count = 0;

  /** 12 bytes, each time others. */
  next(): Buffer {
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(this.#count, 6, 6);
    this.#count += 1;
    return nonce;
  }
}

export class Sealer {
  readonly #key: Buffer;
  readonly #records = new Records();

  /** @param key 32 bytes, for this direction of this connection alone */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** @returns the record of these parts, one behind the other, in parts as well */
  seal(parts: readonly Uint8Array[]): Buffer[] {
    const sealing = createCipheriv(cipher, this.#key, this.#records.next(), { authTagLength: sealBytes });
    const sealed = parts.filter(({ length }) => length > 0).map((part) => sealing.update(part));
    sealing.final();
    return [...sealed, sealing.getAuthTag()];
  }
}

export class Opener {
  readonly #key: Buffer;
  readonly #records = new Records();

  /** @param key of the other end's `Sealer` */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** @returns what was sealed @throws RangeError, or the system's error, for what is not the other end's next record */
  open(record: Buffer): Buffer {
    const end = record.length - sealBytes;
    if (end < 0) throw new RangeError(`a sealed record of ${record.length} bytes`);
    const opening = createDecipheriv(cipher, this.#key, this.#records.next(), { authTagLength: sealBytes });
    opening.setAuthTag(record.subarray(end));
    const content = opening.update(record.subarray(0, end));
    opening.final();
    return content;
  }
}
