/** One MessageDisplay hook: `index` counts up from 0 within a message, `final` closes it. */
export interface Batch {
  index: number;
  final: boolean;
  delta: string;
}

/**
 * Streams one assistant message to the hook in whole lines.
 * One batch is on its way at a time; lines that come meanwhile travel together in the next one.
 */
export class MessageDisplay {
  readonly #send: (batch: Batch) => Promise<unknown>;
  #index = 0;
  #waiting = '';
  #finished = false;
  #dropped = false;
  #pump: Promise<void> | undefined;

  constructor(send: (batch: Batch) => Promise<unknown>) {
    this.#send = send;
  }

  /** Adds complete lines, each with its newline. */
  push(lines: string): void {
    this.#waiting += lines;
    this.#start();
  }

  /** Sends what is left, the unfinished last line included, as the final batch. Resolves when it is answered. */
  async finish(rest: string): Promise<void> {
    this.#waiting += rest;
    this.#finished = true;
    this.#start();
    await this.#pump;
  }

  /** An interrupted message has no final batch. */
  drop(): void {
    this.#dropped = true;
  }

  #start(): void {
    this.#pump ??= this.#run().finally(() => {
      this.#pump = undefined;
    });
  }

  async #run(): Promise<void> {
    let closed = false;
    while (!this.#dropped && !closed && (this.#waiting !== '' || this.#finished)) {
      const delta = this.#waiting;
      closed = this.#finished;
      this.#waiting = '';
      await this.#send({ index: this.#index++, final: closed, delta });
    }
  }
}
