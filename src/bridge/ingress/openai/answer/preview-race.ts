// OpenClaw 2026.9.6 loses two answers of a chat that shows them while they grow (Telegram with `streaming.mode` `partial`
// or `block`): a message that came while the first was written is asked about as soon as that one has finished. Does the
// second finish before its first text was shown on its own, the preview of the first is edited into it and then deleted. OpenClaw
// edits a message once a second, and the end of the first answer comes before the beginning of the second. Of second
// answers that finished at once 7 of 7 were lost, of those held for 1.2 s behind their first text none of 12. With three
// times as much to do as the machine can, the first text was shown after up to 2.4 s, and of 20 held for 1.5 s one was lost.
import type { Clock } from '../../../../base/time/clock.ts';

/** A request this soon after the last answer of its conversation, milliseconds, is such a second one (27–133 measured). */
const followsMs = 2_000;
/** Its finish waits until this long after its first text, milliseconds. */
const heldMs = 4_000;

/** Modes in which a chat shows only what is done, or an answer beside its progress. */
const safeModes: readonly string[] = ['off', 'progress'];
/** Where OpenClaw edits no message. */
const noChats: readonly string[] = ['webchat', 'internal', 'cli'];

/**
 * Whether an answer may be shown while it grows.
 * @param mode as the plugin tells it; without the plugin any chat may be one
 */
export const showsPreview = (channel: string | undefined, mode: string | undefined): boolean =>
  channel !== undefined && !noChats.includes(channel) && !(mode !== undefined && safeModes.includes(mode));

/** When the answers of each conversation finished, as long as it matters. */
export class PreviewRace {
  readonly #clock: Clock;
  /** Session key → monotonic ms, the newest last. */
  readonly #finished = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An answer has finished. */
  finished(key: string): void {
    this.#forget();
    this.#finished.delete(key);
    this.#finished.set(key, this.#clock.now());
  }

  /** Milliseconds from its first text before which an answer that is asked for now must not finish. */
  holdMs(key: string): number {
    this.#forget();
    return this.#finished.has(key) ? heldMs : 0;
  }

  #forget(): void {
    for (const [key, at] of this.#finished) {
      if (this.#clock.now() - at <= followsMs) return;
      this.#finished.delete(key);
    }
  }
}
