import type { Cancel, Clock } from '../../../base/time/clock.ts';

/** Which prompt is meant. */
interface Ref {
  sessionId: string;
  promptId: string;
}

/** Milliseconds that a cancel waits for its prompt; then the prompt was lost on the way, and its end is owed all the same. */
const waitMs = 5_000;
/** Prompts remembered; the oldest is forgotten first. */
const most = 1_000;

/** Prompts without a session: cancelled before they came, or answered without anything that could remember them. */
export class Lapses {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Cancel>();
  readonly #over = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A cancel came and its prompt is not known. `late` is called when it does not come in time. */
  expect(ref: Ref, late: () => void): void {
    const name = nameOf(ref);
    if (this.#waiting.has(name) || this.#over.has(name) || this.#waiting.size >= most) return;
    const cancel = this.#clock.after(waitMs, () => {
      this.#waiting.delete(name);
      this.over(ref);
      late();
    });
    this.#waiting.set(name, cancel);
  }

  /** The prompt has come. @returns true when it was cancelled before */
  claim(ref: Ref): boolean {
    const name = nameOf(ref);
    this.#waiting.get(name)?.();
    return this.#waiting.delete(name);
  }

  /** It was answered. */
  over(ref: Ref): void {
    this.#over.add(nameOf(ref));
    const oldest = this.#over.values().next();
    if (this.#over.size > most && !oldest.done) this.#over.delete(oldest.value);
  }

  isOver(ref: Ref): boolean {
    return this.#over.has(nameOf(ref));
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }
}

const nameOf = ({ sessionId, promptId }: Ref): string => JSON.stringify([sessionId, promptId]);
