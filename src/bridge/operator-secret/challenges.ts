// What one connection was asked to prove: each question is for one call, and holds for one answer and two minutes.
import { newToken } from '../../base/ids.ts';
import type { Clock } from '../../base/time/clock.ts';
import { decisionText, paramsDigest } from '../../domain/views/operator-proof.ts';

export const challengeMs = 2 * 60_000;
/** Open ones of a connection; one more ends the oldest. */
const maxOpen = 64;

export interface ChallengedCall {
  method: string;
  /** As they came. */
  params?: unknown;
}

export class Challenges {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #open = new Map<string, { method: string; params: string; until: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Returns the nonce of a new one. */
  pose({ method, params }: ChallengedCall): string {
    const nonce = newToken();
    const until = this.#clock.now() + challengeMs;
    this.#open.set(nonce, { method, params: paramsDigest(params), until });
    const [oldest] = this.#open.keys();
    if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest);
    return nonce;
  }

  /**
   * Ends one, whatever its answer is worth.
   * @returns what had to be signed, or why the answer is for nothing
   */
  take(
    nonce: string,
    { method, params }: ChallengedCall,
  ): { text: string } | { why: string; again: boolean } {
    const posed = this.#open.get(nonce);
    this.#open.delete(nonce);
    if (!posed)
      return otherwise('The proof answers nothing that was asked on this connection, or did so before.');
    if (posed.until < this.#clock.now())
      return { why: 'The proof came more than two minutes after it was asked for.', again: true };
    if (posed.method !== method || posed.params !== paramsDigest(params))
      return otherwise('The proof was asked for another call.');
    return { text: decisionText(method, params, nonce) };
  }
}

const otherwise = (why: string) => ({ why, again: false });
