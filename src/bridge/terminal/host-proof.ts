// How a bridge and a host prove to each other that they know the secret of the state folder. Until the host has, it is told
// nothing: whoever can put a socket in its place would be told what people write.
import { MutualProof, newNonce } from '../../base/net/mutual-proof.ts';
import { Opener, Sealer } from '../../base/net/seal.ts';
import {
  aboutHost,
  type HostFrame,
  type HostOrder,
  hostVersions,
  type OwnerFrame,
} from '../../protocol/wire/host.ts';

/** A host as a bridge means it. */
export type HostAddress = Pick<HostOrder, 'run' | 'socket' | 'secret'>;

interface Proven {
  /** What the host has to be shown. */
  answer: OwnerFrame;
  /** For what follows. */
  sealer: Sealer;
  opener: Opener;
}

/** Of one connection. */
export class HostProof {
  readonly hello: OwnerFrame & { type: 'hello' } = {
    type: 'hello',
    versions: hostVersions,
    nonce: newNonce(),
  };
  readonly #address: HostAddress;

  constructor(address: HostAddress) {
    this.#address = address;
  }

  /** @param frame the first of the host @throws Error in words when it is not the host that is meant */
  hear(frame: HostFrame): Proven {
    const { run, secret } = this.#address;
    if (frame.type !== 'challenge' || !hostVersions.includes(frame.version))
      throw new Error('the host speaks another version of its protocol');
    const { nonce: clientNonce } = this.hello;
    const about = aboutHost(run, frame.version);
    const proof = new MutualProof({ secret, about, clientNonce, serverNonce: frame.nonce });
    if (!proof.isOf('server', frame.proof))
      throw new Error('what listens there did not prove that it is a host of this state folder');
    return {
      answer: { type: 'proof', proof: proof.of('client') },
      sealer: new Sealer(proof.keyOf('client')),
      opener: new Opener(proof.keyOf('server')),
    };
  }
}
