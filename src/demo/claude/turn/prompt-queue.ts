export interface Waiting {
  text: string;
  /** As the screen shows it. */
  shown: string;
  /** `task`: news of what ran in the background. Its UserPromptSubmit comes when it is taken, not when it is added. */
  source: 'typed' | 'channel' | 'system' | 'task';
}

/** Prompts that came while a turn ran, in order; the screen shows those of people. */
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

  /** Takes the first one, and those of its kind right behind it: together they are one turn (measured on 2.1.332). */
  takeTurn(): Waiting[] {
    const isTask = this.#waiting[0]?.source === 'task';
    const other = this.#waiting.findIndex(({ source }) => (source === 'task') !== isTask);
    const end = other < 0 ? this.#waiting.length : other;
    const taken = this.#waiting.slice(0, end);
    this.#become(this.#waiting.slice(end));
    return taken;
  }

  takeAll(): Waiting[] {
    const taken = this.#waiting;
    this.#become([]);
    return taken;
  }

  #become(waiting: Waiting[]): void {
    this.#waiting = waiting;
    this.#show(waiting.filter(({ source }) => source !== 'task').map(({ shown }) => shown));
  }
}
