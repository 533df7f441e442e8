// What a connection has to prove before anything else that it says counts: that it knows the secret of the host.
import { MutualProof, newNonce } from '../../base/net/mutual-proof.ts';
import { Opener, Sealer } from '../../base/net/seal.ts';
import {
  aboutHost,
  type HostFrame,
  type HostOrder,
  hostVersions,
  type OwnerFrame,
} from '../../protocol/wire/host.ts';

export type HostIdentity = Pick<HostOrder, 'run' | 'secret'>;

/** What follows: an answer, or what seals everything from here on. */
type Step = { answer: HostFrame } | { sealer: Sealer; opener: Opener };

/** Of one connection. */
export class OwnerProof {
  readonly #identity: HostIdentity;
  #proof: MutualProof | undefined;

  constructor(identity: HostIdentity) {
    this.#identity = identity;
  }

  /** @throws for what costs the connection: any frame but the next one of a bridge that knows the secret */
  hear(frame: OwnerFrame): Step {
    if (!this.#proof && frame.type === 'hello') return { answer: this.#challenge(frame) };
    const proof = this.#proof;
    if (frame.type !== 'proof' || !proof?.isOf('client', frame.proof)) throw new TypeError('no proof');
    return { sealer: new Sealer(proof.keyOf('server')), opener: new Opener(proof.keyOf('client')) };
  }

  #challenge({ versions, nonce: clientNonce }: OwnerFrame & { type: 'hello' }): HostFrame {
    const version = hostVersions.find((each) => versions.includes(each));
    if (version === undefined) throw new TypeError(`versions ${versions.join()}`);
    const { run, secret } = this.#identity;
    const serverNonce = newNonce();
    this.#proof = new MutualProof({ secret, about: aboutHost(run, version), clientNonce, serverNonce });
    return { type: 'challenge', version, nonce: serverNonce, proof: this.#proof.of('server') };
  }
}
