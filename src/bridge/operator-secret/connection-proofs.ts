import type { Clock } from '../../base/time/clock.ts';
import type { Challenge, Proof } from '../../domain/views/operator-proof.ts';
import { type ChallengedCall, Challenges } from './challenges.ts';
import type { OperatorSecret, ProofCheck } from './operator-secret.ts';

/** What one connection is asked to prove of the operator secret, and whether it does. */
export class ConnectionProofs {
  readonly #secret: OperatorSecret;
  readonly #challenges: Challenges;

  constructor(secret: OperatorSecret, clock: Pick<Clock, 'now'>) {
    this.#secret = secret;
    this.#challenges = new Challenges(clock);
  }

  /** Returns what is to be proven for this call. */
  ask(call: ChallengedCall): Challenge {
    return { nonce: this.#challenges.pose(call), ...this.#secret.asks };
  }

  /** Returns whether it is. What was shown counts once. */
  check(proof: Proof, call: ChallengedCall): ProofCheck {
    const posed = this.#challenges.take(proof.nonce, call);
    return 'why' in posed ? { ok: false, ...posed } : this.#secret.check(proof, posed.text);
  }
}
