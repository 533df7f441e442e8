export interface Waiting {
  text: string;
  /** As the screen shows it. */
  shown: string;
  source: 'typed' | 'channel' | 'system';
}

/** Prompts that came while a turn ran, in order; the screen shows them. */
export class PromptQueue {
  readonly #show: (texts: string[]) => void;
  #waiting: Waiting[] = [];

  constructor(show: (texts: string[]) => void) {
    this.#show = show;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(waiting: Waiting): void {
    this.#become([...this.#waiting, waiting]);
  }

  /** @returns false when it was taken before */
  remove(waiting: Waiting): boolean {
    const found = this.#waiting.includes(waiting);
    if (found) this.#become(this.#waiting.filter((other) => other !== waiting));
    return found;
  }

  takeAll(): Waiting[] {
    const taken = this.#waiting;
    this.#become([]);
    return taken;
  }

  #become(waiting: Waiting[]): void {
    this.#waiting = waiting;
    this.#show(waiting.map(({ shown }) => shown));
  }
}
