// One code names one question, for ever: a verdict that is repeated after days, or in another conversation, fits none.
import { randomLetters } from '../../../base/ids.ts';
import { asksIn } from '../../../domain/state/snapshot.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';

/** Without the l that looks like a 1; Claude Code picks its own codes from the same letters. */
const letters = 'abcdefghijkmnopqrstuvwxyz';

/** Five of them: 25^5 = 9,765,625 codes. */
const randomCode = (): string => randomLetters(letters, 5);

export interface CodeOptions {
  /** Makes a candidate. Default: five random letters. */
  random?(): string;
}

/** Hands out permission codes. Filled from the journal, so that none comes twice, not even after a restart. */
export class Codes {
  readonly #random: () => string;
  readonly #used = new Set<string>();

  constructor(options: CodeOptions = {}) {
    this.#random = options.random ?? randomCode;
  }

  /** Give it every stored row before the first claim. */
  observe({ event }: JournalRow): void {
    if (event.type === 'permission.asked') this.#used.add(event.code);
    if (event.type === 'session.restored') for (const { code } of asksIn(event)) this.#used.add(code);
    if (event.type === 'bridge.compacted' || event.type === 'session.forgotten')
      for (const code of event.codes) this.#used.add(code);
  }

  /** True when a question had this code once, in whatever conversation. */
  isKnown(code: string): boolean {
    return this.#used.has(code);
  }

  /** Every code that is taken: what a compaction carries over. */
  used(): string[] {
    return [...this.#used];
  }

  /** @returns `wanted` if it was never used, else a new one. It is taken from here on. */
  claim(wanted?: string): string {
    let code = wanted;
    while (code === undefined || this.#used.has(code)) code = this.#random();
    this.#used.add(code);
    return code;
  }
}
