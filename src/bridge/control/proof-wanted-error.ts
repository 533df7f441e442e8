import type { Challenge } from '../../domain/views/operator-proof.ts';
import { OperatorError } from '../app/operator/operator-error.ts';

/** The call is to be made again with a proof of the operator secret. Nothing was changed. */
export class ProofWantedError extends OperatorError {
  readonly challenge: Challenge;
  /** What was wrong with the one before. */
  readonly why: string | undefined;

  constructor(challenge: Challenge, why?: string) {
    const asked = challenge.kind === 'totp' ? 'a code of your app' : 'a signature of your SSH key';
    super(
      'proof_wanted',
      `Nothing is decided on this machine without ${asked}.${why === undefined ? '' : ` ${why}`}`,
      'Nothing was changed. Run it with this release of `synthesis`, in a terminal of your own.',
    );
    this.challenge = challenge;
    this.why = why;
  }
}
