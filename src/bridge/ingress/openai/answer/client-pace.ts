// Writing at the pace of a client, and how long it may take.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../../base/time/clock.ts';
import { writePart } from './body-part.ts';

/**
 * Milliseconds for which a client may take nothing of what waits for it. Then it is hung up on: it keeps a connection, and
 * others from reading what it was about to.
 */
export const patienceMs = 10 * 60_000;

/** One response. What waits in it is at most what one {@link write} was given, and Node's own buffer. */
export class ClientPace {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #stalled = false;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  /** It took nothing for too long, and was hung up on. */
  get stalled(): boolean {
    return this.#stalled;
  }

  /** @returns undefined when there is room for more; else what resolves when there is, or the connection is gone */
  write(bytes: string): Promise<void> | undefined {
    if (bytes === '' || this.#response.destroyed || writePart(this.#response, bytes)) return undefined;
    return this.#seen('drain', () => {});
  }

  /** Ends the response. Resolves when it was handed to the system, or its connection is gone. Idempotent. */
  async end(): Promise<void> {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    await this.#seen('finish', () => this.#response.end());
  }

  async #seen(event: 'drain' | 'finish', begin: () => void): Promise<void> {
    const response = this.#response;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(patienceMs, () => {
      this.#stalled = true;
      response.destroy();
    });
    response.once(event, resolve);
    response.once('close', resolve);
    begin();
    await promise;
    cancel();
    response.off(event, resolve);
    response.off('close', resolve);
  }
}
