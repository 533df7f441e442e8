// Texts go out as they are: for tests that are about something else.
import type { Mask, Masks, OutgoingText } from '../../src/bridge/app/masking.ts';
import type { Readable } from '../../src/domain/state/text.ts';
import { Edited } from '../../src/secrets/outgoing/edited.ts';

class AsItIs implements OutgoingText {
  readonly count = 0;
  readonly waits = false;
  readonly said = new Edited();
  readonly #source: Readable;
  #done = 0;

  constructor(source: Readable) {
    this.#source = source;
  }

  take(_isEnd: boolean, limit = this.#source.length): string {
    if (limit <= this.#done) return '';
    const fresh = this.#source.slice(this.#done, limit);
    this.said.quote(this.#source, this.#done, limit);
    this.#done = limit;
    return fresh;
  }

  add(words: string): void {
    this.said.add(words);
  }
}

export const noMask: Mask = {
  over: (source) => new AsItIs(source),
  whole: (text) => ({ text, count: 0 }),
  own: (text) => text,
};

export const noMasks: Masks = { of: async () => noMask };
