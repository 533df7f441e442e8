// What the program is told without having asked, by whoever serves its tools.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/time/clock.ts';
import { openStream, streamEvent } from './hooks/late-answer.ts';

export class Notices {
  readonly #clock: Clock;
  readonly #listeners = new Set<ServerResponse>();
  /** The newest to be kept that nobody has heard. */
  #unheard: Buffer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on it hears them, in a stream of events, and first the one that nobody has heard. */
  listen(response: ServerResponse): void {
    openStream(response, this.#clock);
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
    const unheard = this.#unheard;
    this.#unheard = undefined;
    if (unheard) response.write(streamEvent(unheard));
  }

  /** @param message one of JSON-RPC @param keep it stands for those before it, and is for who listens later, too */
  say(message: Buffer, keep: boolean): void {
    if (keep && this.#listeners.size === 0) this.#unheard = Buffer.from(message);
    const event = streamEvent(message);
    for (const listener of this.#listeners) listener.write(event);
  }
}
