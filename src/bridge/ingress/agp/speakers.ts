// Every answer on its way to one gateway, oldest first.
import type { Reply } from '../../../domain/state/session.ts';
import type { Address } from './render.ts';
import type { ToolMoment } from './script.ts';
import { Speaker, type SpeakerOptions } from './speaker.ts';

export interface SpeakersOptions
  extends Pick<SpeakerOptions, 'dispatcher' | 'readers' | 'masks' | 'outbox' | 'clock' | 'log' | 'newId'> {
  addressOf(reply: Reply): Address;
}

/** Responses whose arrival is remembered with the connection over which they went. */
const mostArrivals = 4_096;

export class Speakers {
  readonly #options: SpeakersOptions;
  readonly #open = new Set<Speaker>();
  /** Reply → number of the connection over which it arrived. */
  readonly #arrivals = new Map<string, number>();
  #connections = 0;

  constructor(options: SpeakersOptions) {
    this.#options = options;
  }

  /** A new connection: what arrived over an earlier one may have been forgotten there. */
  connected(): void {
    this.#connections += 1;
  }

  speak(key: string, reply: Reply, mode: SpeakerOptions['mode']): void {
    const { addressOf, ...options } = this.#options;
    const speaker = new Speaker({ ...options, key, reply, mode, address: addressOf(reply) });
    this.#open.add(speaker);
    speaker.start((arrived) => {
      this.#open.delete(speaker);
      if (arrived) this.#arrived(reply.id);
    });
  }

  ofSession(key: string): Speaker[] {
    return [...this.#open].filter((speaker) => speaker.key === key);
  }

  isOpen(reply: string): boolean {
    return [...this.#open].some((speaker) => speaker.reply.id === reply);
  }

  /** The gateway has it, and has had no chance to forget it. */
  hasArrived(reply: string): boolean {
    return this.#arrivals.get(reply) === this.#connections;
  }

  /** One turn of a session is in flight: the first answer that is not complete is the one that reads it. */
  tool(key: string, moment: ToolMoment): void {
    for (const speaker of this.#open)
      if (speaker.key === key && speaker.isReading) return speaker.tool(moment);
  }

  /** Resolves when every answer that is finished has arrived. */
  async finished(): Promise<void> {
    await Promise.all([...this.#open].filter(({ ready }) => ready).map(({ ended }) => ended));
  }

  /** Leaves what is unfinished owed. */
  close(): void {
    for (const speaker of this.#open) speaker.close();
  }

  #arrived(reply: string): void {
    this.#arrivals.delete(reply);
    this.#arrivals.set(reply, this.#connections);
    const oldest = this.#arrivals.keys().next();
    if (this.#arrivals.size > mostArrivals && !oldest.done) this.#arrivals.delete(oldest.value);
  }
}
