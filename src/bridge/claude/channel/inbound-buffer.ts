/** Messages that the channel has not confirmed, oldest first. Bounded: the oldest falls out, and its sender is told. */
export class InboundBuffer<M extends { request_id: string }> {
  readonly #limit: number;
  #messages: M[] = [];

  /** @param limit at least 1 */
  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  /** @returns the message that had to go, if any. Adding a known id replaces it in place. */
  add(message: M): M | undefined {
    const at = this.#messages.findIndex(({ request_id }) => request_id === message.request_id);
    if (at >= 0) {
      this.#messages[at] = message;
      return undefined;
    }
    this.#messages.push(message);
    return this.#messages.length > this.#limit ? this.#messages.shift() : undefined;
  }

  /** @returns false when it was not waiting. */
  remove(id: string): boolean {
    const before = this.#messages.length;
    this.#messages = this.#messages.filter(({ request_id }) => request_id !== id);
    return this.#messages.length < before;
  }

  all(): readonly M[] {
    return this.#messages;
  }
}
