// The tokens that hold now, by their digests. Pure: files are read by `token-store.ts`.
import { placeOfSecret, sha256 } from '../../base/secret.ts';
import type { ShownToken } from '../../protocol/tokens.ts';
import { bridgeGrant } from './bridge-token.ts';
import { grantOf, isExpired, type TokenRecord } from './token-record.ts';

export class TokenBook {
  readonly #records: readonly TokenRecord[];
  /** Of the records, and behind them of the bridge's own token. */
  readonly #digests: readonly Buffer[];

  /** @param own the bridge's own token; undefined while its file cannot be read */
  constructor(own: string | undefined, records: readonly TokenRecord[]) {
    this.#records = records;
    const digests = records.map(({ digest }) => Buffer.from(digest, 'hex'));
    this.#digests = own === undefined ? digests : [...digests, sha256(own)];
  }

  /** @param now wall clock, epoch ms */
  look(secret: string | undefined, now: number): ShownToken {
    const place = placeOfSecret(this.#digests, secret);
    if (secret === undefined) return { kind: 'missing' };
    if (place === -1) return { kind: 'unknown' };
    const record = this.#records[place];
    if (!record) return { kind: 'holds', grant: bridgeGrant };
    const grant = grantOf(record);
    return isExpired(record, now)
      ? { kind: 'expired', grant, at: record.expires ?? now }
      : { kind: 'holds', grant };
  }
}
