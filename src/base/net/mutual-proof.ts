// Both ends of a connection prove that they know one secret, without saying it, and derive from it what seals the rest.
// Each end draws a nonce, so nothing that was recorded counts again; each direction has labels of its own, so nothing
// that is sent back counts either.
import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../secret.ts';

/** Who connects, and who listens. */
export type Side = 'client' | 'server';

export interface MutualProofOptions {
  secret: string;
  /** What both ends have to mean besides, such as the name of a server. */
  about: string;
  /** Of `newNonce`. */
  clientNonce: string;
  serverNonce: string;
}

/** 256 random bits, in hex. */
export const newNonce = (): string => randomBytes(32).toString('hex');

export class MutualProof {
  readonly #options: MutualProofOptions;

  constructor(options: MutualProofOptions) {
    this.#options = options;
  }

  /** What this side shows, in hex. */
  of(side: Side): string {
    return this.#mac(`proof of the ${side}`).toString('hex');
  }

  /** Whether `given` is what that side has to show; compared in constant time. */
  isOf(side: Side, given: string): boolean {
    return sameSecret(this.of(side), given);
  }

  /** Seals what this side says: 32 bytes. */
  keyOf(side: Side): Buffer {
    return this.#mac(`key of the ${side}`);
  }

  #mac(label: string): Buffer {
    const { secret, about, clientNonce, serverNonce } = this.#options;
    return createHmac('sha256', secret).update([label, clientNonce, serverNonce, about].join('\n')).digest();
  }
}
