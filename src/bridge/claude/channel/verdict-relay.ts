import type { Verdict } from '../../../protocol/events/permission-events.ts';

const keptVerdicts = 100;

/**
 * Verdicts for the channel, sent again after every hello until they are forgotten: a connection may die with one unread.
 * The channel passes only the first on.
 */
export class VerdictRelay {
  readonly #send: (code: string, verdict: Verdict) => boolean;
  readonly #kept = new Map<string, { verdict: Verdict; sent: () => void }>();

  /** @param send false when nobody is connected */
  constructor(send: (code: string, verdict: Verdict) => boolean) {
    this.#send = send;
  }

  /** @param sent called each time it was handed to a connection */
  pass(code: string, verdict: Verdict, sent: () => void): void {
    this.forget(code);
    this.#kept.set(code, { verdict, sent });
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > keptVerdicts && oldest !== undefined) this.forget(oldest);
    this.#hand(code);
  }

  forget(code: string): void {
    this.#kept.delete(code);
  }

  /** Somebody new is connected. */
  again(): void {
    for (const code of this.#kept.keys()) this.#hand(code);
  }

  #hand(code: string): void {
    const kept = this.#kept.get(code);
    if (kept && this.#send(code, kept.verdict)) kept.sent();
  }
}
