import type { Clock } from '../../base/time/clock.ts';
import { SlidingWindow } from '../../base/time/sliding-window.ts';
import {
  limitWindowMs,
  type MessageLimits,
  overLimit,
  overLimitWords,
} from '../../domain/message/message-limits.ts';

/** What one sender may write, the same at every chat door. The operator does not come through here. */
export class MessageGate {
  readonly #clock: Clock;
  readonly #limits: MessageLimits;
  readonly #taken: SlidingWindow;

  constructor(clock: Clock, limits: MessageLimits) {
    this.#clock = clock;
    this.#limits = limits;
    const times = limits.messagesPerMinute;
    this.#taken = new SlidingWindow({ clock, windowMs: limitWindowMs, times, names: 1_000 });
  }

  /**
   * Counts a new message, unless it is refused: repeats of one that was taken are not to be brought here.
   *
   * @param messages how many travel in this text
   * @returns words for the sender when it is not to be passed on
   */
  refuses(speaker: string, text: string, messages = 1): string | undefined {
    const over = overLimit(text, this.#taken.recent(speaker), this.#clock.now(), this.#limits);
    if (over) return overLimitWords(over, messages);
    this.#taken.record(speaker);
    return undefined;
  }
}
