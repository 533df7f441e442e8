import { until } from '../../test/support/until.ts';
import { median } from './stats.ts';

/** Largest share of texts that may be missing; a marker that two chunks cut apart is not seen. */
const mayBeMissing = 0.02;

/** Times texts from here, through a server, back to here: each carries a number that is found again in the stream. */
export class Latencies {
  readonly #sentAt = new Map<number, number>();
  #ms: number[] = [];
  #last = 0;
  #sent = 0;

  /** A text of about the length of one streamed batch. The clock starts now. */
  next(): string {
    this.#last += 1;
    this.#sent += 1;
    this.#sentAt.set(this.#last, performance.now());
    return `a few words of an answer, number ~${this.#last}~ `;
  }

  /** Takes what arrived, in whatever clothes. */
  arrived(text: string): void {
    const now = performance.now();
    for (const [, number] of text.matchAll(/~(\d+)~/g)) {
      const sentAt = this.#sentAt.get(Number(number));
      if (sentAt === undefined) continue;
      this.#sentAt.delete(Number(number));
      this.#ms.push(now - sentAt);
    }
  }

  /** Waits for what is on its way, up to 3 s, and starts afresh. @throws when texts got lost */
  async median(): Promise<number> {
    const enough = () => this.#sentAt.size <= this.#sent * mayBeMissing;
    await until('all texts to arrive', enough, 3000);
    const ms = this.#ms;
    this.#ms = [];
    this.#sent = 0;
    this.#sentAt.clear();
    return median(ms);
  }
}
